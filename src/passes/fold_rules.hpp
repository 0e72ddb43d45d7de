// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <tilewright/ir/op.hpp>

namespace tw::inline v0::passes {

/// What folding remembers of a value's definition.
struct Definition {
  ir::Opcode code{};
  bool known = false;  ///< an op defined it
  bool splat = false;  ///< a constant whose elements all have `bits`
  std::uint64_t bits = 0;
  ir::Value operand{};  ///< the first operand of the op
};

/// What an op turned out to be.
struct Outcome {
  enum class Kind : std::uint8_t { op, value, splat };
  Kind kind = Kind::op;
  ir::Value value{};
  std::uint64_t bits = 0;
};
inline Outcome unchanged() { return {}; }
inline Outcome same_as(ir::Value value) { return {Outcome::Kind::value, value, 0}; }
inline Outcome splat_of(std::uint64_t bits) { return {Outcome::Kind::splat, {}, bits}; }

/// The values met so far, as the rules see them.
class Definitions {
 public:
  explicit Definitions(const ir::Function& function)
      : function_(function), definitions_(function.types.size()) {}

  void note(const ir::Op& op);
  [[nodiscard]] const Definition& operator[](ir::Value value) const {
    return definitions_[value.index];
  }
  /// The bits of every element, if they are the same constant.
  [[nodiscard]] std::optional<std::uint64_t> splat(ir::Value value) const {
    const Definition& definition = (*this)[value];
    return definition.splat ? std::optional(definition.bits) : std::nullopt;
  }
  [[nodiscard]] const ir::Type& type(ir::Value value) const { return function_.type(value); }

 private:
  const ir::Function& function_;
  std::vector<Definition> definitions_;
};

/// The rules, by what they are about. Each may also bring the op into a simpler form. An op with
/// operands that are not yet folded is folded less.
Outcome fold_integer(ir::Op& op, const Definitions& definitions);
Outcome fold_float(ir::Op& op, const Definitions& definitions);
Outcome fold_shape(ir::Op& op, const Definitions& definitions);

}  // namespace tw::inline v0::passes
