// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "ir/verify/op_check.hpp"
#include "ir/verify/tile_sets.hpp"

namespace tw::inline v0::ir {
namespace {

using enum Opcode;

bool operands_have_type(const OpContext& c, const Type& type) {
  return std::ranges::all_of(c.op.operands, [&](Value each) { return c.type(each) == type; });
}

/// Reports a rule that names operands and result.
bool mismatch(const OpContext& c, Rule rule) {
  return c.fail(rule, "{} gives {}", c.types(c.op.operands), to_string(c.result()));
}

bool float_c1(const OpContext& c) {
  return (is_tile_of(c.result(), is_base_float) && operands_have_type(c, c.result())) ||
         mismatch(c, "float_c1");
}

bool int_c1(const OpContext& c) {
  return (is_tile_of(c.result(), is_integer) && operands_have_type(c, c.result())) ||
         mismatch(c, "int_c1");
}

constexpr unsigned bit(RoundingMode mode) { return 1u << static_cast<unsigned>(mode); }
constexpr unsigned ieee_modes = bit(RoundingMode::nearest_even) | bit(RoundingMode::zero) |
                                bit(RoundingMode::negative_inf) | bit(RoundingMode::positive_inf);

unsigned allowed_modes(Opcode code) {
  switch (code) {
    case divf:
      return ieee_modes | bit(RoundingMode::approx) | bit(RoundingMode::full);
    case sqrt:
      return ieee_modes | bit(RoundingMode::approx);
    case exp:
    case tanh:
      return bit(RoundingMode::approx) | bit(RoundingMode::full);
    case divi:
      return ieee_modes & ~bit(RoundingMode::nearest_even);
    case itof:
      return bit(RoundingMode::nearest_even);
    case ftoi:
      return bit(RoundingMode::nearest_int_to_zero);
    default:
      return ieee_modes;
  }
}

std::string_view mode_name(RoundingMode mode) {
  return value_names(AttributeKind::rounding)[static_cast<std::size_t>(mode)];
}

bool rounding_c1(const OpContext& c) {
  const auto mode = c.op.as<RoundingMode>(AttributeName::rounding);
  return (allowed_modes(c.op.code) & bit(mode)) != 0 ||
         c.fail("rounding_c1", "it has no rounding to {}", mode_name(mode));
}

bool rounding_c2(const OpContext& c) {
  const auto mode = c.op.as<RoundingMode>(AttributeName::rounding);
  const bool fast =
      mode == RoundingMode::approx || (mode == RoundingMode::full && c.op.code == divf);
  return !fast || is_tile_of(c.result(), ElementKind::f32) ||
         c.fail("rounding_c2", "rounding to {} is for f32, not for {}", mode_name(mode),
                to_string(c.result()));
}

bool flush_c1(const OpContext& c) {
  return c.op.integer(AttributeName::flush_to_zero) == 0 ||
         is_tile_of(c.result(), ElementKind::f32) ||
         c.fail("flush_c1", "flush_to_zero is for f32, not for {}", to_string(c.result()));
}

bool divi_c1(const OpContext& c) {
  const bool is_unsigned = c.op.as<Signedness>(AttributeName::signedness) == Signedness::unsigned_;
  const bool down = c.op.as<RoundingMode>(AttributeName::rounding) == RoundingMode::negative_inf;
  return !(is_unsigned && down) || c.fail("divi_c1", "unsigned division rounds to negative_inf");
}

bool negi_c1(const OpContext& c) {
  return c.op.as<Overflow>(AttributeName::overflow) != Overflow::no_unsigned_wrap ||
         c.fail("negi_c1", "it promises no_unsigned_wrap");
}

bool cmpf_c1(const OpContext& c) {
  return (is_tile_of(c.operand(0), is_base_float) && c.operand(0) == c.operand(1)) ||
         c.fail("cmpf_c1", "it compares {} with {}", to_string(c.operand(0)),
                to_string(c.operand(1)));
}

bool cmpi_c1(const OpContext& c) {
  return (is_tile_of(c.operand(0), is_integer) && c.operand(0) == c.operand(1)) ||
         c.fail("cmpi_c1", "it compares {} with {}", to_string(c.operand(0)),
                to_string(c.operand(1)));
}

bool cmp_c1(const OpContext& c) {
  return (is_tile_of(c.result(), ElementKind::i1) && same_shape(c.result(), c.operand(0))) ||
         c.fail("cmp_c1", "comparing {} gives {}", to_string(c.operand(0)), to_string(c.result()));
}

bool select_c1(const OpContext& c) {
  const bool equal = c.operand(1) == c.result() && c.operand(2) == c.result();
  return (equal && c.result().is<TileType>()) ||
         c.fail("select_c1", "it chooses between {} and {} and gives {}", to_string(c.operand(1)),
                to_string(c.operand(2)), to_string(c.result()));
}

bool select_c2(const OpContext& c) {
  return (is_tile_of(c.operand(0), ElementKind::i1) && same_shape(c.operand(0), c.result())) ||
         c.fail("select_c2", "the condition of a choice of {} is {}", to_string(c.result()),
                to_string(c.operand(0)));
}

bool select_c3(const OpContext& c) {
  return !is_tile_of(c.result(), ElementKind::f4e2m1) ||
         c.fail("select_c3", "it chooses between elements of f4E2M1FN");
}

bool fpowi_c1(const OpContext& c) {
  return (is_tile_of(c.result(), is_base_float) && c.operand(0) == c.result()) ||
         c.fail("fpowi_c1", "a power of {} is {}", to_string(c.operand(0)), to_string(c.result()));
}

bool fpowi_c2(const OpContext& c) {
  const auto is_exponent = [](ElementKind kind) {
    return is_integer(kind) && kind != ElementKind::i64;
  };
  return (is_tile_of(c.operand(1), is_exponent) && same_shape(c.operand(1), c.operand(0))) ||
         c.fail("fpowi_c2", "the exponent of {} is {}", to_string(c.operand(0)),
                to_string(c.operand(1)));
}

const OpChecks table[] = {
    {{absf, addf, atan2, ceil, cos, cosh, divf,  exp, exp2, floor, fma,  log, log2,
      maxf, minf, mulf,  negf, pow, remf, rsqrt, sin, sinh, sqrt,  subf, tan, tanh},
     {float_c1}},
    {{absi, addi, andi, divi, maxi, mini, mulhii, muli, negi, ori, remi, shli, shri, subi, xori},
     {int_c1}},
    {{addf, divf, divi, exp, fma, ftoi, itof, mulf, sqrt, subf, tanh}, {rounding_c1}},
    {{divf, exp, sqrt, tanh}, {rounding_c2}},
    {{addf, divf, exp2, fma, maxf, minf, mulf, rsqrt, sqrt, subf}, {flush_c1}},
    {{divi}, {divi_c1}},
    {{negi}, {negi_c1}},
    {{cmpf}, {cmpf_c1, cmp_c1}},
    {{cmpi}, {cmpi_c1, cmp_c1}},
    {{select}, {select_c1, select_c2, select_c3}},
    {{fpowi}, {fpowi_c1, fpowi_c2}},
};

}  // namespace

std::span<const OpChecks> elementwise_checks() { return table; }

}  // namespace tw::inline v0::ir
