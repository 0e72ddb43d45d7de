// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <iterator>

#include <tilewright/core/bulk_conversion.hpp>

#include "core/float_rounding.hpp"

// The pairs that programs convert most have loops of their own. All others go through blocks of
// doubles, which hold every float exactly, or of 64-bit integers: one loop a type instead of one a
// pair.

namespace tw::inline v0::numeric {
namespace {

constexpr std::size_t block = 256;

template <class T>
T load(const std::byte* from, std::size_t i) {
  T value;
  std::memcpy(&value, from + i * sizeof(T), sizeof(T));
  return value;
}

template <class T>
void store(std::byte* to, std::size_t i, T value) {
  std::memcpy(to + i * sizeof(T), &value, sizeof(T));
}

// Loops of single pairs.

float widen_half(std::uint16_t bits) {
  const std::uint32_t magnitude = static_cast<std::uint32_t>(bits & 0x7fff) << 13;
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000) << 16;
  constexpr std::uint32_t smallest_normal = 0x38800000;  // 2^-14 as an f32
  std::uint32_t wide = magnitude + (112u << 23);
  if (magnitude >= 0x7c00u << 13) {
    wide = magnitude | 0x7f800000 | (magnitude > 0x7c00u << 13 ? 0x00400000 : 0);
  } else if (magnitude < 0x0400u << 13) {
    const auto shifted = std::bit_cast<float>(magnitude | smallest_normal);
    wide = std::bit_cast<std::uint32_t>(shifted - std::bit_cast<float>(smallest_normal));
  }
  return std::bit_cast<float>(wide | sign);
}

std::uint16_t narrow_to_half(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t magnitude = bits & 0x7fffffff;
  std::uint32_t narrow;
  if (magnitude < 0x38800000) {  // below 2^-14: next to 0.5 an f32 has the spacing of subnormals
    narrow = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) - 0x3f000000;
  } else if (magnitude > 0x7f800000) {
    narrow = 0x7e00 | (magnitude >> 13 & 0x03ff);
  } else {
    narrow = (magnitude - (112u << 23) + 0x0fff + (magnitude >> 13 & 1)) >> 13;
    narrow = std::min(narrow, std::uint32_t{0x7c00});
  }
  return static_cast<std::uint16_t>(narrow | (bits >> 16 & 0x8000));
}

float widen_bf16(std::uint16_t bits) {
  const std::uint32_t quiet = formats::bf16.is_nan(bits) ? 0x00400000 : 0;
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16 | quiet);
}

std::uint16_t narrow_to_bf16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if (value != value) return static_cast<std::uint16_t>(bits >> 16 | 0x0040);
  return static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

template <FloatFormat Format>
constexpr auto decoded = [] {
  std::array<double, std::size_t{1} << Format.bits> table{};
  for (std::size_t i = 0; i < table.size(); ++i) table[i] = decode_pattern(Format, i);
  return table;
}();

template <FloatFormat Format>
float widen_byte(std::uint8_t bits) {
  return static_cast<float>(decoded<Format>[bits]);
}

double widen_float(float value) { return static_cast<double>(value); }
float narrow_double(double value) { return static_cast<float>(value); }

template <class To, class From, To (*one)(From)>
void each(const std::byte* from, std::byte* to, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) store(to, i, one(load<From>(from, i)));
}

struct Pair {
  DType from;
  DType to;
  bool exact;  ///< so that the rounding does not matter; others round to nearest, ties to even
  void (*run)(const std::byte* from, std::byte* to, std::size_t count);
};

constexpr Pair pairs[] = {
    {DType::f16, DType::f32, true, each<float, std::uint16_t, widen_half>},
    {DType::bf16, DType::f32, true, each<float, std::uint16_t, widen_bf16>},
    {DType::f8e4m3, DType::f32, true, each<float, std::uint8_t, widen_byte<formats::f8e4m3>>},
    {DType::f8e5m2, DType::f32, true, each<float, std::uint8_t, widen_byte<formats::f8e5m2>>},
    {DType::f32, DType::f64, true, each<double, float, widen_float>},
    {DType::f32, DType::f16, false, each<std::uint16_t, float, narrow_to_half>},
    {DType::f32, DType::bf16, false, each<std::uint16_t, float, narrow_to_bf16>},
    {DType::f64, DType::f32, false, each<float, double, narrow_double>},
};

const Pair* find_pair(DType from, DType to, Rounding rounding) {
  const auto* found = std::find_if(std::begin(pairs), std::end(pairs), [&](const Pair& pair) {
    return pair.from == from && pair.to == to && (pair.exact || is_nearest_even(rounding));
  });
  return found == std::end(pairs) ? nullptr : found;
}

