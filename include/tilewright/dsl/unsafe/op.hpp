// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

#include <tilewright/dsl/options.hpp>
#include <tilewright/dsl/unsafe/operand.hpp>
#include <tilewright/dsl/unsafe/token.hpp>
#include <tilewright/ir/builder.hpp>

namespace tw::inline v0 {

namespace detail {
class Trace;
}

namespace unsafe {

// This half of the language speaks Tile IR's own words.
using ir::AtomicMode;
using ir::MemoryOrdering;
using ir::MemoryScope;
using ir::Padding;

namespace detail {

using ir::AttributeName;
using ir::Opcode;
using tw::detail::TileRef;
using tw::detail::Trusted;

/// What an op gives. References to pointers carry the dtype of the pointee, those to views that of
/// the elements and no shape, and those to tokens neither.
struct Result {
  ir::Type type;
  DType dtype = DType::f32;
  Shape shape = {};
};
[[nodiscard]] TILEWRIGHT_API Result numbers(DType dtype, const Shape& shape = {});
[[nodiscard]] TILEWRIGHT_API Result pointers(DType pointee, const Shape& shape = {});
[[nodiscard]] TILEWRIGHT_API Result token();

/// One op of Tile IR while an unsafe function describes it: operands in the order of the op table,
/// attributes by name, and in the end what it gives. Only shapes are looked at here; the verifier
/// judges every kernel that has such an op.
class TILEWRIGHT_API Op {
 public:
  Op(Opcode code, Location where);

  /// The shape that two operands stretch to; notes an error when there is none.
  [[nodiscard]] Shape joined(const TileRef& a, const TileRef& b);

  /// The next operand; a reference to nothing leaves an optional one out.
  Op& operand(const TileRef& ref);
  /// The same, stretched to a shape.
  Op& operand(const TileRef& ref, const Shape& shape);
  /// All operands of the next, variadic, group.
  Op& group(std::span<const TileRef> refs);
  /// The same for integers, in 64 bits if any of them or `wide` asks for it.
  Op& group(std::span<const Integer> integers, bool wide = false);

  Op& set(AttributeName name, ir::Attribute value);
  template <class Enum>
    requires std::is_enum_v<Enum>
  Op& set(AttributeName name, Enum value) {
    return set(name, ir::Attribute(static_cast<std::int64_t>(value)));
  }
  /// Without a scope where weak accesses have none.
  Op& order(MemoryOrdering ordering, MemoryScope scope);
  Op& hints(const AccessHints& hints);
  /// What all accesses take last: a token and an order.
  template <class Options>
  Op& access(const Options& options) {
    return operand(options.after.ref()).order(options.order, options.scope);
  }

  /// What `ref` is, too.
  [[nodiscard]] Result like(const TileRef& ref);
  /// What a load through a view gives.
  [[nodiscard]] Result tile_of(const TileRef& view);

  /// Appends the op.
  std::vector<TileRef> give(std::span<const Result> results);
  std::vector<TileRef> give(std::initializer_list<Result> results) {
    return give(std::span(results.begin(), results.size()));
  }
  /// The same for one result, as a `V`.
  template <class V>
  V give(const Result& result) {
    return V(Trusted{std::move(give({result}).front())});
  }
  /// The same for `N` Ints.
  template <std::size_t N>
  std::array<Int, N> give_ints() {
    std::vector<TileRef> refs = give(std::vector(N, numbers(DType::int32)));
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return std::array<Int, N>{Int(Trusted{std::move(refs[I])})...};
    }(std::make_index_sequence<N>());
  }

 private:
  tw::detail::Trace& trace_;
  ir::OpDraft draft_;
  Opcode code_;
  Location where_;
};

}  // namespace detail
}  // namespace unsafe
}  // namespace tw::inline v0
