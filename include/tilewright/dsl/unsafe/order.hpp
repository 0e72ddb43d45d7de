// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include <tilewright/dsl/unsafe/op.hpp>

namespace tw::inline v0::unsafe {

/// A token of Tile IR: two memory operations of one block happen in order if one gives a token that
/// the other waits for. The default waits for nothing.
///
/// The library orders the accesses to each parameter that the kernel writes in program order;
/// tokens add to that order and cannot weaken it.
class OrderToken {
 public:
  OrderToken() = default;
  explicit OrderToken(tw::detail::Trusted trusted) : ref_(std::move(trusted.ref)) {}
  OrderToken(const OrderToken&) = default;
  OrderToken& operator=(const OrderToken&) = delete;  // declare a tw::Var to update one

  [[nodiscard]] const tw::detail::TileRef& ref() const { return ref_; }

 protected:
  tw::detail::TileRef ref_;
};

/// A token that nothing precedes.
[[nodiscard]] inline OrderToken make_token(Token, Location where = Location::current()) {
  return detail::Op(detail::Opcode::make_token, where).give<OrderToken>(detail::token());
}

namespace detail {

/// The token itself, for ops that cannot do without one.
inline OrderToken required(Token consent, const OrderToken& token, Location where) {
  return token.ref().trace != 0 ? token : make_token(consent, where);
}

}  // namespace detail

/// A token that waits for all the given ones.
template <std::size_t N>
  requires(N >= 2)
[[nodiscard]] OrderToken join_tokens(Token consent, const OrderToken (&tokens)[N],
                                     Location where = Location::current()) {
  std::array<tw::detail::TileRef, N> refs;
  for (std::size_t i = 0; i < N; ++i) refs[i] = detail::required(consent, tokens[i], where).ref();
  return detail::Op(detail::Opcode::join_tokens, where)
      .group(refs)
      .template give<OrderToken>(detail::token());
}

/// Orders accesses to the same memory through different virtual addresses: those that precede the
/// token before those that wait for the result. Needs Tile IR 13.4.
inline OrderToken memory_fence_alias(Token consent, const OrderToken& after,
                                     Location where = Location::current()) {
  return detail::Op(detail::Opcode::memory_fence_alias_tko, where)
      .operand(detail::required(consent, after, where).ref())
      .give<OrderToken>(detail::token());
}

/// Waits until the grids before this one, of a programmatic dependent launch, are done; accesses
/// that need their writes wait for the result. Does nothing before sm_90. Needs Tile IR 13.4.
inline OrderToken gdc_wait(Token, const OrderToken& after = {},
                           Location where = Location::current()) {
  return detail::Op(detail::Opcode::gdc_wait_tko, where)
      .operand(after.ref())
      .give<OrderToken>(detail::token());
}

/// Lets the grids that depend on this one start. Does nothing before sm_90. Needs Tile IR 13.4.
inline OrderToken gdc_launch_dependents(Token, const OrderToken& after = {},
                                        Location where = Location::current()) {
  return detail::Op(detail::Opcode::gdc_launch_dependents_tko, where)
      .operand(after.ref())
      .give<OrderToken>(detail::token());
}

}  // namespace tw::inline v0::unsafe
