// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>

#include <tilewright/dsl/tile.hpp>

namespace tw::inline v0::unsafe {

/// An element type whose values can be indices: `int` or `std::int64_t`.
template <class T>
concept index_element = std::same_as<T, std::int32_t> || std::same_as<T, std::int64_t>;

/// A tile of `T`, or a plain number that becomes a scalar; by default nothing at all. It stretches
/// to the shape of the access that takes it.
template <element T>
class Operand {
 public:
  Operand() = default;
  template <int... D>
  Operand(const Tile<T, D...>& tile)  // NOLINT(google-explicit-constructor): a tile is an operand
      : ref_(tile.ref()) {}
  template <number_like N>
  Operand(N number,  // NOLINT(google-explicit-constructor): a number is an operand
          Location where = Location::current())
      : ref_(tw::detail::constant(number, dtype_of<T>, where)) {}

  [[nodiscard]] const tw::detail::TileRef& ref() const { return ref_; }

 private:
  tw::detail::TileRef ref_;
};

/// An extent, a stride or an index: a plain number, an integer scalar of the device or, along the
/// sparse axis of a gather/scatter view, a tile of indices.
class Integer {
 public:
  template <number_like N>
    requires(!std::floating_point<N>)
  Integer(N number)  // NOLINT(google-explicit-constructor): a number is an index
      : known_(Number(number).integer()) {}
  template <index_element T, int... D>
  Integer(const Tile<T, D...>& tile)  // NOLINT(google-explicit-constructor): and so is a tile
      : ref_(tile.ref()) {}
  explicit Integer(tw::detail::Trusted trusted) : ref_(std::move(trusted.ref)) {}

  [[nodiscard]] const std::optional<std::int64_t>& known() const { return known_; }
  [[nodiscard]] const tw::detail::TileRef& ref() const { return ref_; }
  [[nodiscard]] bool is_wide() const { return ref_.dtype == DType::int64; }

 private:
  std::optional<std::int64_t> known_;
  tw::detail::TileRef ref_;
};

}  // namespace tw::inline v0::unsafe
