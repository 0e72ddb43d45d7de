// SPDX-License-Identifier: Apache-2.0
#include "runtime/element_copy.hpp"

#include <cstdint>
#include <cstring>

namespace tw::inline v0::runtime {
namespace {

/// A walk over one axis of both tensors, after those further out.
struct Walk {
  const Shape& extents;
  const Shape& to_strides;
  const Shape& from_strides;

  /// Calls `copy(to, from)` with the offsets of all elements, in row-major order.
  template <class Copy>
  void each(const Copy& copy, std::size_t axis = 0, std::int64_t to = 0,
            std::int64_t from = 0) const {
    if (axis == extents.size()) {
      copy(to, from);
      return;
    }
    for (std::int64_t i = 0; i < extents[axis]; ++i) {
      each(copy, axis + 1, to, from);
      to += to_strides[axis];
      from += from_strides[axis];
    }
  }
};

// A constant size makes the copy of an element one move.
template <std::size_t Bytes>
void copy_whole_bytes(const Walk& walk, std::byte* to, const std::byte* from) {
  constexpr auto bytes = static_cast<std::int64_t>(Bytes);
  walk.each([=](std::int64_t to_element, std::int64_t from_element) {
    std::memcpy(to + to_element * bytes, from + from_element * bytes, Bytes);
  });
}

}  // namespace

Layout in_bytes(const Layout& layout) noexcept {
  Layout bytes = layout;
  bytes.dtype = DType::uint8;
  for (std::int64_t& stride : bytes.strides) stride /= 2;
  const std::size_t last = bytes.extents.size() - 1;
  bytes.strides[last] = 1;
  bytes.extents[last] /= 2;
  return bytes;
}

void copy_elements(std::byte* to, const Layout& to_layout, const std::byte* from,
                   const Layout& from_layout) noexcept {
  if (to_layout.size() == 0) return;  // an empty tensor has no address
  if (shares_bytes(to_layout.dtype)) {
    copy_elements(to, in_bytes(to_layout), from, in_bytes(from_layout));
    return;
  }
  to += to_layout.offset;
  from += from_layout.offset;
  if (is_row_major(to_layout) && is_row_major(from_layout)) {
    std::memcpy(to, from,
                static_cast<std::size_t>(packed_bytes(to_layout.dtype, to_layout.size())));
    return;
  }
  const Walk walk{to_layout.extents, to_layout.strides, from_layout.strides};
  switch (info(element_kind(to_layout.dtype)).memory_bits) {
    case 8:
      return copy_whole_bytes<1>(walk, to, from);
    case 16:
      return copy_whole_bytes<2>(walk, to, from);
    case 32:
      return copy_whole_bytes<4>(walk, to, from);
    default:
      return copy_whole_bytes<8>(walk, to, from);
  }
}

}  // namespace tw::inline v0::runtime
