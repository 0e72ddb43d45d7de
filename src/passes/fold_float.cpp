// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>

#include <tilewright/core/dtype.hpp>
#include <tilewright/core/element.hpp>
#include <tilewright/core/float_conversion.hpp>
#include <tilewright/core/rounded_arithmetic.hpp>

#include "passes/fold_rules.hpp"
#include "passes/integer.hpp"

namespace tw::inline v0::passes {
namespace {

using ir::AttributeName;
using ir::Opcode;
using ir::Signedness;
using Bits = std::uint64_t;

Rounding rounding_of(const ir::Op& op) {
  return static_cast<Rounding>(op.integer(AttributeName::rounding));
}

/// Sign changes touch no other bit.
std::optional<Bits> with_sign(const ir::Op& op, ElementKind kind, Bits bits) {
  const FloatFormat& format = info(kind).format;
  return op.code == Opcode::negf ? bits ^ format.sign_mask() : bits & format.magnitude_mask();
}

std::optional<Bits> from_integer(const ir::Op& op, const ir::Type& from, ElementKind to,
                                 Bits bits) {
  const std::uint8_t width = integer_width(from);
  if (op.as<Signedness>(AttributeName::signedness) == Signedness::unsigned_) {
    return numeric::encode_unsigned(masked(bits, width), to, rounding_of(op));
  }
  const std::int64_t number = width == 1 ? -as_signed(bits, 1) : as_signed(bits, width);
  return numeric::encode_signed(number, to, rounding_of(op));
}

std::optional<Bits> from_float(const ir::Op& op, ElementKind from, ElementKind to, Bits bits) {
  return numeric::encode(numeric::decode(bits, from), to, rounding_of(op));
}

template <class T>
T number(Bits bits) {
  if constexpr (std::is_same_v<T, double>) return std::bit_cast<double>(bits);
  if constexpr (std::is_same_v<T, float>) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  }
  if constexpr (std::is_same_v<T, half> || std::is_same_v<T, bf16>) {
    return T::from_bits(static_cast<std::uint16_t>(bits));
  }
}

template <class T>
Bits pattern(T value) {
  if constexpr (std::is_same_v<T, double>) return std::bit_cast<Bits>(value);
  if constexpr (std::is_same_v<T, float>) return std::bit_cast<std::uint32_t>(value);
  if constexpr (std::is_same_v<T, half> || std::is_same_v<T, bf16>) return value.bits();
}

template <class T>
std::optional<Bits> computed(Opcode code, const std::array<Bits, 3>& operands, Rounding rounding) {
  using Arithmetic = numeric::Arithmetic<T>;
  const T a = number<T>(operands[0]);
  const T b = number<T>(operands[1]);
  switch (code) {
    case Opcode::addf:
      return pattern(Arithmetic::add(a, b, rounding));
    case Opcode::subf:
      return pattern(Arithmetic::sub(a, b, rounding));
    case Opcode::mulf:
      return pattern(Arithmetic::mul(a, b, rounding));
    case Opcode::divf:
      return pattern(Arithmetic::div(a, b, rounding));
    case Opcode::fma:
      return pattern(Arithmetic::fma(a, b, number<T>(operands[2]), rounding));
    case Opcode::sqrt:
      return pattern(Arithmetic::sqrt(a, rounding));
    default:
      return std::nullopt;
  }
}

std::optional<Bits> computed(ElementKind kind, Opcode code, const std::array<Bits, 3>& operands,
                             Rounding rounding) {
  switch (kind) {
    case ElementKind::f16:
      return computed<half>(code, operands, rounding);
    case ElementKind::bf16:
      return computed<bf16>(code, operands, rounding);
    case ElementKind::f32:
      return computed<float>(code, operands, rounding);
    case ElementKind::f64:
      return computed<double>(code, operands, rounding);
    default:
      return std::nullopt;
  }
}

/// Numbers that every device sees alike: no NaN, whose bits are its own affair, and no subnormal
/// where those may be flushed.
bool agreed(const ir::Op& op, ElementKind kind, Bits bits) {
  const FloatFormat& format = info(kind).format;
  const Bits magnitude = bits & format.magnitude_mask();
  const bool subnormal = magnitude != 0 && magnitude >> format.fraction_bits() == 0;
  return !format.is_nan(bits) && !(subnormal && op.integer(AttributeName::flush_to_zero) != 0);
}

/// Arithmetic that IEEE 754 defines to the bit.
std::optional<Bits> arithmetic(const ir::Op& op, ElementKind kind, const Definitions& definitions) {
  const Rounding rounding = rounding_of(op);
  if (rounding == Rounding::approx || rounding == Rounding::full) return std::nullopt;
  std::array<Bits, 3> operands{};
  if (op.operands.size() > operands.size()) return std::nullopt;
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    const auto bits = definitions.splat(op.operands[i]);
    if (!bits || !agreed(op, kind, *bits)) return std::nullopt;
    operands[i] = *bits;
  }
  return computed(kind, op.code, operands, rounding);
}

std::optional<Bits> folded(const ir::Op& op, ElementKind kind, Bits source,
                           const Definitions& definitions) {
  const ir::Type& from = definitions.type(op.operands[0]);
  switch (op.code) {
    case Opcode::absf:
    case Opcode::negf:
      return with_sign(op, kind, source);
    case Opcode::itof:
      return from_integer(op, from, kind, source);
    case Opcode::ftof:
      return from_float(op, from.tile().kind(), kind, source);
    case Opcode::addf:
    case Opcode::subf:
    case Opcode::mulf:
    case Opcode::divf:
    case Opcode::fma:
    case Opcode::sqrt:
      return arithmetic(op, kind, definitions);
    default:
      return std::nullopt;
  }
}

}  // namespace

Outcome fold_float(ir::Op& op, const Definitions& definitions) {
  const auto* result = definitions.type(op.result()).as<ir::TileType>();
  if (!result || result->holds_pointers() || !info(result->kind()).is_float()) return unchanged();
  const auto source = definitions.splat(op.operands[0]);
  if (!source) return unchanged();
  const auto bits = folded(op, result->kind(), *source, definitions);
  return bits && agreed(op, result->kind(), *bits) ? splat_of(*bits) : unchanged();
}

}  // namespace tw::inline v0::passes
