// SPDX-License-Identifier: Apache-2.0
#include "bytecode/body_reader.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

#include <fmt/format.h>

namespace tw::inline v0::bytecode {

using namespace ir;

namespace {

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

/// Whether something is written, by the bit of the flags or the rule that decides it.
bool is_present(std::uint64_t flags, std::int8_t bit) {
  return bit >= 0 ? (flags >> bit & 1) != 0 : bit == WireForm::always;
}

}  // namespace

void BodyReader::read(ByteReader in) {
  values_ = function_.body.arguments;
  std::vector<Op>& list = function_.body.ops;
  while (!in.at_end()) {
    context_.charge(2 * sizeof(Op), in.offset());  // the list grows by doubling
    op(in, list.emplace_back(), 0);
  }
}

void BodyReader::op(ByteReader& in, Op& op, std::size_t depth) {
  const WireForm& form = this->form(in);
  const OpRow& row = *form.row;
  context_.charge(row.attributes.size() * sizeof(Attribute), in.offset());
  op.code = row.code;
  op.location = places_.next();
  results(in, op, form);

  const std::uint64_t flags = form.flags == 0 ? 0 : in.varint();
  in.expect_no_bits(flags >> form.flags << form.flags, row.name);
  attributes(in, op, form, flags);
  operands(in, op, form, flags);
  if (row.regions != 0) regions(in, op, depth);
  if (form.has_results) values_.insert(values_.end(), op.results.begin(), op.results.end());
}

const WireForm& BodyReader::form(ByteReader& in) {
  const std::uint64_t opcode = in.varint();
  const WireForm* form = forms_.find(opcode);
  if (form == nullptr) refuse(in, opcode);
  in.expect_version(form->row->since, form->row->name);
  return *form;
}

/// Results that older files leave out are tokens; they have no numbers.
void BodyReader::results(ByteReader& in, Op& op, const WireForm& form) {
  const OpRow& row = *form.row;
  std::size_t count = form.has_results ? row.results : 0;
  if (form.counts_results) {
    const std::size_t said = in.count(1);
    if (said != count && !row.variadic_results) {
      in.fail(fmt::format("{} has {} results", row.name, said));
    }
    count = said;
  }
  op.results.reserve(form.has_results ? count : row.results);
  for (std::size_t i = 0; i < count; ++i) {
    op.results.push_back(define(types_.type(in), in.offset()));
  }
  if (form.has_results) return;
  for (std::size_t i = 0; i < row.results; ++i) {
    op.results.push_back(define(token_type(), in.offset()));
  }
}

void BodyReader::attributes(ByteReader& in, Op& op, const WireForm& form, std::uint64_t flags) {
  const auto rows = form.row->attributes;
  const Type none;
  const Type& result = op.results.empty() ? none : function_.type(op.results.front());
  op.attributes.reserve(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool present = is_present(flags, form.attribute_bit[i]);
    if (present) {
      op.attributes.push_back(attributes_.read(in, rows[i].kind, result));
    } else {
      op.attributes.emplace_back();
    }
  }
}

void BodyReader::operands(ByteReader& in, Op& op, const WireForm& form, std::uint64_t flags) {
  const auto rows = form.row->operands;
  const bool segmented = form.operands == WireForm::Operands::segmented;
  std::size_t left = 0;  // of a counted list, beyond the fixed operands
  if (form.operands == WireForm::Operands::counted) {
    const std::size_t fixed = rows.size() - 1;
    left = in.count(1);
    if (left < fixed) in.fail(fmt::format("{} has {} operands", form.row->name, left));
    left -= fixed;
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].arity == Arity::one) {
      group(in, op, i, 1);
    } else if (!segmented) {
      if (rows[i].arity == Arity::optional && left > 1) in.fail("an optional operand is a list");
      group(in, op, i, left);
    } else if (rows[i].arity == Arity::variadic) {
      group(in, op, i, in.count(1));
    } else {
      group(in, op, i, is_present(flags, form.operand_bit[i]));
    }
  }
  if (form.has_fallbacks) op.fill_fallbacks();
}

void BodyReader::group(ByteReader& in, Op& op, std::size_t index, std::size_t size) {
  if (size > std::numeric_limits<std::uint16_t>::max()) {
    in.fail(fmt::format("{} has {} operands", op.row().name, size));
  }
  context_.charge(size * sizeof(Value), in.offset());
  op.group_sizes[index] = static_cast<std::uint16_t>(size);
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
    if (blocks == 1) block(in, op.regions[i], depth + 1);
  }
}

void BodyReader::block(ByteReader& in, Block& block, std::size_t depth) {
  const std::size_t outside = values_.size();
  for (std::size_t left = in.count(1); left != 0; --left) {
    block.arguments.push_back(define(types_.type(in), in.offset()));
  }
  values_.insert(values_.end(), block.arguments.begin(), block.arguments.end());
  const std::size_t count = in.count(2);
  if (count == 0) in.fail("a block has no ops");
  context_.charge(count * sizeof(Op), in.offset());
  block.ops.reserve(count);
  for (std::size_t i = 0; i < count; ++i) op(in, block.ops.emplace_back(), depth);
  values_.resize(outside);
}

/// A new value; it gets its number when it comes into scope.
Value BodyReader::define(const Type& type, std::uint64_t offset) {
  context_.charge(sizeof(Type) + 3 * sizeof(Value), offset);
  return function_.fresh(type);
}

}  // namespace tw::inline v0::bytecode
