// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <tilewright/core/export.hpp>
#include <tilewright/core/location.hpp>
#include <tilewright/runtime/create.hpp>
#include <tilewright/runtime/mut.hpp>
#include <tilewright/runtime/stream.hpp>
#include <tilewright/runtime/tensor.hpp>
#include <tilewright/runtime/view.hpp>

namespace tw::inline v0 {

namespace detail {

/// Writes a tensor's elements to `host` in row-major order, packed: a read in the order of the
/// ledger, for which the calling thread waits. Throws as `to_host`.
TILEWRIGHT_API void download(const runtime::TensorState& from, void* host, Location where);

}  // namespace detail

namespace runtime {

/// How many bytes the elements of a tensor take, packed.
[[nodiscard]] TILEWRIGHT_API std::size_t download_bytes(const TensorState& from) noexcept;

/// Enqueues a copy between tensors of one type and the same extents.
TILEWRIGHT_API void enqueue_copy(const TensorState& to, const TensorState& from,
                                 const StreamRef& stream, Location where);

}  // namespace runtime

/// A copy of the elements in row-major order, once all that was enqueued to write them has run.
/// What is enqueued to write them meanwhile comes after the copy. Throws the first fault of a
/// writer that nobody has collected, and LaunchError in a command that writes them itself.
template <runtime::readable X>
[[nodiscard]] std::vector<host_type<typename X::element_type>> to_host(
    const X& tensor, Location where = Location::current()) {
  using Value = host_type<typename X::element_type>;
  const runtime::TensorState& state = runtime::TensorAccess::state(tensor, where);
  std::vector<Value> values(runtime::download_bytes(state) / sizeof(Value));
  detail::download(state, values.data(), where);
  return values;
}

/// Copies all elements on a stream; the caller does not wait. Throws LaunchError when the extents
/// differ or the tensors have elements in common.
template <element T, int R, runtime::readable X>
  requires(std::same_as<typename X::element_type, T> && X::rank == R)
void copy(Mut<T, R> to, const X& from, const StreamRef& stream,
          Location where = Location::current()) {
  runtime::enqueue_copy(runtime::TensorAccess::take(to, "copy()", where),
                        runtime::TensorAccess::state(from, where), stream, where);
}
template <element T, int R, runtime::readable X>
  requires(std::same_as<typename X::element_type, T> && X::rank == R)
void copy(Mut<T, R> to, const X& from, Location where = Location::current()) {
  const Device device = runtime::TensorAccess::state(from, where).storage->device();
  copy(std::move(to), from, current_stream(device, where), where);
}

/// A new tensor with the same elements, in row-major order without gaps, copied on a stream; the
/// caller does not wait.
template <runtime::readable X>
[[nodiscard]] Tensor<typename X::element_type, X::rank> clone(
    const X& from, const StreamRef& stream, Location where = Location::current()) {
  const runtime::TensorState& state = runtime::TensorAccess::state(from, where);
  runtime::TensorState copied =
      runtime::allocate(state.layout.dtype, state.layout.extents, stream.device(where), where);
  runtime::enqueue_copy(copied, state, stream, where);
  return runtime::TensorAccess::make<Tensor<typename X::element_type, X::rank>>(std::move(copied));
}
template <runtime::readable X>
[[nodiscard]] Tensor<typename X::element_type, X::rank> clone(
    const X& from, Location where = Location::current()) {
  const Device device = runtime::TensorAccess::state(from, where).storage->device();
  return clone(from, current_stream(device, where), where);
}

}  // namespace tw::inline v0
