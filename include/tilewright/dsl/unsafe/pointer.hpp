// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include <tilewright/dsl/box_ref.hpp>
#include <tilewright/dsl/unsafe/op.hpp>

namespace tw::inline v0::unsafe {

/// A tile of addresses of elements of `T`; rank 0 is one address. Nothing keeps them inside a
/// tensor. The extents are powers of two, `dyn` where only the specialisation knows them.
template <element T, int... D>
class Pointer {
 public:
  using value_type = T;
  static constexpr std::size_t rank = sizeof...(D);
  static constexpr dims::Array<rank> dims{D...};

  explicit Pointer(tw::detail::Trusted trusted) : ref_(std::move(trusted.ref)) {}
  Pointer(const Pointer&) = default;
  Pointer& operator=(const Pointer&) = delete;  // declare a tw::Var to update one

  /// Addresses whose extents the compiler knows less or more about.
  template <int... E>
    requires(sizeof...(E) == rank && (tw::dims::may_equal(D, E) && ...) &&
             !std::is_same_v<Pointer, Pointer<T, E...>>)
  Pointer(const Pointer<T, E...>& other,  // NOLINT(google-explicit-constructor)
          Location where = Location::current())
      : ref_(tw::detail::declared(other.ref(), dims, where)) {}

  [[nodiscard]] const tw::detail::TileRef& ref() const { return ref_; }

 protected:
  tw::detail::TileRef ref_;
};

/// A view of a kernel parameter: In, Out, InOut or Atomic.
template <class V>
concept parameter_view = requires(const V& view) {
  typename V::value_type;
  { V::rank } -> std::convertible_to<int>;
  { view.ref() } -> std::convertible_to<const tw::detail::BoxRef&>;
};

}  // namespace tw::inline v0::unsafe

namespace tw::inline v0::detail {

template <element T, int... D, auto Shape, std::size_t... I>
struct WithDims<unsafe::Pointer<T, D...>, Shape, std::index_sequence<I...>> {
  using type = unsafe::Pointer<T, Shape[I]...>;
};

}  // namespace tw::inline v0::detail

namespace tw::inline v0::unsafe {

namespace detail {

[[nodiscard]] TILEWRIGHT_API TileRef base(const tw::detail::BoxRef& box, Location where);
[[nodiscard]] TILEWRIGHT_API TileRef stride(const tw::detail::BoxRef& box, int axis,
                                            Location where);
/// Adds an array to the module and gives its name.
[[nodiscard]] TILEWRIGHT_API std::string add_global(DType dtype,
                                                    std::span<const std::uint64_t> patterns,
                                                    std::uint64_t alignment, bool constant,
                                                    Location where);

/// Complains about elements that have no address of their own.
template <element T>
consteval void require_whole_byte() {
  static_assert(!shares_bytes(dtype_of<T>),
                "two elements of f4e2m1 share a byte, which a pointer cannot divide: use "
                "ptr_to_ptr<std::uint8_t> and unpack, or a tensor view");
}

/// The bits of a value, in the width of its element type.
template <element T>
std::uint64_t pattern(T value) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<std::make_unsigned_t<std::conditional_t<std::is_same_v<T, bool>, int, T>>>(
        value);
  } else if constexpr (std::is_same_v<T, float>) {
    return std::bit_cast<std::uint32_t>(value);
  } else if constexpr (std::is_same_v<T, double>) {
    return std::bit_cast<std::uint64_t>(value);
  } else {
    return value.bits() >> info(element_kind(dtype_of<T>)).format.memory_shift;
  }
}

}  // namespace detail

/// The address of the first element of a parameter's tensor: index 0 along every axis of the view,
/// and the place where `select`, `slice` or `squeeze` left the others.
template <parameter_view V>
[[nodiscard]] Pointer<typename V::value_type> base(Token, const V& view,
                                                   Location where = Location::current()) {
  return Pointer<typename V::value_type>(detail::Trusted{detail::base(view.ref(), where)});
}

/// The distance between neighbours along an axis of a parameter's tensor, in elements.
template <int Axis, parameter_view V>
  requires(Axis >= 0 && Axis < V::rank)
[[nodiscard]] Scalar<std::int64_t> stride(Token, const V& view,
                                          Location where = Location::current()) {
  return Scalar<std::int64_t>(detail::Trusted{detail::stride(view.ref(), Axis, where)});
}

