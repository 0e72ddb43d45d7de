// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/core/dtype.hpp>
#include <tilewright/ir/type.hpp>

namespace tw::inline v0::ir {

// The sets of element kinds and tiles that the specification of Tile IR names.

/// i1, i8, i16, i32, i64: i4 is only for conversions.
constexpr bool is_integer(ElementKind kind) {
  return !info(kind).is_float() && kind != ElementKind::i4;
}
constexpr bool is_float(ElementKind kind) { return info(kind).is_float(); }
/// f16, bf16, f32, f64: those with arithmetic.
constexpr bool is_base_float(ElementKind kind) {
  return kind == ElementKind::f16 || kind == ElementKind::bf16 || kind == ElementKind::f32 ||
         kind == ElementKind::f64;
}
constexpr bool is_number(ElementKind kind) { return kind != ElementKind::i4; }

/// The tile of numbers, i4 included, that a type is, or nullptr.
inline const TileType* number_tile(const Type& type) {
  const auto* tile = type.as<TileType>();
  return tile != nullptr && !tile->holds_pointers() ? tile : nullptr;
}
/// The tile of pointers that a type is, or nullptr.
inline const TileType* pointer_tile(const Type& type) {
  const auto* tile = type.as<TileType>();
  return tile != nullptr && tile->holds_pointers() ? tile : nullptr;
}

/// Whether a type is a tile of numbers for which `holds(kind)`.
template <class Predicate>
bool is_tile_of(const Type& type, Predicate holds) {
  const TileType* tile = number_tile(type);
  return tile != nullptr && holds(tile->kind());
}
inline bool is_tile_of(const Type& type, ElementKind kind) {
  return is_tile_of(type, [kind](ElementKind each) { return each == kind; });
}
inline bool is_scalar(const Type& type) {
  const auto* tile = type.as<TileType>();
  return tile != nullptr && tile->shape.empty();
}
inline bool is_integer_scalar(const Type& type) {
  return is_scalar(type) && is_tile_of(type, is_integer);
}

/// Whether a type is a tile of this shape, of any element.
inline bool has_shape(const Type& type, const Shape& shape) {
  const auto* tile = type.as<TileType>();
  return tile != nullptr && tile->shape == shape;
}
/// Whether both types are tiles, of one shape.
inline bool same_shape(const Type& a, const Type& b) {
  const auto* tile = a.as<TileType>();
  return tile != nullptr && has_shape(b, tile->shape);
}

/// Tiles and tokens are the values that blocks can pass on.
inline bool is_tile_or_token(const Type& type) { return type.is<TileType>() || type.is_token(); }

}  // namespace tw::inline v0::ir