// Loops between one float type and doubles.

template <FloatFormat Format, std::unsigned_integral Bits>
double decode_one(Bits bits) {
  if constexpr (Format.bits <= 8) return decoded<Format>[bits & (decoded<Format>.size() - 1)];
  if constexpr (Format == formats::f16) return widen_float(widen_half(bits));
  if constexpr (Format == formats::bf16) return widen_float(widen_bf16(bits));
  if constexpr (Format == formats::tf32) return widen_float(std::bit_cast<float>(bits & ~0x1fffu));
  if constexpr (Format == formats::f32) return widen_float(std::bit_cast<float>(bits));
  if constexpr (Format == formats::f64) return std::bit_cast<double>(bits);
}

template <FloatFormat Format, std::unsigned_integral Bits>
void decode_block(const std::byte* from, double* to, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) to[i] = decode_one<Format>(load<Bits>(from, i));
}

template <FloatFormat Format, std::unsigned_integral Bits>
void encode_block(const double* from, std::byte* to, std::size_t count, Rounding rounding,
                  Overflow overflow) {
  const auto each_number = [&](auto encode_one) {
    for (std::size_t i = 0; i < count; ++i) {
      store(to, i, static_cast<Bits>(encode_one(from[i]) << Format.memory_shift));
    }
  };
  if (Format != formats::f64 && is_nearest_even(rounding)) {
    each_number([&](double value) { return encode_nearest(Format, value, overflow); });
  } else {
    each_number([&](double value) { return encode_double(Format, value, rounding, overflow); });
  }
}

struct FloatLoops {
  ElementKind kind;
  void (*decode)(const std::byte* from, double* to, std::size_t count);
  void (*encode)(const double* from, std::byte* to, std::size_t count, Rounding rounding,
                 Overflow overflow);
};

template <ElementKind Kind, std::unsigned_integral Bits>
constexpr FloatLoops float_loops{Kind, decode_block<info(Kind).format, Bits>,
                                 encode_block<info(Kind).format, Bits>};

constexpr FloatLoops all_float_loops[] = {
    float_loops<ElementKind::f16, std::uint16_t>,   float_loops<ElementKind::bf16, std::uint16_t>,
    float_loops<ElementKind::tf32, std::uint32_t>,  float_loops<ElementKind::f32, std::uint32_t>,
    float_loops<ElementKind::f64, std::uint64_t>,   float_loops<ElementKind::f8e4m3, std::uint8_t>,
    float_loops<ElementKind::f8e5m2, std::uint8_t>, float_loops<ElementKind::f8e8m0, std::uint8_t>,
    float_loops<ElementKind::f8e5m3, std::uint8_t>, float_loops<ElementKind::f4e2m1, std::uint8_t>,
};

const FloatLoops& float_loops_of(DType dtype) {
  return *std::find_if(std::begin(all_float_loops), std::end(all_float_loops),
                       [&](const FloatLoops& row) { return row.kind == element_kind(dtype); });
}

// Loops between one integer type and 64-bit integers, or doubles.

template <class Int>
void extend_block(const std::byte* from, std::int64_t* to, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<std::int64_t>(load<Int>(from, i));
}

template <class Int>
void wrap_block(const std::int64_t* from, std::byte* to, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if constexpr (std::same_as<Int, bool>) {
      store(to, i, (from[i] & 1) != 0);
    } else {
      store(to, i, static_cast<Int>(from[i]));
    }
  }
}

template <class Int>
void saturate_block(const double* from, std::byte* to, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) store(to, i, saturate_to<Int>(from[i]));
}

struct IntegerLoops {
  DType dtype;
  void (*extend)(const std::byte* from, std::int64_t* to, std::size_t count);
  void (*wrap)(const std::int64_t* from, std::byte* to, std::size_t count);
  void (*saturate)(const double* from, std::byte* to, std::size_t count);
};

template <class Int>
constexpr IntegerLoops integer_loops(DType dtype) {
  return {dtype, extend_block<Int>, wrap_block<Int>, saturate_block<Int>};
}

constexpr IntegerLoops all_integer_loops[] = {
    integer_loops<bool>(DType::boolean),         integer_loops<std::int8_t>(DType::int8),
    integer_loops<std::int16_t>(DType::int16),   integer_loops<std::int32_t>(DType::int32),
    integer_loops<std::int64_t>(DType::int64),   integer_loops<std::uint8_t>(DType::uint8),
    integer_loops<std::uint16_t>(DType::uint16), integer_loops<std::uint32_t>(DType::uint32),
    integer_loops<std::uint64_t>(DType::uint64),
};

