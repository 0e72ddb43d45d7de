// SPDX-License-Identifier: Apache-2.0
#include "bytecode/body_writer.hpp"

#include <variant>

#include <fmt/format.h>

#include <tilewright/core/error.hpp>

namespace tw::inline v0::bytecode {
namespace {

using namespace ir;

/// Whether an optional attribute is there; a unit is if it is not 0.
bool is_present(const Attribute& value, AttributeKind kind) {
  if (kind != AttributeKind::unit) return !value.empty();
  const auto* unit = value.as<std::int64_t>();
  return unit != nullptr && *unit != 0;
}

}  // namespace

std::span<const std::byte> BodyWriter::write() {
  define(function_.body.arguments);
  for (const Op& each : function_.body.ops) op(each);
  return out_.bytes();
}

void BodyWriter::define(std::span<const Value> values) {
  for (const Value each : values) numbers_.at(each.index) = next_++;
}

void BodyWriter::op(const Op& op) {
  const WireForm& form = *forms_.find(code(op.code));
  out_.varint(op.code);
  results(op, form);
  if (form.flags != 0) flags(op, form);
  attributes(op, form);
  operands(op, form);
  if (!op.regions.empty()) {
    out_.varint(op.regions.size());
    for (const Block& each : op.regions) region(each);
  }
  if (form.has_results) define(op.results);
}

void BodyWriter::results(const Op& op, const WireForm& form) {
  if (form.counts_results) out_.varint(form.has_results ? op.results.size() : 0);
  if (!form.has_results) return;
  for (const Value each : op.results) out_.varint(tables_.types.index(function_.type(each)));
}

void BodyWriter::flags(const Op& op, const WireForm& form) {
  std::uint64_t bits = 0;
  const auto set = [&](std::int8_t bit, bool present) {
    if (bit >= 0 && present) bits |= std::uint64_t{1} << bit;
  };
  const auto rows = form.row->attributes;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    set(form.attribute_bit[i], is_present(op.attributes.at(i), rows[i].kind));
  }
  for (std::size_t i = 0; i < form.row->operands.size(); ++i) {
    set(form.operand_bit[i], op.group_sizes[i] != 0);
  }
  out_.varint(bits);
}

void BodyWriter::attributes(const Op& op, const WireForm& form) {
  const Type none;
  const Type& result = op.results.empty() ? none : function_.type(op.results.front());
  const auto rows = form.row->attributes;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Attribute& value = op.attributes.at(i);
    const std::int8_t bit = form.attribute_bit[i];
    if (bit == WireForm::never || (bit >= 0 && !is_present(value, rows[i].kind))) continue;
    attributes_.write(rows[i].kind, value, result);
  }
}

void BodyWriter::operands(const Op& op, const WireForm& form) {
  if (form.operands != WireForm::Operands::segmented) {
    if (form.operands == WireForm::Operands::counted) out_.varint(op.operands.size());
    return uses(op.operands);
  }
  const auto rows = form.row->operands;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].arity == Arity::variadic) out_.varint(op.group_sizes[i]);
    uses(op.group(i));
  }
}

void BodyWriter::uses(std::span<const Value> values) {
  for (const Value each : values) {
    const std::uint32_t number = numbers_.at(each.index);
    if (number == unnumbered) {
      throw BugError(
          fmt::format("{}: value {} is used before it is defined", function_.name, each.index),
          Location::current());
    }
    out_.varint(number);
  }
}

/// A branch that is not there has no block.
void BodyWriter::region(const Block& block) {
  const bool present = !block.ops.empty();
  out_.varint(present);
  if (!present) return;
  const std::uint32_t outside = next_;
  out_.varint(block.arguments.size());
  for (const Value each : block.arguments) {
    out_.varint(tables_.types.index(function_.type(each)));
  }
  define(block.arguments);
  out_.varint(block.ops.size());
  for (const Op& each : block.ops) op(each);
  next_ = outside;
}

}  // namespace tw::inline v0::bytecode
