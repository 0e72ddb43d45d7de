// SPDX-License-Identifier: Apache-2.0
#include "ir/verify/op_check.hpp"
#include "ir/verify/tile_sets.hpp"

namespace tw::inline v0::ir {
namespace {

using enum Opcode;

/// Reports a rule that names what may become what.
bool no_conversion(const OpContext& c, Rule rule) {
  return c.fail(rule, "{} does not become {}", to_string(c.operand(0)), to_string(c.result()));
}

bool conversion_c1(const OpContext& c) {
  return same_shape(c.operand(0), c.result()) || no_conversion(c, "conversion_c1");
}

bool ftof_c1(const OpContext& c) {
  const bool floats = is_tile_of(c.operand(0), is_float) && is_tile_of(c.result(), is_float);
  return (floats && c.operand(0) != c.result()) || no_conversion(c, "ftof_c1");
}

/// Whether every number of `from` is one of `to`.
bool is_exact(const FloatFormat& from, const FloatFormat& to) {
  return to.precision >= from.precision && to.min_exponent() <= from.min_exponent() &&
         to.max_exponent() >= from.max_exponent();
}

bool converts(ElementKind from, ElementKind to, RoundingMode mode, Version tool) {
  using enum RoundingMode;
  if (to == ElementKind::f8e8m0 && tool >= Version{13, 3}) {
    return mode == zero || mode == positive_inf;
  }
  if (mode == nearest_even) return true;
  if (info(to).bits < 16 || tool < Version{13, 4}) return false;
  if (mode == zero || is_exact(info(from).format, info(to).format)) return true;
  if (from == ElementKind::f64 && to == ElementKind::f32) return mode != nearest_away;
  return from == ElementKind::f32 && to == ElementKind::tf32 && mode == nearest_away;
}

bool is_conversion_mode(RoundingMode mode) {
  return mode <= RoundingMode::positive_inf || mode == RoundingMode::nearest_away;
}

bool ftof_c2(const OpContext& c) {
  const auto mode = c.op.as<RoundingMode>(AttributeName::rounding);
  return (is_conversion_mode(mode) &&
          converts(c.operand(0).tile().kind(), c.result().tile().kind(), mode, c.options.tool)) ||
         c.fail("ftof_c2", "{} does not become {} by rounding to {}", to_string(c.operand(0)),
                to_string(c.result()),
                value_names(AttributeKind::rounding)[static_cast<std::size_t>(mode)]);
}

bool itof_c1(const OpContext& c) {
  const auto is_target = [](ElementKind kind) {
    return is_float(kind) && kind != ElementKind::f8e8m0;
  };
  return (is_tile_of(c.operand(0), is_integer) && is_tile_of(c.result(), is_target)) ||
         no_conversion(c, "itof_c1");
}

bool ftoi_c1(const OpContext& c) {
  return (is_tile_of(c.operand(0), is_float) && is_tile_of(c.result(), is_integer)) ||
         no_conversion(c, "ftoi_c1");
}

bool are_integers(const OpContext& c) {
  const auto is_any = [](ElementKind kind) { return !is_float(kind); };
  return is_tile_of(c.operand(0), is_any) && is_tile_of(c.result(), is_any);
}

int bits(const Type& type) { return info(type.tile().kind()).bits; }

bool exti_c1(const OpContext& c) {
  return (are_integers(c) && bits(c.result()) > bits(c.operand(0))) || no_conversion(c, "exti_c1");
}

bool trunci_c1(const OpContext& c) {
  return (are_integers(c) && bits(c.result()) < bits(c.operand(0))) ||
         no_conversion(c, "trunci_c1");
}

bool bitcast_c1(const OpContext& c) {
  return (is_tile_of(c.operand(0), is_number) && is_tile_of(c.result(), is_number) &&
          bits(c.operand(0)) == bits(c.result())) ||
         no_conversion(c, "bitcast_c1");
}

bool int_to_ptr_c1(const OpContext& c) {
  return (is_tile_of(c.operand(0), ElementKind::i64) && pointer_tile(c.result()) != nullptr) ||
         no_conversion(c, "int_to_ptr_c1");
}

bool ptr_to_int_c1(const OpContext& c) {
  return (pointer_tile(c.operand(0)) != nullptr && is_tile_of(c.result(), ElementKind::i64)) ||
         no_conversion(c, "ptr_to_int_c1");
}

bool ptr_to_ptr_c1(const OpContext& c) {
  return (pointer_tile(c.operand(0)) != nullptr && pointer_tile(c.result()) != nullptr) ||
         no_conversion(c, "ptr_to_ptr_c1");
}

bool pack_c1(const OpContext& c) {
  const TileType* from = number_tile(c.operand(0));
  const TileType* to = number_tile(c.result());
  return (from != nullptr && to != nullptr && from->shape.size() == 1 && to->shape.size() == 1) ||
         no_conversion(c, "pack_c1");
}

bool pack_c2(const OpContext& c) {
  const bool packs = c.op.code == pack;
  const Type& bytes = packs ? c.result() : c.operand(0);
  const Type& numbers = packs ? c.operand(0) : c.result();
  return (is_tile_of(bytes, ElementKind::i8) && bits(numbers) != 8) || no_conversion(c, "pack_c2");
}

/// Bits of all elements, each as in memory but for i1.
std::int64_t total_bits(const TileType& tile) {
  const ElementKind kind = tile.kind();
  return product(tile.shape) * (kind == ElementKind::i1 ? 1 : info(kind).memory_bits);
}

bool pack_c3(const OpContext& c) {
  return total_bits(c.operand(0).tile()) == total_bits(c.result().tile()) ||
         no_conversion(c, "pack_c3");
}

const OpChecks table[] = {
    {{bitcast, exti, ftof, ftoi, int_to_ptr, itof, ptr_to_int, ptr_to_ptr, trunci},
     {conversion_c1}},
    {{ftof}, {ftof_c1, ftof_c2}},
    {{itof}, {itof_c1}},
    {{ftoi}, {ftoi_c1}},
    {{exti}, {exti_c1}},
    {{trunci}, {trunci_c1}},
    {{bitcast}, {bitcast_c1}},
    {{int_to_ptr}, {int_to_ptr_c1}},
    {{ptr_to_int}, {ptr_to_int_c1}},
    {{ptr_to_ptr}, {ptr_to_ptr_c1}},
    {{pack, unpack}, {pack_c1, pack_c2, pack_c3}},
};

}  // namespace

std::span<const OpChecks> conversion_checks() { return table; }

}  // namespace tw::inline v0::ir
