// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include <tilewright/dsl/dims.hpp>

namespace tw::inline v0 {

/// A plain C++ number beside a tile. It becomes a constant of the tile's element type: integers
/// exactly and floating-point numbers to nearest, else the trace reports an error.
class Number {
 public:
  enum class Kind : std::uint8_t { signed_integer, unsigned_integer, floating_point };

  template <class N>
    requires std::is_arithmetic_v<N>
  constexpr Number(N value)  // NOLINT(google-explicit-constructor): a number is a number
      : kind_(std::floating_point<N>    ? Kind::floating_point
              : std::signed_integral<N> ? Kind::signed_integer
                                        : Kind::unsigned_integer) {
    if constexpr (std::floating_point<N>) {
      floating_ = static_cast<double>(value);
    } else if constexpr (std::signed_integral<N>) {
      integer_ = value;
    } else {
      integer_ = static_cast<std::int64_t>(static_cast<std::uint64_t>(value));
    }
  }
  template <int N>
  constexpr Number(Extent<N> extent)  // NOLINT(google-explicit-constructor)
      : Number(extent.value) {}

  [[nodiscard]] constexpr Kind kind() const { return kind_; }
  /// The bits of an integer, as two's complement for signed ones.
  [[nodiscard]] constexpr std::int64_t integer() const { return integer_; }
  [[nodiscard]] constexpr double floating() const { return floating_; }

 private:
  Kind kind_;
  std::int64_t integer_ = 0;
  double floating_ = 0;
};

namespace detail {

template <class N>
inline constexpr bool is_extent = false;
template <int N>
inline constexpr bool is_extent<Extent<N>> = true;

}  // namespace detail

/// What stands for a number beside a tile.
template <class N>
concept number_like = std::is_arithmetic_v<N> || std::is_same_v<N, Number> || detail::is_extent<N>;

}  // namespace tw::inline v0
