// SPDX-License-Identifier: Apache-2.0
#include "bytecode/body_reader.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <string_view>

#include <fmt/format.h>

#include "bytecode/wire_form.hpp"

namespace tw::inline v0::bytecode {

using namespace ir;

namespace {

/// The rows of ops that occur in files, by opcode.
const std::vector<const OpRow*>& rows_by_code() {
  static const std::vector<const OpRow*> rows = [] {
    std::vector<const OpRow*> by_code;
    for (const OpRow& each : all_rows()) {
      if (each.code >= Opcode::check) continue;
      by_code.resize(static_cast<std::size_t>(each.code) + 1);
      by_code.back() = &each;
    }
    return by_code;
  }();
  return rows;
}

struct ForeignOp {
  std::uint64_t code;
  std::string_view what;
};

/// Opcodes that are assigned but never read.
constexpr std::array foreign_ops{
    ForeignOp{0x16, "entry, which cannot stand in a body"},
    ForeignOp{0x31, "global, which cannot stand in a body"},
    ForeignOp{0x4b, "module, which cannot stand in a body"},
    ForeignOp{0x7b, "multimem_load_reduce_view_tko, which is not supported"},
    ForeignOp{0x7c, "multimem_reduce_view_tko, which is not supported"},
    ForeignOp{0x7d, "multimem_store_view_tko, which is not supported"},
    ForeignOp{0x3000, "an op for tests of other tools"},
    ForeignOp{0x3001, "an op for tests of other tools"},
    ForeignOp{0x3002, "an op for tests of other tools"},
    ForeignOp{0x4002, "call, a preview feature"},
};

[[noreturn]] void refuse(const ByteReader& in, std::uint64_t opcode) {
  const auto known = std::ranges::find(foreign_ops, opcode, &ForeignOp::code);
  in.fail(known == foreign_ops.end() ? fmt::format("there is no opcode {:#x}", opcode)
                                     : fmt::format("the opcode {:#x} is {}", opcode, known->what));
}

/// The bit of an attribute or operand group among an op's flags; -1 if it has none.
int flag_bit(std::span<const WireForm::Flag> flags, bool is_operand, std::size_t index) {
  for (std::size_t i = 0; i < flags.size(); ++i) {
    if (flags[i].is_operand == is_operand && flags[i].index == index) return static_cast<int>(i);
  }
  return -1;
}

bool is_set(std::uint64_t flags, int bit) { return bit >= 0 && (flags >> bit & 1) != 0; }

/// What an attribute means that a file is too old for.
Attribute fallback(const AttributeRow& row) {
  return row.fallback ? Attribute(*row.fallback) : Attribute();
}

/// A list of booleans that the file is too old for is one for each index.
void fill_lists(Op& op) {
  const OpRow& row = op.row();
  for (std::size_t i = 0; i < row.attributes.size(); ++i) {
    if (row.attributes[i].kind != AttributeKind::bool_array) continue;
    if (!std::holds_alternative<std::int64_t>(op.attributes[i])) continue;
    const auto variadic = std::ranges::find(row.operands, Arity::variadic, &OperandRow::arity);
    const auto group = static_cast<std::size_t>(variadic - row.operands.begin());
    op.attributes[i] = IntArray(op.group_sizes.at(group), *row.attributes[i].fallback);
  }
}

}  // namespace

void BodyReader::read(ByteReader in) {
  values_ = function_.body.arguments;
  while (!in.at_end()) function_.body.ops.push_back(op(in, 0));
}

Op BodyReader::op(ByteReader& in, std::size_t depth) {
  const std::size_t start = in.offset();
  const OpRow& row = this->row(in);
  context_.charge(sizeof(Op) + row.attributes.size() * sizeof(Attribute), start);
  Op op;
  op.code = row.code;
  op.location = places_.next();
  std::vector<Type> types;
  results(in, op, types);

  const auto known = wire_form(row).flags_in(version_);
  const std::uint64_t flags = known.empty() ? 0 : in.varint();
  in.expect_no_bits(flags >> known.size() << known.size(), std::string(row.name));
  attributes(in, op, flags, types.empty() ? Type() : types.front());
  operands(in, op, flags);
  if (row.regions != 0) regions(in, op, depth);

  const bool numbered = row.results_since <= version_;
  for (const Type& each : types) {
    op.results.push_back(define(each, start));
    if (!numbered) values_.pop_back();
  }
  return op;
}

const OpRow& BodyReader::row(ByteReader& in) {
  const std::uint64_t opcode = in.varint();
  const auto& rows = rows_by_code();
  const OpRow* row = opcode < rows.size() ? rows[static_cast<std::size_t>(opcode)] : nullptr;
  if (row == nullptr) refuse(in, opcode);
  if (row->since > version_) {
    in.fail(fmt::format("{} came with {}.{}, and the file is {}.{}", row->name,
                        row->since.major_number, row->since.minor_number, version_.major_number,
                        version_.minor_number));
  }
  return *row;
}

void BodyReader::results(ByteReader& in, Op& op, std::vector<Type>& types) {
  const OpRow& row = op.row();
  const bool written = row.results_since <= version_;
  std::size_t count = written ? row.results : 0;
  if (wire_form(row).counts_results) {
    const std::size_t said = in.count(1);
    if (said != count && !row.variadic_results) {
      in.fail(fmt::format("{} has {} results", row.name, said));
    }
    count = said;
  }
  context_.charge(count * (sizeof(Type) + sizeof(Value)), in.offset());
  types.reserve(count);
  for (std::size_t i = 0; i < count; ++i) types.push_back(types_.type(in));
  // Results that older files leave out are tokens.
  if (!written) types.assign(row.results, token_type());
  op.results.reserve(types.size());
}

void BodyReader::attributes(ByteReader& in, Op& op, std::uint64_t flags, const Type& result) {
  const auto rows = op.row().attributes;
  const auto known = wire_form(op.row()).flags_in(version_);
  op.attributes.reserve(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool present =
        rows[i].optional ? is_set(flags, flag_bit(known, false, i)) : rows[i].since <= version_;
    op.attributes.push_back(present ? attributes_.read(in, rows[i].kind, result)
                                    : fallback(rows[i]));
  }
}

void BodyReader::operands(ByteReader& in, Op& op, std::uint64_t flags) {
  const OpRow& row = op.row();
  const WireForm& form = wire_form(row);
  const bool segmented = form.operands == WireForm::Operands::segmented;
  std::size_t left = 0;  // of a counted list, beyond the fixed operands
  if (form.operands == WireForm::Operands::counted) {
    const std::size_t fixed = row.operands.size() - 1;
    left = in.count(1);
    if (left < fixed) in.fail(fmt::format("{} has {} operands", row.name, left));
    left -= fixed;
  }
  op.operands.reserve(row.operands.size());
  for (std::size_t i = 0; i < row.operands.size(); ++i) {
    const OperandRow& operand = row.operands[i];
    if (operand.arity == Arity::one) {
      group(in, op, i, 1);
    } else if (!segmented) {
      if (operand.arity == Arity::optional && left > 1) in.fail("an optional operand is a list");
      group(in, op, i, left);
    } else if (operand.arity == Arity::variadic) {
      group(in, op, i, in.count(1));
    } else {
      const auto known = form.flags_in(version_);
      group(in, op, i, is_set(flags, flag_bit(known, true, i)) ? 1 : 0);
    }
  }
  fill_lists(op);
}

void BodyReader::group(ByteReader& in, Op& op, std::size_t index, std::size_t size) {
  if (size > std::numeric_limits<std::uint16_t>::max()) {
    in.fail(fmt::format("{} has {} operands", op.row().name, size));
  }
  context_.charge(size * sizeof(Value), in.offset());
  op.group_sizes[index] = static_cast<std::uint16_t>(size);
  op.operands.reserve(op.operands.size() + size);
  for (std::size_t i = 0; i < size; ++i) {
    const std::uint64_t number = in.varint();
    if (number >= values_.size()) {
      in.fail(
          fmt::format("{} uses value {}, and there are {}", op.row().name, number, values_.size()));
    }
    op.operands.push_back(values_[static_cast<std::size_t>(number)]);
  }
}

void BodyReader::regions(ByteReader& in, Op& op, std::size_t depth) {
  if (depth >= context_.limits.depth) in.fail("blocks are nested too deeply");
  const OpRow& row = op.row();
  const std::size_t count = in.count(1);
  if (count != row.regions) in.fail(fmt::format("{} has {} regions", row.name, count));
  op.regions.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t blocks = in.count(2);
    // Only an `if` can do without its second region.
    const bool may_lack = i == 1;
    if (blocks > 1 || (blocks == 0 && !may_lack)) {
      in.fail(fmt::format("a region of {} has {} blocks", row.name, blocks));
    }
    if (blocks == 1) op.regions[i] = block(in, depth + 1);
  }
}

Block BodyReader::block(ByteReader& in, std::size_t depth) {
  const std::size_t outside = values_.size();
  Block block;
  const std::size_t arguments = in.count(1);
  for (std::size_t i = 0; i < arguments; ++i) {
    block.arguments.push_back(define(types_.type(in), in.offset()));
  }
  const std::size_t ops = in.count(1);
  if (ops == 0) in.fail("a block has no ops");
  for (std::size_t i = 0; i < ops; ++i) block.ops.push_back(op(in, depth));
  values_.resize(outside);
  return block;
}

Value BodyReader::define(const Type& type, std::uint64_t offset) {
  context_.charge(sizeof(Type) + 2 * sizeof(Value), offset);
  values_.push_back(function_.fresh(type));
  return values_.back();
}

}  // namespace tw::inline v0::bytecode
