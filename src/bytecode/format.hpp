// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <tilewright/ir/op_table.hpp>

namespace tw::inline v0::bytecode {

using ir::Version;

inline constexpr Version v13_1{13, 1};
inline constexpr Version v13_2{13, 2};
inline constexpr Version v13_3{13, 3};
inline constexpr Version v13_4{13, 4};
inline constexpr Version v13_5{13, 5};
inline constexpr std::array known_versions{v13_1, v13_2, v13_3, v13_4, v13_5};

inline constexpr std::array<std::uint8_t, 8> magic{0x7f, 'T', 'i', 'l', 'e', 'I', 'R', 0};
inline constexpr std::byte padding_byte{0xcb};

enum class SectionId : std::uint8_t {
  end,
  strings,
  functions,
  debug,
  constants,
  types,
  globals,
  producer,
};
inline constexpr std::size_t section_count = 8;
/// Set in a section's first byte when its payload is aligned.
inline constexpr std::uint8_t aligned_bit = 0x80;

/// What a section's payload is aligned to within the file, by id; 1 where no alignment is written.
inline constexpr std::array<std::uint8_t, section_count> section_alignment{1, 4, 8, 8, 8, 4, 1, 1};

/// An enumerator as files have it.
template <class Enum>
  requires std::is_enum_v<Enum>
constexpr std::uint64_t code(Enum enumerator) {
  return static_cast<std::uint64_t>(enumerator);
}

/// First bytes of composite types; those of element types are in their table.
enum class TypeTag : std::uint8_t {
  pointer = 12,
  tile = 13,
  tensor_view = 14,
  partition_view = 15,
  function = 16,
  token = 17,
  gather_scatter_view = 20,
  strided_view = 21,
};

/// First bytes of attributes whose kind the op table does not tell.
enum class AttributeTag : std::uint8_t {
  integer = 1,
  real = 2,
  boolean = 3,
  type = 4,
  string = 5,
  array = 6,
  dense_elements = 7,
  div_by = 8,
  same_elements = 9,
  dictionary = 10,
  hints = 11,
  bounded = 12,
};

/// First bytes of the entries of the debug section.
enum class DebugTag : std::uint8_t {
  unknown,
  compile_unit,
  file,
  lexical_block,
  location,
  subprogram,
  call_site,
};

/// The bits of a function's flags.
namespace function_flag {
inline constexpr std::uint8_t is_private = 1;
inline constexpr std::uint8_t is_entry = 2;
/// Before 13.5; from then on every entry has hints.
inline constexpr std::uint8_t has_hints = 4;
}  // namespace function_flag

}  // namespace tw::inline v0::bytecode
