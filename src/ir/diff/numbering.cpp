// SPDX-License-Identifier: Apache-2.0
#include "ir/diff/numbering.hpp"

#include <algorithm>
#include <vector>

#include "ir/diff/content_key.hpp"

namespace tw::inline v0::ir {
namespace {

/// Longer chains of promises keep their order, or the time would grow with the square.
constexpr std::size_t most_promises = 16;

void append(std::string& content, std::uint32_t number) {
  content.append(reinterpret_cast<const char*>(&number), sizeof number);
}

bool is_equality(const Op& op) {
  const auto predicate = op.as<ComparisonPredicate>(AttributeName::comparison_predicate);
  return predicate == ComparisonPredicate::equal || predicate == ComparisonPredicate::not_equal;
}

bool is_numbered(const DiffSide& side, std::span<const Value> values) {
  return std::ranges::all_of(values, [&](Value each) { return side.numbers(each).relaxed != 0; });
}

}  // namespace

bool is_movable(const Op& op) {
  if (op.row().effect == Effect::pure) return true;
  if (op.code != Opcode::reduce && op.code != Opcode::scan) return false;
  return std::ranges::all_of(op.regions, [](const Block& block) {
    return !block.ops.empty() && block.ops.back().row().effect == Effect::terminator &&
           std::ranges::all_of(block.ops.begin(), block.ops.end() - 1, is_movable);
  });
}

std::size_t commuting_operands(const Op& op) {
  using enum Opcode;
  switch (op.code) {
    case addf:
    case mulf:
    case maxf:
    case minf:
    case fma:
    case addi:
    case muli:
    case mulhii:
    case maxi:
    case mini:
    case andi:
    case ori:
    case xori:
      return std::min<std::size_t>(2, op.operands.size());
    case cmpf:
    case cmpi:
      return is_equality(op) ? op.operands.size() : 0;
    case join_tokens:
      return op.operands.size();
    default:
      return 0;
  }
}

void Numbering::Contents::add(const Numbers& numbers) {
  append(exact, numbers.exact);
  append(relaxed, numbers.relaxed);
}

void Numbering::Contents::add(const std::string& both) {
  exact += both;
  relaxed += both;
}

std::uint32_t Numbering::of(const std::string& content) {
  const auto [found, is_new] = numbers_.try_emplace(content, last_ + 1);
  if (is_new) ++last_;
  return found->second;
}

Numbers Numbering::of(const Contents& contents) {
  return {of(contents.exact), of(contents.relaxed)};
}

void Numbering::number(DiffSide& side, const Op& op, std::uint32_t block) {
  Contents contents = this->contents(side, op);
  const Numbers numbers = of(contents);
  side.pure_ops.push_back({&op, numbers, block});
  for (const Value each : op.results) {
    side.set(each, of(contents));
    contents.add("result");
  }
}

Numbering::Contents Numbering::contents(DiffSide& side, const Op& op) {
  const std::string head = head_key(side.module(), side.function(), op, options_);
  Contents contents{head, head};
  std::vector<std::uint32_t> relaxed;
  for (const Value each : op.operands) {
    append(contents.exact, side.numbers(each).exact);
    relaxed.push_back(side.numbers(each).relaxed);
  }
  std::sort(relaxed.begin(), relaxed.begin() + static_cast<std::ptrdiff_t>(commuting_operands(op)));
  for (const std::uint32_t each : relaxed) append(contents.relaxed, each);
  if (op.code == Opcode::assume) contents.relaxed = promises(side, op);
  for (const Block& each : op.regions) add_region(contents, side, each);
  return contents;
}

/// All that is promised of a value, in an order of its own.
std::string Numbering::promises(const DiffSide& side, const Op& op) const {
  std::vector<std::string> heads;
  const Op* promise = &op;
  Value about;
  do {
    heads.push_back(head_key(side.module(), side.function(), *promise, options_));
    about = promise->operands.front();
    promise = side.definition(about);
  } while (promise != nullptr && promise->code == Opcode::assume && heads.size() < most_promises);
  std::ranges::sort(heads);
  std::string content;
  for (const std::string& each : heads) content += each;
  append(content, side.numbers(about).relaxed);
  return content;
}

/// The arguments of a block stand for the same things in all ops that are alike up to it.
void Numbering::add_region(Contents& contents, DiffSide& side, const Block& block) {
  contents.add("block");
  const std::uint32_t number = of(contents).relaxed;
  for (const Value each : block.arguments) {
    ContentKey type;
    type.type(side.function().type(each));
    contents.add(type.bytes());
    side.set(each, of(contents));
  }
  for (const Op& each : block.ops) {
    if (&each != &block.ops.back()) this->number(side, each, number);
  }
  const Op& end = block.ops.back();
  contents.add(head_key(side.module(), side.function(), end, options_));
  for (const Value each : end.operands) contents.add(side.numbers(each));
}

void Numbering::number_rest(DiffSide& side, const Block& block) {
  for (const Op& each : block.ops) {
    if (!is_movable(each) || each.results.empty() || is_numbered(side, each.results)) continue;
    if (is_numbered(side, each.operands)) number(side, each, 0);
  }
}

}  // namespace tw::inline v0::ir
