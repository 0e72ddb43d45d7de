// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "bytecode/format.hpp"

namespace tw::inline v0::bytecode {

/// How an op lies on the wire, as it follows from its row of the op table.
struct WireForm {
  /// Something optional, whose presence is a bit of the op's flags.
  struct Flag {
    bool is_operand;     ///< an operand group, or else an attribute
    std::uint8_t index;  ///< in the row's list
    Version since;
  };
  enum class Operands : std::uint8_t {
    fixed,      ///< one after another
    counted,    ///< their total number first
    segmented,  ///< group by group, a variadic one behind its length
  };

  static constexpr std::size_t max_flags = 8;

  bool counts_results = false;
  Operands operands = Operands::fixed;
  std::uint8_t flag_count = 0;
  std::array<Flag, max_flags> flags{};  ///< bit by bit

  /// The flags that files of a version know. The op has no field for flags if there are none.
  [[nodiscard]] std::span<const Flag> flags_in(Version version) const {
    std::size_t count = 0;
    while (count < flag_count && flags[count].since <= version) ++count;
    return std::span(flags).first(count);
  }
};

const WireForm& wire_form(const ir::OpRow& row);

}  // namespace tw::inline v0::bytecode
