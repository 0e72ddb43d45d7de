// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/dsl/unsafe/op.hpp>

namespace tw::inline v0::unsafe {

/// x to integer powers, element by element; both sides stretch to one shape. For f16, bf16, f32 and
/// f64. Needs Tile IR 13.4; `tw::pow` is for every version.
template <element T, int... D, element I, int... E>
  requires(std::is_integral_v<I> && std::is_signed_v<I> && sizeof(I) <= 4)
[[nodiscard]] auto fpowi(Token, const Tile<T, D...>& x, const Tile<I, E...>& exponent,
                         Location where = Location::current()) {
  constexpr auto dims = dims::broadcast(Tile<T, D...>::dims, Tile<I, E...>::dims);
  static_assert(dims::fits(dims), "fpowi: the shapes do not broadcast");
  detail::Op op(detail::Opcode::fpowi, where);
  const Shape shape = op.joined(x.ref(), exponent.ref());
  return op.operand(x.ref(), shape)
      .operand(exponent.ref(), shape)
      .template give<tile_of<T, dims>>(detail::numbers(dtype_of<T>, shape));
}

}  // namespace tw::inline v0::unsafe
