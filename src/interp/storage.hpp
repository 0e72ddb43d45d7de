// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <tilewright/core/dtype.hpp>

namespace tw::inline v0::interp {

static_assert(std::endian::native == std::endian::little,
              "arenas and constants share the byte order of the wire format");

/// The unsigned integer as wide as an element type.
template <class Element>
using BitsOf = std::conditional_t<
    sizeof(Element) == 1, std::uint8_t,
    std::conditional_t<sizeof(Element) == 2, std::uint16_t,
                       std::conditional_t<sizeof(Element) == 4, std::uint32_t, std::uint64_t>>>;

/// Calls `use.operator()<Bits>()` with the unsigned integer that is as wide as the element.
template <class Use>
decltype(auto) with_bits(std::size_t element_bytes, Use&& use) {
  switch (element_bytes) {
    case 1:
      return use.template operator()<std::uint8_t>();
    case 2:
      return use.template operator()<std::uint16_t>();
    case 4:
      return use.template operator()<std::uint32_t>();
    default:
      return use.template operator()<std::uint64_t>();
  }
}

/// The bits of an element in the arena, from its pattern: tf32 has the layout of an f32.
constexpr std::uint64_t to_storage(std::uint64_t pattern, ElementKind kind) {
  return pattern << info(kind).format.memory_shift;
}
constexpr std::uint64_t to_pattern(std::uint64_t storage, ElementKind kind) {
  return storage >> info(kind).format.memory_shift;
}

/// The first element at `memory`, zero-extended.
inline std::uint64_t read_bits(const std::byte* memory, std::size_t element_bytes) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, memory, element_bytes);
  return bits;
}

inline void fill(std::byte* to, std::uint64_t bits, std::size_t element_bytes, std::size_t count) {
  with_bits(element_bytes, [&]<class Bits>() {
    auto* element = reinterpret_cast<Bits*>(to);
    for (std::size_t k = 0; k < count; ++k) element[k] = static_cast<Bits>(bits);
  });
}

}  // namespace tw::inline v0::interp
