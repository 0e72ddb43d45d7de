// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include <tilewright/core/element.hpp>
#include <tilewright/core/export.hpp>
#include <tilewright/core/location.hpp>
#include <tilewright/runtime/create.hpp>
#include <tilewright/runtime/device.hpp>
#include <tilewright/runtime/loan.hpp>
#include <tilewright/runtime/tensor.hpp>
#include <tilewright/runtime/view.hpp>

namespace tw::inline v0 {

namespace detail {

/// A tensor in the memory of a loan. Its elements begin at the start; `loan.bytes` 0 stands for
/// what the layout spans.
[[nodiscard]] TILEWRIGHT_API runtime::TensorState borrowed(Loan loan, const runtime::Layout& layout,
                                                           Location where);

/// A tensor in `count` host values of somebody who keeps them until the last owner is gone.
[[nodiscard]] TILEWRIGHT_API runtime::TensorState borrowed_values(DType dtype, const void* values,
                                                                  std::size_t count, bool read_only,
                                                                  Shape extents, Location where);

}  // namespace detail

namespace runtime {

/// What borrowing gives: a tensor, or of constant elements a view.
template <class T, int R, class E = std::remove_const_t<T>>
using Borrowed = std::conditional_t<std::is_const_v<T>, View<E, R>, Tensor<E, R>>;

}  // namespace runtime

/// A tensor in the caller's own host memory, in row-major order: a `Tensor` that kernels may write,
/// or of a span of constant values a `View`. While it lives, only it may be used for them.
///
/// The values must outlive it, or what it is moved on to: a partition, a launch, its parts. The
/// destructor of the last of them ends the borrowing: it waits for work in flight, and everything
/// that was made of the tensor without moving it (views, copies of a view, loans, launches that are
/// still to run) is refused from then on with LaunchError.
///
/// Throws LaunchError when the number of values is not what the extents say, or when they overlap
/// other borrowed memory; views may overlap each other.
template <class T, std::size_t Count, std::integral... N>
  requires(element<std::remove_const_t<T>> && !std::same_as<std::remove_const_t<T>, f4e2m1>)
[[nodiscard]] runtime::Borrowed<T, 1 + sizeof...(N)> borrow(
    std::span<T, Count> values TILEWRIGHT_LIFETIMEBOUND, runtime::FirstExtent first, N... rest) {
  return runtime::TensorAccess::make<runtime::Borrowed<T, 1 + sizeof...(N)>>(
      detail::borrowed_values(dtype_of<std::remove_const_t<T>>, values.data(), values.size(),
                              std::is_const_v<T>, {first.value, runtime::extent_of(rest)...},
                              first.where));
}

}  // namespace tw::inline v0
