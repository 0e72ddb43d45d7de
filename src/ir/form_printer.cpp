// SPDX-License-Identifier: Apache-2.0
#include "ir/form_printer.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ir/attribute_text.hpp"
#include "ir/text_form.hpp"
#include "ir/type_list.hpp"

namespace tw::inline v0::ir {
namespace {

bool goes_without_saying(const Op& op, const AttributeRow& row) {
  const Attribute* value = op.find(row.name);
  return value == nullptr || is_fallback(*value, row);
}

std::string_view enumerator(const Op& op, const AttributeRow& row) {
  return value_names(row.kind)[static_cast<std::size_t>(op.integer(row.name))];
}

std::string_view boolean_text(std::int64_t value) { return value != 0 ? "true" : "false"; }

std::string modifier(std::string_view keyword, const Op& op, const AttributeRow& row) {
  return goes_without_saying(op, row) ? "" : fmt::format("{}<{}>", keyword, enumerator(op, row));
}

}  // namespace

std::string place_text(const SourcePlace& place) {
  return fmt::format("{}:{}:{}", quoted(place.file), place.line, place.column);
}

std::string global_text(const Global& global) {
  std::string text = "global ";
  if (global.visibility == Visibility::private_) text += "private ";
  if (global.constant) text += " constant";
  text += " " + symbol_text(global.name);
  if (global.alignment != 0) text += fmt::format(" alignment = {}", global.alignment);
  return text + fmt::format(" <{}> : {}", constant_text(global.value, global.type.tile()),
                            to_string(global.type));
}

std::string FormPrinter::text(const Op& op) const { return expanded(op, text_form(op.code).text); }

std::string FormPrinter::line(const Op& op, Version tool) const {
  const bool renamed = op.code == Opcode::pow && tool >= Version{13, 4};
  const std::string results = op.results.empty() ? "" : names_.definition(op) + " = ";
  return fmt::format("{}{}{}", results, renamed ? "fpowf" : op.row().name, text(op));
}

std::string FormPrinter::expanded(const Op& op, std::string_view form) const {
  std::string text;
  while (!form.empty()) {
    const FormPiece piece = take_piece(form);
    text += piece.literal;
    if (piece.part.empty()) break;
    if (!piece.is_optional) {
      text += placeholder(op, piece.part);
    } else if (has_value(op, first_placeholder(piece.part))) {
      text += expanded(op, piece.part);
    }
  }
  return text;
}

/// Whether a placeholder stands for something.
bool FormPrinter::has_value(const Op& op, std::string_view name) const {
  if (name[0] == ':' || name[0] == '=') return !values(op, name.substr(1)).empty();
  const AttributeRow* attribute = attribute_row(op.row(), name);
  return attribute == nullptr ? !values(op, name).empty() : !goes_without_saying(op, *attribute);
}

std::string FormPrinter::placeholder(const Op& op, std::string_view name) const {
  const std::string_view rest = name.substr(1);
  if (name[0] == ':') return types(values(op, rest));
  if (name[0] == '=') return common_type(values(op, rest));
  if (name[0] == '?') {
    const AttributeName unit = attribute_row(op.row(), rest)->name;
    return op.integer(unit) != 0 ? fmt::format(" {}", unit_keyword(unit)) : "";
  }
  if (name == "iterations") return iterations(op);
  if (name == "handed_out") {
    return fmt::format("{} {}", op.operands.empty() ? ":" : "->", types(op.results));
  }
  if (op.code == Opcode::make_tensor_view && name != "base") return extents(op, name == "shape");
  const AttributeRow* row = attribute_row(op.row(), name);
  return row != nullptr ? attribute(op, *row) : uses(values(op, name));
}

std::string FormPrinter::attribute(const Op& op, const AttributeRow& row) const {
  switch (row.kind) {
    case AttributeKind::rounding:
      return modifier("rounding", op, row);
    case AttributeKind::overflow:
      return modifier("overflow", op, row);
    case AttributeKind::unit:
    case AttributeKind::boolean:
      return std::string(boolean_text(op.integer(row.name)));
    case AttributeKind::integer:
      return row.name == AttributeName::site ? site(op) : std::to_string(op.integer(row.name));
    case AttributeKind::string: {
      const auto& value = op.get<std::string>(row.name);
      return row.name == AttributeName::name ? symbol_text(value) : quoted(value);
    }
    case AttributeKind::constant:
      return constant_text(op.get<Constant>(row.name), function_.type(op.result()).tile());
    case AttributeKind::predicate:
      return predicate_text(op.get<AssumePredicate>(row.name));
    case AttributeKind::hints:
      return hints_text(op.get<Hints>(row.name));
    case AttributeKind::int32_array:
      return fmt::format("[{}]", fmt::join(op.get<IntArray>(row.name), ", "));
    case AttributeKind::bool_array:
      return fmt::format("[{}]", comma_joined(op.get<IntArray>(row.name), boolean_text));
    case AttributeKind::scalar_array:
      return fmt::format("[{}]", comma_joined(op.get<ScalarArray>(row.name), scalar_text));
    default:
      return std::string(enumerator(op, row));
  }
}

/// What a name that is no attribute stands for.
std::span<const Value> FormPrinter::values(const Op& op, std::string_view name) const {
  const std::span results(op.results);
  if (name == "results" || name == "handed_out") return results;
  if (name == "result") return results.first(std::min<std::size_t>(1, results.size()));
  if (name == "induction") {
    const std::span<const Value> arguments = op.regions[0].arguments;
    return arguments.first(std::min<std::size_t>(1, arguments.size()));
  }
  if (name == "typed") return typed_operands(op);
  if (name == "iterations") name = "initValues";
  return op.group(operand_index(op.row(), name));
}

/// `iter_values(%a = %x, %b = %y)`: the last arguments of the block.
std::string FormPrinter::iterations(const Op& op) const {
  const auto initial = values(op, "initValues");
  std::span<const Value> arguments = op.regions[0].arguments;
  if (op.code == Opcode::for_) {
    arguments = arguments.subspan(std::min<std::size_t>(1, arguments.size()));
  }
  std::string text;
  for (std::size_t i = 0; i < std::min(arguments.size(), initial.size()); ++i) {
    if (i != 0) text += ", ";
    text += fmt::format("{} = {}", names_.use(arguments[i]), names_.use(initial[i]));
  }
  return "iter_values(" + text + ")";
}

/// The operands of a make_tensor_view whose types the result does not tell: the base pointer if it
/// has an attribute, and one of the extents and strides.
std::span<const Value> FormPrinter::typed_operands(const Op& op) const {
  const auto* type = function_.type(op.result()).as<TensorViewType>();
  const bool base = type != nullptr && type->attribute.has_value();
  const auto shown = std::span(op.operands).first(std::min<std::size_t>(2, op.operands.size()));
  return shown.subspan(base ? 0 : std::min<std::size_t>(1, shown.size()));
}

std::string FormPrinter::uses(std::span<const Value> values) const {
  return comma_joined(values, [&](Value each) -> auto& { return names_.use(each); });
}

std::string FormPrinter::types(std::span<const Value> values) const {
  return comma_joined(values,
                      [&](Value each) -> auto& { return type_texts_.of(function_.type(each)); });
}

/// One type where all are equal.
std::string FormPrinter::common_type(std::span<const Value> values) const {
  const bool equal = std::ranges::all_of(
      values, [&](Value each) { return function_.type(each) == function_.type(values.front()); });
  return types(equal ? values.first(1) : values);
}

/// The extents or strides of a tensor view, as operands where the type does not know them.
std::string FormPrinter::extents(const Op& op, bool shape) const {
  const auto* type = function_.type(op.result()).as<TensorViewType>();
  auto operands = op.group(shape ? 1 : 2);
  if (type == nullptr) return uses(operands);
  return comma_joined(shape ? type->shape : type->strides, [&](std::int64_t extent) {
    if (extent != dynamic || operands.empty()) return std::to_string(extent);
    const Value operand = operands.front();
    operands = operands.subspan(1);
    return names_.use(operand);
  });
}

/// `<"load", "vadd.cpp":12:3, parameter = 1, axis = 0, silent, "text">`, or its number if it is not
/// known.
std::string FormPrinter::site(const Op& op) const {
  const auto number = static_cast<std::size_t>(op.integer(AttributeName::site));
  if (module_ == nullptr || number >= module_->sites.size()) return std::to_string(number);
  const Site& site = module_->sites[number];
  std::string text = quoted(site.kind);
  if (site.location != LocationId::unknown) {
    text += ", " + place_text(module_->locations[site.location]);
  }
  if (site.parameter >= 0) text += fmt::format(", parameter = {}", site.parameter);
  if (site.axis >= 0) text += fmt::format(", axis = {}", site.axis);
  if (site.silent) text += ", silent";
  if (!site.text.empty()) text += ", " + quoted(site.text);
  return "<" + text + ">";
}

}  // namespace tw::inline v0::ir
