// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include <tilewright/core/shape.hpp>

namespace tw::inline v0::interp {

/// The strides of a tile that lies row by row.
Shape row_major_strides(const Shape& extents);

/// Copies a block of elements from one arrangement to another.
class StridedCopy {
 public:
  /// Strides in elements; a source stride of zero repeats.
  StridedCopy(std::size_t element_bytes, const Shape& extents, const Shape& to_strides,
              const Shape& from_strides);

  void run(std::byte* to, const std::byte* from) const;

 private:
  struct Axis {
    std::ptrdiff_t extent;
    std::ptrdiff_t to;    ///< stride in bytes
    std::ptrdiff_t from;  ///< stride in bytes
  };
  using Row = void (*)(std::byte* to, const std::byte* from, const Axis& axis);

  void run_axis(std::byte* to, const std::byte* from, std::size_t axis) const;

  std::vector<Axis> axes_;  ///< outermost first, none of extent one
  Row row_;                 ///< for the last axis
};

}  // namespace tw::inline v0::interp
