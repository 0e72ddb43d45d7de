// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <optional>

#include <tilewright/core/dtype.hpp>
#include <tilewright/core/float_conversion.hpp>

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

}  // namespace

Outcome fold_float(ir::Op& op, const Definitions& definitions) {
  const auto* result = definitions.type(op.result()).as<ir::TileType>();
  if (!result || result->holds_pointers() || !info(result->kind()).is_float()) return unchanged();
  const auto source = definitions.splat(op.operands[0]);
  if (!source) return unchanged();
  const ir::Type& from = definitions.type(op.operands[0]);
  std::optional<Bits> bits;
  switch (op.code) {
    case Opcode::absf:
    case Opcode::negf:
      bits = with_sign(op, result->kind(), *source);
      break;
    case Opcode::itof:
      bits = from_integer(op, from, result->kind(), *source);
      break;
    case Opcode::ftof:
      bits = numeric::encode(numeric::decode(*source, from.tile().kind()), result->kind(),
                             rounding_of(op));
      break;
    default:
      return unchanged();
  }
  return splat_of(*bits);
}

}  // namespace tw::inline v0::passes
