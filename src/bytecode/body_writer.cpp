// SPDX-License-Identifier: Apache-2.0
#include "bytecode/body_writer.hpp"

#include <variant>

#include <fmt/format.h>

#include <tilewright/core/error.hpp>

#include "bytecode/wire_form.hpp"

namespace tw::inline v0::bytecode {
namespace {

using namespace ir;

bool is_set(const Op& op, const WireForm::Flag& flag) {
  if (flag.is_operand) return op.group_sizes[flag.index] != 0;
  const Attribute& value = op.attributes.at(flag.index);
  if (op.row().attributes[flag.index].kind != AttributeKind::unit) {
    return !std::holds_alternative<std::monostate>(value);
  }
  const auto* unit = std::get_if<std::int64_t>(&value);
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
  out_.varint(op.code);
  results(op);
  flags(op);
  attributes(op);
  operands(op);
  if (!op.regions.empty()) {
    out_.varint(op.regions.size());
    for (const Block& each : op.regions) region(each);
  }
  if (op.row().results_since <= tables_.version) define(op.results);
}

void BodyWriter::results(const Op& op) {
  const bool written = op.row().results_since <= tables_.version;
  if (wire_form(op.row()).counts_results) out_.varint(written ? op.results.size() : 0);
  if (!written) return;
  for (const Value each : op.results) out_.varint(tables_.types.index(function_.type(each)));
}

void BodyWriter::flags(const Op& op) {
  const auto known = wire_form(op.row()).flags_in(tables_.version);
  if (known.empty()) return;
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < known.size(); ++i) {
    bits |= std::uint64_t{is_set(op, known[i])} << i;
  }
  out_.varint(bits);
}

void BodyWriter::attributes(const Op& op) {
  const Type result = op.results.empty() ? Type() : function_.type(op.results.front());
  const auto rows = op.row().attributes;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Attribute& value = op.attributes.at(i);
    const bool absent = std::holds_alternative<std::monostate>(value);
    if (rows[i].since > tables_.version || (absent && rows[i].optional)) continue;
    attributes_.write(rows[i].kind, value, result);
  }
}

void BodyWriter::operands(const Op& op) {
  const WireForm::Operands form = wire_form(op.row()).operands;
  if (form != WireForm::Operands::segmented) {
    if (form == WireForm::Operands::counted) out_.varint(op.operands.size());
    return uses(op.operands);
  }
  const auto rows = op.row().operands;
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
