// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <tilewright/ir/op.hpp>

#include "bytecode/format.hpp"

namespace tw::inline v0::bytecode {

/// How an op lies in files of one version, as it follows from its row of the op table.
struct WireForm {
  enum class Operands : std::uint8_t {
    fixed,      ///< one after another
    counted,    ///< their total number first
    segmented,  ///< group by group, a variadic one behind its length
  };

  /// What decides whether an attribute or operand group is written, if it is not a bit of the
  /// flags.
  static constexpr std::int8_t always = -1;
  static constexpr std::int8_t never = -2;
  static constexpr std::size_t max_attributes = 8;

  const ir::OpRow* row = nullptr;
  Operands operands = Operands::fixed;
  bool counts_results = false;
  bool has_results = true;
  /// Whether an attribute that is not written may mean something.
  bool has_fallbacks = false;
  /// The number of flags; without any, the op has no field for them.
  std::uint8_t flags = 0;
  std::array<std::int8_t, max_attributes> attribute_bit{};    ///< by attribute
  std::array<std::int8_t, ir::Op::max_groups> operand_bit{};  ///< by operand group
};

/// The forms of all ops in files of one version.
class WireForms {
 public:
  static const WireForms& of(Version version);

  /// The form of an op that occurs in files, though maybe only in later ones; or nullptr.
  [[nodiscard]] const WireForm* find(std::uint64_t opcode) const {
    const bool assigned = opcode < by_code_.size() && by_code_[opcode].row != nullptr;
    return assigned ? &by_code_[opcode] : nullptr;
  }

 private:
  explicit WireForms(Version version);

  std::vector<WireForm> by_code_;
};

}  // namespace tw::inline v0::bytecode
