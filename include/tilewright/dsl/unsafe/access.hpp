// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

#include <tilewright/dsl/unsafe/order.hpp>
#include <tilewright/dsl/unsafe/pointer.hpp>

namespace tw::inline v0::unsafe {

/// A loaded tile, and the token that later accesses wait for to come after the load:
/// `auto [x, done] = unsafe::load(token, p);`
template <element T, int... D>
struct Loaded {
  Tile<T, D...> value;
  OrderToken token;
};

/// Options of a load through pointers. The scope counts unless the order is weak. Lanes whose mask
/// is false touch no memory and give the padding, or anything without one.
template <element T>
struct LoadOptions {
  MemoryOrdering order = MemoryOrdering::weak;  ///< or relaxed, acquire
  MemoryScope scope = MemoryScope::device;
  OrderToken after = {};
  Operand<bool> mask = {};
  Operand<T> padding = {};
  int latency = 0;  ///< 1 to 10: how far ahead it may be issued; 0: unsaid
};

struct StoreOptions {
  MemoryOrdering order = MemoryOrdering::weak;  ///< or relaxed, release
  MemoryScope scope = MemoryScope::device;
  OrderToken after = {};
  Operand<bool> mask = {};
  int latency = 0;
};

struct AtomicOptions {
  MemoryOrdering order = MemoryOrdering::relaxed;  ///< or acquire, release, acq_rel
  MemoryScope scope = MemoryScope::device;
  OrderToken after = {};
  Operand<bool> mask = {};
};

namespace detail {

template <element T, int... D>
Loaded<T, D...> loaded(std::vector<TileRef> results) {
  return {Tile<T, D...>(Trusted{std::move(results[0])}),
          OrderToken(Trusted{std::move(results[1])})};
}

}  // namespace detail

/// Reads what the pointers point to.
template <element T, int... D>
[[nodiscard]] Loaded<T, D...> load(Token, const Pointer<T, D...>& pointers,
                                   LoadOptions<T> options = {},
                                   Location where = Location::current()) {
  detail::require_whole_byte<T>();
  const Shape& shape = pointers.ref().shape;
  return detail::loaded<T, D...>(detail::Op(detail::Opcode::load_ptr_tko, where)
                                     .operand(pointers.ref())
                                     .operand(options.mask.ref(), shape)
                                     .operand(options.padding.ref(), shape)
                                     .access(options)
                                     .hints({.latency = options.latency})
                                     .give({detail::numbers(dtype_of<T>, shape), detail::token()}));
}

/// Writes to where the pointers point. Where two of them are equal, one of the values wins.
template <element T, int... D>
OrderToken store(Token, const Pointer<T, D...>& pointers, std::type_identity_t<Operand<T>> value,
                 StoreOptions options = {}, Location where = Location::current()) {
  detail::require_whole_byte<T>();
  const Shape& shape = pointers.ref().shape;
  return detail::Op(detail::Opcode::store_ptr_tko, where)
      .operand(pointers.ref())
      .operand(value.ref(), shape)
      .operand(options.mask.ref(), shape)
      .access(options)
      .hints({.latency = options.latency})
      .template give<OrderToken>(detail::token());
}

/// Updates each element atomically and gives what was there before; lanes whose mask is false give
/// anything. Integers of 32 and 64 bits know every mode but `addf`, which is for f16, bf16, f32 and
/// f64; floats of 32 and 64 bits also know `xchg`.
template <element T, int... D>
Loaded<T, D...> atomic_rmw(Token, AtomicMode mode, const Pointer<T, D...>& pointers,
                           std::type_identity_t<Operand<T>> value, AtomicOptions options = {},
                           Location where = Location::current()) {
  detail::require_whole_byte<T>();
  const Shape& shape = pointers.ref().shape;
  return detail::loaded<T, D...>(detail::Op(detail::Opcode::atomic_rmw_tko, where)
                                     .operand(pointers.ref())
                                     .operand(value.ref(), shape)
                                     .operand(options.mask.ref(), shape)
                                     .access(options)
                                     .set(detail::AttributeName::mode, mode)
                                     .give({detail::numbers(dtype_of<T>, shape), detail::token()}));
}

/// Writes `value` where an element equals `expected` bit by bit, atomically, and gives what was
/// there before; lanes whose mask is false give `expected`. For elements of 32 and 64 bits.
template <element T, int... D>
Loaded<T, D...> atomic_cas(Token, const Pointer<T, D...>& pointers,
                           std::type_identity_t<Operand<T>> expected,
                           std::type_identity_t<Operand<T>> value, AtomicOptions options = {},
                           Location where = Location::current()) {
  detail::require_whole_byte<T>();
  const Shape& shape = pointers.ref().shape;
  return detail::loaded<T, D...>(detail::Op(detail::Opcode::atomic_cas_tko, where)
                                     .operand(pointers.ref())
                                     .operand(expected.ref(), shape)
                                     .operand(value.ref(), shape)
                                     .operand(options.mask.ref(), shape)
                                     .access(options)
                                     .give({detail::numbers(dtype_of<T>, shape), detail::token()}));
}

}  // namespace tw::inline v0::unsafe
