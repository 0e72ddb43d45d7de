// SPDX-License-Identifier: Apache-2.0
#include "ir/diff/function_diff.hpp"

#include <algorithm>

#include "ir/diff/content_key.hpp"
#include "ir/diff/pure_op_diff.hpp"

namespace tw::inline v0::ir {
namespace {

/// Whether a block does nothing and gives nothing.
bool is_idle(const Block& block) {
  return block.ops.empty() || (block.ops.size() == 1 && block.ops.front().code == Opcode::yield &&
                               block.ops.front().operands.empty());
}

}  // namespace

void FunctionDiff::run() {
  if (!are_heads_alike()) return;
  if (compare(left_.function().body, right_.function().body)) {
    compare_pure_ops(left_, right_, options_, found_);
  }
}

bool FunctionDiff::are_heads_alike() {
  const Function& left = left_.function();
  const Function& right = right_.function();
  const auto place = [&](const DiffSide& side) {
    return place_key(side.module(), side.function().location, options_);
  };
  const auto differ = [&](const char* what) {
    return diverge(what, left_.place(), right_.place());
  };
  if (left.entry != right.entry) return differ("kind of function");
  if (left.visibility != right.visibility) return differ("visibility");
  if (!options_.ignore_hints && left.hints != right.hints) return differ("hints");
  if (!have_types(left.body.arguments, right.body.arguments)) return differ("parameters");
  return place(left_) == place(right_) || differ("source place");
}

bool FunctionDiff::compare(const Block& left, const Block& right) {
  share(left.arguments, right.arguments);
  open_.emplace_back(&left, &right);
  const bool alike = compare_ops(left, right);
  open_.pop_back();
  return alike;
}

bool FunctionDiff::compare_ops(const Block& left, const Block& right) {
  const std::uint32_t number = numbering_.fresh();
  std::size_t left_index = 0;
  std::size_t right_index = 0;
  while (true) {
    const Op* left_op = next_fixed(left_, left, left_index, number);
    const Op* right_op = next_fixed(right_, right, right_index, number);
    if (left_op == nullptr && right_op == nullptr) return true;
    if (left_op == nullptr) return diverge("op", {}, right_.place(*right_op));
    if (right_op == nullptr) return diverge("op", left_.place(*left_op), {});
    if (!compare_fixed(*left_op, *right_op)) return false;
  }
}

/// The next op that keeps its place, or nullptr; numbers the others in front of it.
const Op* FunctionDiff::next_fixed(DiffSide& side, const Block& block, std::size_t& index,
                                   std::uint32_t number) {
  while (index < block.ops.size()) {
    const Op& op = block.ops[index++];
    if (!is_movable(op)) return &op;
    numbering_.number(side, op, number);
  }
  return nullptr;
}

bool FunctionDiff::compare_fixed(const Op& left, const Op& right) {
  if (!are_alike(left_, left, right_, right, options_)) {
    for (const auto& [left_block, right_block] : open_) {
      numbering_.number_rest(left_, *left_block);
      numbering_.number_rest(right_, *right_block);
    }
    found_.divergence = explain(left_, left, right_, right, open_, options_);
    return false;
  }
  if (!compare_regions(left, right)) return false;
  share(left.results, right.results);
  return true;
}

bool FunctionDiff::compare_regions(const Op& left, const Op& right) {
  const auto differ = [&](const char* what) {
    return diverge(what, left_.place(left), right_.place(right));
  };
  if (left.regions.size() != right.regions.size()) return differ("number of blocks");
  for (std::size_t i = 0; i < left.regions.size(); ++i) {
    const Block& left_block = left.regions[i];
    const Block& right_block = right.regions[i];
    if (!have_types(left_block.arguments, right_block.arguments)) {
      return differ("types of block arguments");
    }
    if (!is_empty_else(left, right, i) && !compare(left_block, right_block)) return false;
  }
  return true;
}

bool FunctionDiff::is_empty_else(const Op& left, const Op& right, std::size_t region) {
  const Block& left_block = left.regions[region];
  const Block& right_block = right.regions[region];
  const bool one_is_absent = left_block.ops.empty() != right_block.ops.empty();
  if (!one_is_absent || !is_idle(left_block) || !is_idle(right_block)) return false;
  found_.harmless.push_back({HarmlessKind::empty_else, left_.place(left), right_.place(right)});
  return true;
}

/// From here on both are known to be the same.
void FunctionDiff::share(std::span<const Value> left, std::span<const Value> right) {
  for (std::size_t i = 0; i < left.size(); ++i) {
    const std::uint32_t number = numbering_.fresh();
    left_.set(left[i], {number, number});
    right_.set(right[i], {number, number});
  }
}

bool FunctionDiff::have_types(std::span<const Value> left, std::span<const Value> right) const {
  return std::ranges::equal(left, right, [&](Value a, Value b) {
    return left_.function().type(a) == right_.function().type(b);
  });
}

bool FunctionDiff::diverge(std::string what, DiffPlace left, DiffPlace right) {
  found_.divergence = Divergence{std::move(what), std::move(left), std::move(right)};
  return false;
}

}  // namespace tw::inline v0::ir
