// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <tilewright/core/element.hpp>
#include <tilewright/core/location.hpp>
#include <tilewright/runtime/borrow.hpp>
#include <tilewright/runtime/rows.hpp>
#include <tilewright/runtime/tensor.hpp>

/// What hosts can do beyond the safety contract.
namespace tw::inline v0::unsafe {

/// A tensor in memory that the library does not own: `borrow(pointer, rows, columns)` in row-major
/// order, or with explicit extents and strides (in elements). Of constant elements it is a View.
///
/// The caller promises that the memory is valid on the device, and used by nobody else, until all
/// tensors, views and work in flight on it are gone. Throws LaunchError when it overlaps other
/// borrowed memory; views may overlap each other.
template <class T, std::integral... N>
  requires element<std::remove_const_t<T>>
[[nodiscard]] runtime::Borrowed<T, 1 + sizeof...(N)> borrow(T* pointer, runtime::FirstExtent first,
                                                            N... rest) {
  const runtime::Layout layout = runtime::row_major(
      dtype_of<std::remove_const_t<T>>, {first.value, runtime::extent_of(rest)...}, first.where);
  return runtime::TensorAccess::make<runtime::Borrowed<T, 1 + sizeof...(N)>>(tw::detail::borrowed(
      {.address = const_cast<std::remove_const_t<T>*>(pointer), .read_only = std::is_const_v<T>},
      layout, first.where));
}
template <class T, std::size_t N>
  requires element<std::remove_const_t<T>>
[[nodiscard]] runtime::Borrowed<T, N> borrow(T* pointer, runtime::Braced<std::int64_t, N> extents,
                                             runtime::Braced<std::int64_t, N> strides,
                                             Device device = Device::cpu(),
                                             Location where = Location::current()) {
  const runtime::Layout layout =
      runtime::strided(dtype_of<std::remove_const_t<T>>, runtime::shape_of(extents),
                       runtime::shape_of(strides), where);
  return runtime::TensorAccess::make<runtime::Borrowed<T, N>>(
      tw::detail::borrowed({.address = const_cast<std::remove_const_t<T>*>(pointer),
                            .device = device,
                            .read_only = std::is_const_v<T>},
                           layout, where));
}

/// The address of the first element. Work in flight may be using the memory, and the address is no
/// longer valid when the tensor and all views of it are gone.
template <runtime::readable X>
[[nodiscard]] const void* address(const X& tensor, Location where = Location::current()) {
  const runtime::TensorState& state = runtime::TensorAccess::state(tensor, where);
  return tw::detail::memory_of(*state.storage) + state.layout.offset;
}

/// A certificate without a check. The caller promises that no two of `ids` are equal, apart from
/// those that name no row: -1 and `rows`.
[[nodiscard]] inline Rows assume_distinct(Tensor<int, 1>&& ids, std::int64_t rows,
                                          Location where = Location::current()) {
  return tw::detail::certify(runtime::TensorAccess::take(ids, "assume_distinct()", where), rows,
                             where);
}

}  // namespace tw::inline v0::unsafe