const IntegerLoops& integer_loops_of(DType dtype) {
  return *std::find_if(std::begin(all_integer_loops), std::end(all_integer_loops),
                       [&](const IntegerLoops& row) { return row.dtype == dtype; });
}

/// Elements of one type in memory and the place for the same number of another type.
struct Run {
  const std::byte* from;
  DType from_type;
  std::byte* to;
  DType to_type;
  std::size_t count;
};

/// Calls `convert_block(from, to, n)` for consecutive parts of at most `block` elements.
template <class ConvertBlock>
void in_blocks(const Run& run, ConvertBlock convert_block) {
  for (std::size_t done = 0; done < run.count; done += block) {
    convert_block(run.from + done * storage_bytes(run.from_type),
                  run.to + done * storage_bytes(run.to_type), std::min(block, run.count - done));
  }
}

void floats_to_floats(const Run& run, Rounding rounding, Overflow overflow) {
  const auto decode = float_loops_of(run.from_type).decode;
  const auto encode = float_loops_of(run.to_type).encode;
  std::array<double, block> numbers;
  in_blocks(run, [&](const std::byte* from, std::byte* to, std::size_t n) {
    decode(from, numbers.data(), n);
    encode(numbers.data(), to, n, rounding, overflow);
  });
}

void floats_to_integers(const Run& run) {
  const auto decode = float_loops_of(run.from_type).decode;
  const auto saturate = integer_loops_of(run.to_type).saturate;
  std::array<double, block> numbers;
  in_blocks(run, [&](const std::byte* from, std::byte* to, std::size_t n) {
    decode(from, numbers.data(), n);
    saturate(numbers.data(), to, n);
  });
}

void integers_to_integers(const Run& run) {
  const auto extend = integer_loops_of(run.from_type).extend;
  const auto wrap = integer_loops_of(run.to_type).wrap;
  std::array<std::int64_t, block> numbers;
  in_blocks(run, [&](const std::byte* from, std::byte* to, std::size_t n) {
    extend(from, numbers.data(), n);
    wrap(numbers.data(), to, n);
  });
}

void narrow_integers_to_floats(const Run& run, Rounding rounding, Overflow overflow) {
  const auto extend = integer_loops_of(run.from_type).extend;
  const auto encode = float_loops_of(run.to_type).encode;
  std::array<std::int64_t, block> integers;
  std::array<double, block> numbers;
  in_blocks(run, [&](const std::byte* from, std::byte* to, std::size_t n) {
    extend(from, integers.data(), n);
    std::transform(integers.begin(), integers.begin() + n, numbers.begin(),
                   [](std::int64_t integer) { return static_cast<double>(integer); });
    encode(numbers.data(), to, n, rounding, overflow);
  });
}

// 64-bit integers need not be doubles: they are encoded one by one without becoming any.
void wide_integers_to_floats(const Run& run, Rounding rounding, Overflow overflow) {
  static_assert(std::endian::native == std::endian::little);
  const ElementKind kind = element_kind(run.to_type);
  const int shift = info(kind).format.memory_shift;
  const std::size_t size = storage_bytes(run.to_type);
  for (std::size_t i = 0; i < run.count; ++i) {
    const std::uint64_t pattern =
        info(run.from_type).is_signed
            ? encode_signed(load<std::int64_t>(run.from, i), kind, rounding, overflow)
            : encode_unsigned(load<std::uint64_t>(run.from, i), kind, rounding, overflow);
    const std::uint64_t bits = pattern << shift;
    std::memcpy(run.to + i * size, &bits, size);
  }
}

}  // namespace

void convert(const std::byte* from, DType from_type, std::byte* to, DType to_type,
             std::size_t count, Rounding rounding, Overflow overflow) noexcept {
  const Run run{from, from_type, to, to_type, count};
  if (count == 0) return;
  if (from_type == to_type) {
    std::memcpy(to, from, count * storage_bytes(to_type));
  } else if (const Pair* pair = find_pair(from_type, to_type, rounding)) {
    pair->run(from, to, count);
  } else if (is_float(from_type) && is_float(to_type)) {
    floats_to_floats(run, rounding, overflow);
  } else if (is_float(from_type)) {
    floats_to_integers(run);
  } else if (!is_float(to_type)) {
    integers_to_integers(run);
  } else if (element_kind(from_type) == ElementKind::i64) {
    wide_integers_to_floats(run, rounding, overflow);
  } else {
    narrow_integers_to_floats(run, rounding, overflow);
  }
}

}  // namespace tw::inline v0::numeric
