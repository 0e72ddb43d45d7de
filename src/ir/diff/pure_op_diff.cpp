// SPDX-License-Identifier: Apache-2.0
#include "ir/diff/pure_op_diff.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/diff/explanation.hpp"
#include "ir/diff/numbering.hpp"

namespace tw::inline v0::ir {
namespace {

using PureOps = std::vector<const PureOp*>;

/// The ops of both sides that compute one value.
struct Peers {
  PureOps left;
  PureOps right;
};

std::set<std::uint32_t> blocks(const PureOps& ops) {
  std::set<std::uint32_t> found;
  for (const PureOp* each : ops) found.insert(each->block);
  return found;
}

PureOps sorted(PureOps ops, auto order) {
  std::ranges::sort(ops, {}, order);
  return ops;
}

/// What is promised of a value before the last promise counts as part of that.
std::unordered_set<const Op*> inner_promises(const DiffSide& side) {
  std::unordered_set<const Op*> inner;
  for (const PureOp& each : side.pure_ops) {
    if (each.op->code == Opcode::assume) {
      inner.insert(side.definition(each.op->operands.front()));
    }
  }
  return inner;
}

class PureOpDiff {
 public:
  PureOpDiff(const DiffSide& left, const DiffSide& right, const DiffOptions& options, Diff& found)
      : left_(left), right_(right), options_(options), found_(found) {
    collect(left, &Peers::left);
    collect(right, &Peers::right);
  }

  void run() {
    for (const std::uint32_t number : order_) {
      const Peers& peers = peers_.at(number);
      if (!peers.left.empty() && !peers.right.empty() && !compare(peers)) return;
    }
    compare_left_over();
  }

 private:
  void collect(const DiffSide& side, PureOps Peers::* member) {
    for (const PureOp& each : side.pure_ops) {
      const auto [peers, is_new] = peers_.try_emplace(each.numbers.relaxed);
      if (is_new) order_.push_back(each.numbers.relaxed);
      (peers->second.*member).push_back(&each);
    }
  }

  bool compare(const Peers& peers) {
    const Op& op = *peers.left.front()->op;
    if (peers.left.size() != peers.right.size()) {
      note(op.code == Opcode::constant ? HarmlessKind::shared_constant : HarmlessKind::shared_value,
           peers);
    }
    if (!compare_blocks(peers)) return false;
    compare_exactly(peers);
    return true;
  }

  /// Where nothing is divided, dividing by zero cannot happen.
  bool compare_blocks(const Peers& peers) {
    const Op& op = *peers.left.front()->op;
    const bool is_division = op.code == Opcode::divi || op.code == Opcode::remi;
    if (is_division && blocks(peers.left) != blocks(peers.right)) {
      found_.divergence = Divergence{"block of a division", left_.place(op),
                                     right_.place(*peers.right.front()->op)};
      return false;
    }
    if (peers.left.size() != peers.right.size()) return true;
    const PureOps left = sorted(peers.left, &PureOp::block);
    const PureOps right = sorted(peers.right, &PureOp::block);
    const bool same = std::ranges::equal(left, right, {}, &PureOp::block, &PureOp::block);
    if (!same) note(HarmlessKind::moved_op, peers);
    return true;
  }

  void compare_exactly(const Peers& peers) {
    const auto exact = [](const PureOp* each) { return each->numbers.exact; };
    const PureOps left = sorted(peers.left, exact);
    const PureOps right = sorted(peers.right, exact);
    for (std::size_t i = 0; i < std::min(left.size(), right.size()); ++i) {
      if (exact(left[i]) != exact(right[i])) compare_order(*left[i]->op, *right[i]->op);
    }
  }

  /// Of two ops that are alike but not exactly: whether it is their own operands that have another
  /// order, and not those of what they use.
  void compare_order(const Op& left, const Op& right) {
    if (left.code == Opcode::assume) {
      if (!are_alike(left_, left, right_, right, options_)) {
        note(HarmlessKind::assume_order, left, right);
      }
      return;
    }
    for (std::size_t i = 0; i < commuting_operands(left); ++i) {
      if (left_.numbers(left.operands[i]).relaxed == right_.numbers(right.operands[i]).relaxed)
        continue;
      return note(HarmlessKind::commuted_operands, left, right);
    }
  }

  /// One op for each value that only one side computes.
  PureOps left_over(const DiffSide& side, PureOps Peers::* own, PureOps Peers::* others) const {
    const auto inner = inner_promises(side);
    PureOps found;
    for (const std::uint32_t number : order_) {
      const Peers& peers = peers_.at(number);
      if (!(peers.*others).empty() || inner.contains((peers.*own).front()->op)) continue;
      found.push_back((peers.*own).front());
    }
    return found;
  }

  /// What only one side has does not matter, as nothing uses it; where both have something, it may
  /// be meant to be the same.
  void compare_left_over() {
    const PureOps left = left_over(left_, &Peers::left, &Peers::right);
    const PureOps right = left_over(right_, &Peers::right, &Peers::left);
    if (!left.empty() && !right.empty()) {
      const Op& op = *left.front()->op;
      const auto code = [](const PureOp* each) { return each->op->code; };
      const auto same = std::ranges::find(right, op.code, code);
      const Op& partner = *(same == right.end() ? right.front() : *same)->op;
      const BlockPair bodies{&left_.function().body, &right_.function().body};
      found_.divergence = explain(left_, op, right_, partner, std::span(&bodies, 1), options_);
      return;
    }
    for (const PureOp* each : left) {
      found_.harmless.push_back({HarmlessKind::unused_op, left_.place(*each->op), {}});
    }
    for (const PureOp* each : right) {
      found_.harmless.push_back({HarmlessKind::unused_op, {}, right_.place(*each->op)});
    }
  }

  void note(HarmlessKind kind, const Peers& peers) {
    note(kind, *peers.left.front()->op, *peers.right.front()->op);
  }
  void note(HarmlessKind kind, const Op& left, const Op& right) {
    found_.harmless.push_back({kind, left_.place(left), right_.place(right)});
  }

  const DiffSide& left_;
  const DiffSide& right_;
  const DiffOptions& options_;
  Diff& found_;
  std::unordered_map<std::uint32_t, Peers> peers_;  ///< by their number
  std::vector<std::uint32_t> order_;                ///< in which the numbers were met
};

}  // namespace

void compare_pure_ops(const DiffSide& left, const DiffSide& right, const DiffOptions& options,
                      Diff& found) {
  PureOpDiff(left, right, options, found).run();
}

}  // namespace tw::inline v0::ir
