// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "interp/frame.hpp"

namespace tw::inline v0::interp {

/// A tensor view in the arena: base address, then the extents, then the strides in elements.
class TensorView {
 public:
  TensorView(const Frame& frame, Slot slot, std::size_t rank)
      : words_(frame.at<const std::uint64_t>(slot)), rank_(rank) {}

  [[nodiscard]] std::uint64_t base() const { return words_[0]; }
  [[nodiscard]] std::uint64_t extent(std::size_t axis) const { return words_[1 + axis]; }
  [[nodiscard]] std::int64_t stride(std::size_t axis) const {
    return static_cast<std::int64_t>(words_[1 + rank_ + axis]);
  }

 private:
  const std::uint64_t* words_;
  std::size_t rank_;
};

}  // namespace tw::inline v0::interp
