// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "interp/preparation.hpp"

namespace tw::inline v0::interp {

/// A tile seen from the axis that is combined: all tiles of an op have the same.
struct CombinedAxis {
  std::size_t outer;
  std::size_t length;
  std::size_t inner;

  CombinedAxis(const Shape& shape, std::size_t axis)
      : outer(static_cast<std::size_t>(product(Shape(shape.begin(), shape.begin() + axis)))),
        length(static_cast<std::size_t>(shape[axis])),
        inner(static_cast<std::size_t>(product(Shape(shape.begin() + axis + 1, shape.end())))) {}

  [[nodiscard]] std::size_t lanes() const { return outer * inner; }
};

/// The bits in the arena of the identity of one operand of a reduction or scan.
std::uint64_t identity_bits(const ir::Op& op, std::size_t operand);

/// Appends the step of a reduction of one operand.
using AddReduction = void (*)(Preparation& preparation, const ir::Op& op, const CombinedAxis& axis);

/// The tight loop for a body that only applies a well-known combiner to its two arguments; null for
/// any other body.
AddReduction known_reduction(const ir::Block& body);

}  // namespace tw::inline v0::interp
