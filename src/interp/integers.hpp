// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <type_traits>

#include <tilewright/core/dtype.hpp>
#include <tilewright/core/error.hpp>

#include "interp/isa.hpp"

namespace tw::inline v0::interp {

/// Integers of `Width` bits as they lie in an arena: unsigned, the bits above the width zero.
template <unsigned Width, class Bits>
struct Integer {
  using Storage = Bits;
  using Signed = std::make_signed_t<Bits>;
  /// What arithmetic is done in: unsigned, so that nothing overflows, and not promoted to `int`.
  using Work = std::conditional_t<sizeof(Bits) == 8, std::uint64_t, std::uint32_t>;
  static constexpr unsigned width = Width;

  /// The result of an operation, modulo 2^Width.
  TILEWRIGHT_INLINE static Storage wrap(Work value) {
    if constexpr (Width == 8 * sizeof(Bits)) {
      return static_cast<Storage>(value);
    } else {
      return static_cast<Storage>(value & ((Work{1} << Width) - 1));
    }
  }
  TILEWRIGHT_INLINE static Signed to_signed(Storage value) {
    constexpr unsigned unused = 8 * sizeof(Bits) - Width;
    return static_cast<Signed>(static_cast<Signed>(value << unused) >> unused);
  }
};

using I1 = Integer<1, std::uint8_t>;
using I4 = Integer<4, std::uint8_t>;
using I8 = Integer<8, std::uint8_t>;
using I16 = Integer<16, std::uint16_t>;
using I32 = Integer<32, std::uint32_t>;
using I64 = Integer<64, std::uint64_t>;

/// Calls `use.operator()<I>()` with the description of an integer kind that has arithmetic.
template <class Use>
decltype(auto) with_integer(ElementKind kind, Use&& use) {
  switch (kind) {
    case ElementKind::i1:
      return use.template operator()<I1>();
    case ElementKind::i8:
      return use.template operator()<I8>();
    case ElementKind::i16:
      return use.template operator()<I16>();
    case ElementKind::i32:
      return use.template operator()<I32>();
    case ElementKind::i64:
      return use.template operator()<I64>();
    default:
      throw BugError("an integer op on other elements", Location::current());
  }
}

/// The same with i4, which has conversions only.
template <class Use>
decltype(auto) with_any_integer(ElementKind kind, Use&& use) {
  if (kind == ElementKind::i4) return use.template operator()<I4>();
  return with_integer(kind, use);
}

}  // namespace tw::inline v0::interp
