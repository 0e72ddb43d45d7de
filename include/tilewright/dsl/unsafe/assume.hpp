// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/dsl/unsafe/view.hpp>

namespace tw::inline v0::unsafe {

/// Multiples of a power of two: `DivBy{16}`, in bytes for addresses. With `every` and `along` only
/// every n-th element along that axis is promised to be one, and those between to follow it
/// contiguously.
using ir::DivBy;
/// Runs of equal elements: how long they are along each axis.
using ir::SameElements;
/// Numbers from `lower` to `upper`, both included.
using ir::Bounded;

namespace detail {

template <class V>
V assume(const V& value, const ir::AssumePredicate& predicate, Location where) {
  Op op(Opcode::assume, where);
  return op.operand(value.ref())
      .set(AttributeName::predicate, predicate)
      .template give<V>(op.like(value.ref()));
}

}  // namespace detail

/// The same tile of integers, with a promise about its elements that the compiler may rely on. If
/// it does not hold, anything may happen.
template <element T, int... D>
  requires std::is_integral_v<T>
[[nodiscard]] Tile<T, D...> assume(Token, const Tile<T, D...>& value,
                                   const ir::AssumePredicate& predicate,
                                   Location where = Location::current()) {
  return detail::assume(value, predicate, where);
}
/// The same addresses, with a promise; not for `Bounded`.
template <element T, int... D>
[[nodiscard]] Pointer<T, D...> assume(Token, const Pointer<T, D...>& value,
                                      const ir::AssumePredicate& predicate,
                                      Location where = Location::current()) {
  return detail::assume(value, predicate, where);
}
/// The same tensor, whose base address is a multiple of so many bytes.
template <element T, int R>
[[nodiscard]] TensorView<T, R> assume(Token, const TensorView<T, R>& value, const DivBy& predicate,
                                      Location where = Location::current()) {
  return detail::assume(value, predicate, where);
}

}  // namespace tw::inline v0::unsafe
