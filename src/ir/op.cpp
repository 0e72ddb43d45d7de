// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include <tilewright/core/error.hpp>
#include <tilewright/ir/op.hpp>

namespace tw::inline v0::ir {
namespace {

std::size_t group_start(const Op& op, std::size_t index) {
  const auto* sizes = op.group_sizes.data();
  return std::accumulate(sizes, sizes + index, std::size_t{0});
}

/// The fallback of a row, in the form in which the op holds it: a list has one for each index.
Attribute fallback(const Op& op, const AttributeRow& row) {
  if (row.kind != AttributeKind::bool_array) return Attribute(*row.fallback);
  const auto operands = op.row().operands;
  const auto indices = std::ranges::find(operands, Arity::variadic, &OperandRow::arity);
  return IntArray(op.group_sizes.at(static_cast<std::size_t>(indices - operands.begin())),
                  *row.fallback);
}

}  // namespace

std::span<const Value> Op::group(std::size_t index) const {
  return std::span(operands).subspan(group_start(*this, index), group_sizes.at(index));
}

std::span<Value> Op::group(std::size_t index) {
  return std::span(operands).subspan(group_start(*this, index), group_sizes.at(index));
}

Value Op::optional(std::size_t index) const {
  return group_sizes.at(index) == 0 ? Value{} : group(index).front();
}

const Attribute* Op::find(AttributeName name) const {
  const int index = attribute_index(row(), name);
  if (index < 0) return nullptr;
  const Attribute& attribute = attributes.at(static_cast<std::size_t>(index));
  return attribute.empty() ? nullptr : &attribute;
}

std::int64_t Op::integer(AttributeName name) const {
  const Attribute* attribute = find(name);
  if (attribute == nullptr) return 0;
  if (const auto* value = attribute->as<std::int64_t>()) return *value;
  throw_absent(name);
}

void Op::set(AttributeName name, Attribute value) {
  const int index = attribute_index(row(), name);
  if (index < 0) throw_absent(name);
  attributes.resize(row().attributes.size());
  attributes[static_cast<std::size_t>(index)] = std::move(value);
}

void Op::fill_fallbacks() {
  const auto rows = row().attributes;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].fallback && attributes[i].empty()) attributes[i] = fallback(*this, rows[i]);
  }
}

void Op::throw_absent(AttributeName name) const {
  throw BugError(
      fmt::format("{} has no attribute {} of this kind", row().name, attribute_text(name)),
      Location::current());
}

std::string to_string(const Site& site) {
  std::string text = site.kind;
  if (site.parameter >= 0) text += fmt::format(" of argument {}", site.parameter + 1);
  if (site.axis >= 0) text += fmt::format(" along axis {}", site.axis);
  return text;
}

}  // namespace tw::inline v0::ir
