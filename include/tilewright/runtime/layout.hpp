// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <tilewright/core/dtype.hpp>
#include <tilewright/core/export.hpp>
#include <tilewright/core/location.hpp>
#include <tilewright/core/shape.hpp>

namespace tw::inline v0::runtime {

/// Where the elements of a tensor lie in its storage. Extents and strides are never negative, and
/// every element lies inside the storage.
///
/// Two elements of four bits share a byte, which belongs to one part of a tensor only: such a
/// tensor has a last axis of even extent and stride one, and other strides are even. All functions
/// below throw LaunchError where their result would break that rule.
struct Layout {
  DType dtype = DType::f32;
  Shape extents;
  Shape strides;            ///< in elements
  std::int64_t offset = 0;  ///< of the first element, in bytes

  [[nodiscard]] int rank() const noexcept { return static_cast<int>(extents.size()); }
  /// The number of elements.
  [[nodiscard]] std::int64_t size() const noexcept { return product(extents); }

  friend bool operator==(const Layout&, const Layout&) = default;
};

/// Elements in row-major order without gaps. Throws LaunchError when an extent is negative or the
/// size in bytes does not fit in 64 bits.
[[nodiscard]] TILEWRIGHT_API Layout row_major(DType dtype, Shape extents, Location where);

/// Any extents and strides, from the start of a storage. Throws LaunchError when one is negative,
/// when their numbers differ, or when the last element's offset does not fit in 64 bits.
[[nodiscard]] TILEWRIGHT_API Layout strided(DType dtype, Shape extents, Shape strides,
                                            Location where);

/// The bytes that `elements` elements in a row take; four-bit elements share bytes.
[[nodiscard]] TILEWRIGHT_API std::int64_t packed_bytes(DType dtype, std::int64_t elements) noexcept;

/// The bytes from the start of the storage to the end of the last element.
[[nodiscard]] TILEWRIGHT_API std::int64_t end_in_bytes(const Layout& layout) noexcept;

/// Whether the elements lie in row-major order without gaps; strides of unit axes do not matter.
[[nodiscard]] TILEWRIGHT_API bool is_row_major(const Layout& layout) noexcept;

/// `axis` as an index. Throws LaunchError unless it is below `rank`.
[[nodiscard]] TILEWRIGHT_API std::size_t checked_axis(int axis, int rank, Location where);

/// Axis `a` of the result is axis `axes[a]`. Throws LaunchError unless `axes` is a permutation.
[[nodiscard]] TILEWRIGHT_API Layout permuted(const Layout& layout, std::span<const int> axes,
                                             Location where);

/// The last two axes exchanged; the rank is at least two.
[[nodiscard]] TILEWRIGHT_API Layout transposed(const Layout& layout, Location where);

/// The same elements in the same order under other extents. Throws LaunchError when the sizes
/// differ or the elements are not in row-major order without gaps.
[[nodiscard]] TILEWRIGHT_API Layout reshaped(const Layout& layout, Shape extents, Location where);

/// `count` indices of `axis`, from `start`. Throws LaunchError when they are not all inside.
[[nodiscard]] TILEWRIGHT_API Layout sliced(const Layout& layout, int axis, std::int64_t start,
                                           std::int64_t count, Location where);

/// The first `count` indices of `axis`, and the others. Throws as `sliced`.
[[nodiscard]] TILEWRIGHT_API std::pair<Layout, Layout> split(const Layout& layout, int axis,
                                                             std::int64_t count, Location where);

/// Axes of extent one repeated, and new axes in front, both with stride zero. Throws LaunchError
/// when another extent would change.
[[nodiscard]] TILEWRIGHT_API Layout expanded(const Layout& layout, Shape extents, Location where);

}  // namespace tw::inline v0::runtime
