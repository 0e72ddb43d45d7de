// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/core/bulk_conversion.hpp>

#include "interp/preparation.hpp"

namespace tw::inline v0::interp {

/// Elements somewhere in the arena.
struct TypedSlot {
  Slot slot;
  DType type;
};

/// Appends the conversion of `count` elements to another type.
inline void add_conversion(Preparation& preparation, TypedSlot from, TypedSlot to,
                           std::size_t count, Rounding rounding = Rounding::nearest_even) {
  preparation.add([=](Frame& frame) {
    numeric::convert(frame.at<const std::byte>(from.slot), from.type, frame.at<std::byte>(to.slot),
                     to.type, count, rounding);
  });
}

}  // namespace tw::inline v0::interp
