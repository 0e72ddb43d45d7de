// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>

#include <tilewright/core/dtype.hpp>

#include "interp/storage.hpp"

// How elements of each kind are read from memory and written to it. An accessor names an element by
// the address of a first one and a number of elements. What is ordered in any way is as strong as
// the strongest order: on the machines at hand that costs little.

namespace tw::inline v0::interp {

template <class Bits>
Bits* element_at(std::uint64_t base, std::int64_t index) {
  return reinterpret_cast<Bits*>(base + static_cast<std::uint64_t>(index) * sizeof(Bits));
}

template <class Bits>
struct PlainAccess {
  using Storage = Bits;
  static constexpr bool is_plain_copy = true;

  static Bits load(std::uint64_t base, std::int64_t index) {
    Bits value;
    std::memcpy(&value, element_at<Bits>(base, index), sizeof(Bits));
    return value;
  }
  static void store(std::uint64_t base, std::int64_t index, Bits value) {
    std::memcpy(element_at<Bits>(base, index), &value, sizeof(Bits));
  }
};

template <class Bits>
struct OrderedAccess {
  using Storage = Bits;
  static constexpr bool is_plain_copy = false;

  static Bits load(std::uint64_t base, std::int64_t index) {
    return __atomic_load_n(element_at<Bits>(base, index), __ATOMIC_ACQUIRE);
  }
  static void store(std::uint64_t base, std::int64_t index, Bits value) {
    __atomic_store_n(element_at<Bits>(base, index), value, __ATOMIC_RELEASE);
  }
};

/// i1: a byte of memory, of which any value but zero is true.
template <class Bytes>
struct TruthAccess : Bytes {
  static constexpr bool is_plain_copy = false;

  static std::uint8_t load(std::uint64_t base, std::int64_t index) {
    return Bytes::load(base, index) != 0;
  }
};

/// f4e2m1: half a byte of memory, the low half for even elements.
struct NibbleAccess {
  using Storage = std::uint8_t;
  static constexpr bool is_plain_copy = false;

  static std::uint8_t load(std::uint64_t base, std::int64_t index) {
    const std::uint8_t pair = *element_at<std::uint8_t>(base, index >> 1);
    return (index & 1) != 0 ? pair >> 4 : pair & 15;
  }
  static void store(std::uint64_t base, std::int64_t index, std::uint8_t value) {
    std::uint8_t& pair = *element_at<std::uint8_t>(base, index >> 1);
    const bool odd = (index & 1) != 0;
    pair = static_cast<std::uint8_t>(odd ? (pair & 0x0f) | value << 4 : (pair & 0xf0) | value);
  }
};

/// Calls `use.operator()<Accessor>()` for elements of a kind.
template <class Use>
decltype(auto) with_access(ElementKind kind, bool ordered, Use&& use) {
  if (info(kind).memory_bits == 4) return use.template operator()<NibbleAccess>();
  if (kind == ElementKind::i1) {
    return ordered ? use.template operator()<TruthAccess<OrderedAccess<std::uint8_t>>>()
                   : use.template operator()<TruthAccess<PlainAccess<std::uint8_t>>>();
  }
  return with_bits(info(kind).storage_bytes(), [&]<class Bits>() -> decltype(auto) {
    return ordered ? use.template operator()<OrderedAccess<Bits>>()
                   : use.template operator()<PlainAccess<Bits>>();
  });
}

}  // namespace tw::inline v0::interp
