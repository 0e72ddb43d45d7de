// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <tilewright/passes/launch_predicate.hpp>

#include "passes/integer.hpp"

namespace tw::inline v0::passes {
namespace {

constexpr std::uint32_t absent = ~std::uint32_t{0};

/// Marks what `root` reads, in a program whose steps read earlier ones only.
std::vector<bool> reached_from(std::span<const RangeNode> steps, std::uint32_t root) {
  std::vector<bool> reached(root + 1);
  reached[root] = true;
  for (std::uint32_t id = root + 1; id-- > 0;) {
    if (!reached[id]) continue;
    const RangeNode& node = steps[id];
    const int operands = operand_count(node.code);
    if (operands > 0) reached[node.a] = true;
    if (operands > 1) reached[node.b] = true;
    if (operands > 2) reached[node.c] = true;
  }
  return reached;
}

Range launch_argument(const RangeNode& node, std::span<const std::int64_t> arguments) {
  const auto index = static_cast<std::size_t>(node.low);
  if (index >= arguments.size()) return full_range(node.width);
  return exact_range(as_signed(static_cast<std::uint64_t>(arguments[index]), node.width));
}

}  // namespace

bool LaunchPredicate::require(std::span<const RangeNode> steps, std::uint32_t root) {
  const std::vector<bool> reached = reached_from(steps, root);
  std::vector<std::uint32_t> renamed(reached.size(), absent);
  const std::size_t before = steps_.size();
  for (std::uint32_t id = 0; id < reached.size(); ++id) {
    if (!reached[id]) continue;
    RangeNode node = steps[id];
    const int operands = operand_count(node.code);
    node.a = operands > 0 ? renamed[node.a] : 0;
    node.b = operands > 1 ? renamed[node.b] : 0;
    node.c = operands > 2 ? renamed[node.c] : 0;
    const auto known = std::find(steps_.begin(), steps_.end(), node);
    renamed[id] = static_cast<std::uint32_t>(known - steps_.begin());
    if (known == steps_.end()) steps_.push_back(node);
  }
  if (steps_.size() > max_steps) {
    steps_.resize(before);
    return false;
  }
  roots_.push_back(renamed[root]);
  return true;
}

std::size_t LaunchPredicate::first_failure(
    std::span<const std::int64_t> arguments,
    const std::array<std::int64_t, 3>& blocks) const noexcept {
  std::array<Range, max_steps> values;
  const Range* const at = values.data();
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const RangeNode& node = steps_[i];
    switch (node.code) {
      case RangeCode::argument:
        values[i] = launch_argument(node, arguments);
        break;
      case RangeCode::block_count:
        values[i] = exact_range(blocks[static_cast<std::size_t>(node.low)]);
        break;
      default:
        values[i] = step(node, at[node.a], at[node.b], at[node.c]);
    }
  }
  for (std::size_t claim = 0; claim < roots_.size(); ++claim) {
    // An empty loop proves nothing: its accesses may be moved out of it.
    if (!at[roots_[claim]].is(1)) return claim;
  }
  return all_hold;
}

}  // namespace tw::inline v0::passes
