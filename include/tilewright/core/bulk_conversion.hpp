// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <tilewright/core/dtype.hpp>
#include <tilewright/core/export.hpp>
#include <tilewright/core/float_conversion.hpp>
#include <tilewright/core/rounding.hpp>

namespace tw::inline v0::numeric {

/// Converts `count` elements, each in `storage_bytes` of its type, at any alignment; the two ranges
/// must not overlap.
///
/// Floats round once, also from 64-bit integers, to the very bits that `encode` gives. Floats
/// become integers by truncation, saturating, NaN giving zero. Integers become integers modulo
/// 2^width. `boolean` is an unsigned integer of one bit.
TILEWRIGHT_API void convert(const std::byte* from, DType from_type, std::byte* to, DType to_type,
                            std::size_t count, Rounding rounding = Rounding::nearest_even,
                            Overflow overflow = Overflow::device) noexcept;

}  // namespace tw::inline v0::numeric
