// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include <tilewright/ir/diff.hpp>

#include "ir/diff/side.hpp"

namespace tw::inline v0::ir {

/// Whether an op may stand wherever its operands are defined: it has no effects, nor have its
/// blocks, and it is no loop or branch.
bool is_movable(const Op& op);
/// How many of an op's first operands may change places; 0 or at least 2.
std::size_t commuting_operands(const Op& op);

/// Numbers the values of both sides, so that equal numbers mean equal values.
class Numbering {
 public:
  explicit Numbering(const DiffOptions& options) : options_(options) {}

  /// A number that nothing else has.
  std::uint32_t fresh() { return ++last_; }
  /// Numbers what a movable op in this block computes, and adds the op to those of its side.
  void number(DiffSide& side, const Op& op, std::uint32_t block);
  /// Numbers those movable ops of a block that have no number yet but whose operands have.
  void number_rest(DiffSide& side, const Block& block);

 private:
  struct Contents {
    std::string exact;
    std::string relaxed;

    void add(const Numbers& numbers);
    void add(const std::string& both);
  };

  Contents contents(DiffSide& side, const Op& op);
  std::string promises(const DiffSide& side, const Op& op) const;
  void add_region(Contents& contents, DiffSide& side, const Block& block);
  Numbers of(const Contents& contents);
  std::uint32_t of(const std::string& content);

  DiffOptions options_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::uint32_t last_ = 0;
};

}  // namespace tw::inline v0::ir
