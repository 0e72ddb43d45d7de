// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <tilewright/ir/diff.hpp>

#include "ir/diff/explanation.hpp"
#include "ir/diff/numbering.hpp"
#include "ir/diff/side.hpp"

namespace tw::inline v0::ir {

/// Compares two functions: numbers both side by side, ops without effects by what they compute, and
/// those that keep their order once they have been found alike.
class FunctionDiff {
 public:
  FunctionDiff(const Module& left_module, const Function& left, const Module& right_module,
               const Function& right, const DiffOptions& options, Diff& found)
      : left_(left_module, left),
        right_(right_module, right),
        options_(options),
        found_(found),
        numbering_(options) {}

  /// Adds what differs, up to the first divergence.
  void run();

 private:
  [[nodiscard]] bool are_heads_alike();
  bool compare(const Block& left, const Block& right);
  bool compare_ops(const Block& left, const Block& right);
  const Op* next_fixed(DiffSide& side, const Block& block, std::size_t& index,
                       std::uint32_t number);
  bool compare_fixed(const Op& left, const Op& right);
  bool compare_regions(const Op& left, const Op& right);
  bool is_empty_else(const Op& left, const Op& right, std::size_t region);
  void share(std::span<const Value> left, std::span<const Value> right);
  [[nodiscard]] bool have_types(std::span<const Value> left, std::span<const Value> right) const;
  bool diverge(std::string what, DiffPlace left, DiffPlace right);

  DiffSide left_;
  DiffSide right_;
  const DiffOptions& options_;
  Diff& found_;
  Numbering numbering_;
  std::vector<BlockPair> open_;  ///< the blocks around what is compared
};

}  // namespace tw::inline v0::ir
