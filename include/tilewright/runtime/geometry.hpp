// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <tilewright/core/dtype.hpp>
#include <tilewright/core/export.hpp>
#include <tilewright/dsl/specialisation.hpp>

namespace tw::inline v0::detail {

/// Where the elements of one tensor lie. Extents and strides are those of the first `rank` axes,
/// strides in elements.
struct TensorGeometry {
  std::byte* address = nullptr;
  std::int64_t extents[max_rank] = {};
  std::int64_t strides[max_rank] = {};
  DType dtype = DType::f32;
  std::int8_t rank = 0;
};

[[nodiscard]] inline std::uintptr_t address_of(const TensorGeometry& tensor) noexcept {
  return reinterpret_cast<std::uintptr_t>(tensor.address);
}

/// The bytes from the first element of a tensor up to the end of its last; none for an empty one.
struct ByteRange {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  [[nodiscard]] bool empty() const noexcept { return begin == end; }
  [[nodiscard]] bool overlaps(const ByteRange& other) const noexcept {
    return begin < other.end && other.begin < end;
  }
};

/// The bytes that a tensor of strides >= 0 spans.
[[nodiscard]] TILEWRIGHT_API ByteRange bytes_of(const TensorGeometry& tensor) noexcept;

/// The largest offset of an element from the first, in elements; -1 for an empty tensor.
[[nodiscard]] TILEWRIGHT_API std::int64_t last_offset(const TensorGeometry& tensor) noexcept;

/// Whether some extent, stride or offset, counted in elements, may need more than 32 bits, tiles
/// that reach beyond the end included.
[[nodiscard]] TILEWRIGHT_API bool needs_wide_index(const TensorGeometry& tensor) noexcept;

/// Whether no two indices are proved to name the same element. Strides must be >= 0. Tensors whose
/// axes interleave, such as extents 2, 3 with strides 3, 2, are injective without being proved so.
[[nodiscard]] TILEWRIGHT_API bool proved_injective(const TensorGeometry& tensor) noexcept;

/// Whether two tensors of one allocation that begins at `origin`, both with strides >= 0, are
/// proved to have no element in common: because their byte ranges are apart, or because they are
/// disjoint boxes of one larger tensor, such as the left and the right half of a matrix.
[[nodiscard]] TILEWRIGHT_API bool proved_disjoint(const TensorGeometry& a, const TensorGeometry& b,
                                                  const std::byte* origin) noexcept;

}  // namespace tw::inline v0::detail
