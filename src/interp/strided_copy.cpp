// SPDX-License-Identifier: Apache-2.0
#include "interp/strided_copy.hpp"

#include <cstring>

#include "interp/storage.hpp"

namespace tw::inline v0::interp {

Shape row_major_strides(const Shape& extents) {
  Shape strides = Shape::filled(extents.size(), 1);
  for (std::size_t axis = extents.size(); axis-- > 1;) {
    strides[axis - 1] = strides[axis] * extents[axis];
  }
  return strides;
}

StridedCopy::StridedCopy(std::size_t element_bytes, const Shape& extents, const Shape& to_strides,
                         const Shape& from_strides) {
  const auto size = static_cast<std::ptrdiff_t>(element_bytes);
  for (std::size_t k = 0; k < extents.size(); ++k) {
    if (extents[k] == 1) continue;
    const Axis axis{extents[k], to_strides[k] * size, from_strides[k] * size};
    const bool continues = !axes_.empty() && axes_.back().to == axis.to * axis.extent &&
                           axes_.back().from == axis.from * axis.extent;
    if (continues) {
      axes_.back() = {axes_.back().extent * axis.extent, axis.to, axis.from};
    } else {
      axes_.push_back(axis);
    }
  }
  if (axes_.empty()) axes_.push_back({1, size, size});

  const Axis& last = axes_.back();
  row_ = with_bits(element_bytes, [&]<class Bits>() -> Row {
    if (last.to == size && last.from == size) {
      return [](std::byte* to, const std::byte* from, const Axis& axis) {
        std::memcpy(to, from, static_cast<std::size_t>(axis.extent) * sizeof(Bits));
      };
    }
    if (last.to == size && last.from == 0) {
      return [](std::byte* to, const std::byte* from, const Axis& axis) {
        fill(to, *reinterpret_cast<const Bits*>(from), sizeof(Bits),
             static_cast<std::size_t>(axis.extent));
      };
    }
    return [](std::byte* to, const std::byte* from, const Axis& axis) {
      for (std::ptrdiff_t k = 0; k < axis.extent; ++k) {
        *reinterpret_cast<Bits*>(to + k * axis.to) =
            *reinterpret_cast<const Bits*>(from + k * axis.from);
      }
    };
  });
}

void StridedCopy::run(std::byte* to, const std::byte* from) const { run_axis(to, from, 0); }

void StridedCopy::run_axis(std::byte* to, const std::byte* from, std::size_t index) const {
  const Axis& axis = axes_[index];
  if (index + 1 == axes_.size()) return row_(to, from, axis);
  for (std::ptrdiff_t k = 0; k < axis.extent; ++k) {
    run_axis(to + k * axis.to, from + k * axis.from, index + 1);
  }
}

}  // namespace tw::inline v0::interp