/// The addresses that many elements further on; both sides stretch to one shape.
template <element T, int... D, index_element I, int... E>
[[nodiscard]] auto offset(Token, const Pointer<T, D...>& pointers, const Tile<I, E...>& elements,
                          Location where = Location::current()) {
  detail::require_whole_byte<T>();
  constexpr auto dims = dims::broadcast(Pointer<T, D...>::dims, Tile<I, E...>::dims);
  static_assert(dims::fits(dims), "offset: the shapes do not broadcast");
  detail::Op op(detail::Opcode::offset, where);
  const Shape shape = op.joined(pointers.ref(), elements.ref());
  return op.operand(pointers.ref(), shape)
      .operand(elements.ref(), shape)
      .template give<tw::detail::with_dims<Pointer<T>, dims>>(detail::pointers(dtype_of<T>, shape));
}
template <element T, int... D>
[[nodiscard]] Pointer<T, D...> offset(Token token, const Pointer<T, D...>& pointers,
                                      Number elements, Location where = Location::current()) {
  return unsafe::offset(token, pointers, Scalar<std::int64_t>(elements, where), where);
}

/// The addresses as numbers.
template <element T, int... D>
[[nodiscard]] Tile<std::int64_t, D...> ptr_to_int(Token, const Pointer<T, D...>& pointers,
                                                  Location where = Location::current()) {
  return detail::Op(detail::Opcode::ptr_to_int, where)
      .operand(pointers.ref())
      .template give<Tile<std::int64_t, D...>>(detail::numbers(DType::int64, pointers.ref().shape));
}
/// Numbers as addresses of elements of `T`.
template <element T, int... D>
[[nodiscard]] Pointer<T, D...> int_to_ptr(Token, const Tile<std::int64_t, D...>& addresses,
                                          Location where = Location::current()) {
  return detail::Op(detail::Opcode::int_to_ptr, where)
      .operand(addresses.ref())
      .template give<Pointer<T, D...>>(detail::pointers(dtype_of<T>, addresses.ref().shape));
}
/// The same addresses, of elements of `U`.
template <element U, element T, int... D>
[[nodiscard]] Pointer<U, D...> ptr_to_ptr(Token, const Pointer<T, D...>& pointers,
                                          Location where = Location::current()) {
  return detail::Op(detail::Opcode::ptr_to_ptr, where)
      .operand(pointers.ref())
      .template give<Pointer<U, D...>>(detail::pointers(dtype_of<U>, pointers.ref().shape));
}

struct AllocaOptions {
  std::uint64_t alignment = 0;  ///< in bytes, a power of two; 0: that of the element type
  bool global = false;          ///< the memory lies in global memory
};

/// Memory of this block for `count` elements, uninitialised, until the block ends. Needs Tile IR
/// 13.3.
template <element T>
[[nodiscard]] Pointer<T> alloca_(Token, std::int64_t count, AllocaOptions options = {},
                                 Location where = Location::current()) {
  const std::uint64_t alignment =
      options.alignment != 0 ? options.alignment : storage_bytes(dtype_of<T>);
  detail::Op op(detail::Opcode::alloca_, where);
  op.set(detail::AttributeName::num_elem, count)
      .set(detail::AttributeName::alignment, static_cast<std::int64_t>(alignment));
  if (options.global) op.set(detail::AttributeName::global, std::int64_t{1});
  return op.template give<Pointer<T>>(detail::pointers(dtype_of<T>));
}

struct GlobalOptions {
  std::uint64_t alignment = 0;  ///< in bytes, a power of two; 0: that of the element type
  bool constant = true;         ///< false: kernels may write it, and launches see earlier writes
};

/// The address of an array that is part of the compiled kernel and shared by all its blocks. The
/// number of values must be a power of two.
template <element T>
[[nodiscard]] Pointer<T> global(Token, std::span<const T> values, GlobalOptions options = {},
                                Location where = Location::current()) {
  std::vector<std::uint64_t> patterns;
  for (const T value : values) patterns.push_back(detail::pattern(value));
  detail::Op op(detail::Opcode::get_global, where);
  op.set(detail::AttributeName::name,
         detail::add_global(dtype_of<T>, patterns, options.alignment, options.constant, where));
  return op.template give<Pointer<T>>(detail::pointers(dtype_of<T>));
}
template <element T>
[[nodiscard]] Pointer<T> global(Token token, std::initializer_list<T> values,
                                GlobalOptions options = {}, Location where = Location::current()) {
  return unsafe::global(token, std::span<const T>(values.begin(), values.size()), options, where);
}

}  // namespace tw::inline v0::unsafe
