// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tilewright/core/error.hpp>
#include <tilewright/core/export.hpp>
#include <tilewright/ir/op.hpp>

namespace tw::inline v0::ir {

/// What modules that mean the same may differ in.
enum class HarmlessKind : std::uint8_t {
  commuted_operands,  ///< of an op to which their order is the same
  assume_order,       ///< promises about one value, in another order
  shared_constant,    ///< one side has an equal constant more often
  shared_value,       ///< one side computes a value more often
  unused_op,          ///< one side has an op without effects that nothing uses
  moved_op,           ///< an op without effects stands in another block
  empty_else,         ///< a branch that does nothing is there or left out
};

/// "commuted operands".
[[nodiscard]] TILEWRIGHT_API std::string_view to_string(HarmlessKind kind);

/// An op, function or global of one of two modules.
struct DiffPlace {
  /// `@k/4:for/0:addf`: the position and name of every op on the way, from the function on;
  /// `7:if.1` stands for the second block of an op. Empty for what a side lacks.
  std::string path;
  CodePlace source;  ///< line 0 if the module does not tell
  std::string text;  ///< its line as `print` gives it
};

struct HarmlessDifference {
  HarmlessKind kind;
  DiffPlace left;
  DiffPlace right;
};

/// The first op at which two modules part.
struct Divergence {
  std::string what;  ///< "attribute rounding_mode", "operand lhs", "type of result 0", ...
  DiffPlace left;
  DiffPlace right;
};

enum class Likeness : std::uint8_t {
  identical,   ///< but for names and numbers
  equivalent,  ///< but for what is harmless
  different,
};

struct Diff {
  std::vector<HarmlessDifference> harmless;
  std::optional<Divergence> divergence = std::nullopt;

  [[nodiscard]] Likeness likeness() const {
    if (divergence) return Likeness::different;
    return harmless.empty() ? Likeness::identical : Likeness::equivalent;
  }
};

struct DiffOptions {
  bool ignore_places = false;  ///< of the source
  bool ignore_hints = false;
};

/// Compares two modules as graphs, in time about proportional to their size.
///
/// Ops with effects, loops and branches keep their order; ops without effects may stand in any
/// order that defines values before their uses. Names and numbers of values, the order of functions
/// and of globals, the module's name and its producer do not count. The functions of two modules
/// with one each are compared whatever they are called. The modules must match the op table; of
/// those that the verifier refuses, the answer may be `different` though they are alike.
[[nodiscard]] TILEWRIGHT_API Diff diff(const Module& left, const Module& right,
                                       const DiffOptions& options = {});

}  // namespace tw::inline v0::ir
