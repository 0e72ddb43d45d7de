// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include <tilewright/core/error.hpp>
#include <tilewright/runtime/create.hpp>

#include "runtime/cuda/transfer.hpp"

namespace tw::inline v0 {
namespace runtime {
namespace {

/// How many elements a host value holds.
std::int64_t elements_a_value(DType dtype) noexcept { return shares_bytes(dtype) ? 2 : 1; }

/// Repeats the bytes of one element over `bytes`.
void repeat(std::byte* to, std::size_t bytes, const std::byte* element,
            std::size_t element_bytes) noexcept {
  const bool all_equal =
      std::all_of(element, element + element_bytes, [&](std::byte b) { return b == element[0]; });
  if (all_equal) {
    std::memset(to, std::to_integer<int>(element[0]), bytes);
    return;
  }
  for (std::size_t at = 0; at < bytes; at += element_bytes) {
    std::memcpy(to + at, element, element_bytes);
  }
}

/// How the bytes of host values become those of a tensor: bools are 0 or 1, whatever the host had.
cuda::CopyBytes copy_values_of(DType dtype) noexcept {
  if (dtype == DType::boolean) {
    return [](std::byte* to, const std::byte* from, std::size_t bytes) noexcept {
      std::transform(from, from + bytes, to,
                     [](std::byte b) { return std::byte{b != std::byte{0}}; });
    };
  }
  return [](std::byte* to, const std::byte* from, std::size_t bytes) noexcept {
    if (bytes != 0) std::memcpy(to, from, bytes);
  };
}

}  // namespace

TensorState allocate(DType dtype, Shape extents, Device device, Location where) {
  Layout layout = row_major(dtype, std::move(extents), where);
  const auto bytes = static_cast<std::size_t>(end_in_bytes(layout));
  return {Storage::allocate(device, bytes, where), std::move(layout)};
}

}  // namespace runtime

namespace detail {

runtime::TensorState filled(DType dtype, const void* element, Shape extents, Device device,
                            Location where) {
  runtime::TensorState state = runtime::allocate(dtype, std::move(extents), device, where);
  std::byte bytes[8] = {};
  std::memcpy(bytes, element, storage_bytes(dtype));
  if (runtime::elements_a_value(dtype) == 2) bytes[0] |= bytes[0] << 4;
  if (device != Device::cpu()) {
    runtime::cuda::fill(state.storage, bytes, storage_bytes(dtype), current_stream(device, where),
                        where);
    return state;
  }
  runtime::repeat(memory_of(*state.storage), state.storage->bytes(), bytes, storage_bytes(dtype));
  state.storage->set_written();
  return state;
}

runtime::TensorState uploaded(DType dtype, const void* values, std::size_t count, Shape extents,
                              Device device, Location where) {
  runtime::TensorState state = runtime::allocate(dtype, std::move(extents), device, where);
  const std::int64_t each = runtime::elements_a_value(dtype);
  const std::int64_t expected = state.layout.size() / each;
  if (std::cmp_not_equal(count, expected)) {
    throw LaunchError(
        fmt::format("a {} tensor of {} takes {} values, not {}", to_string(state.layout.extents),
                    info(dtype).name, expected, count),
        where);
  }
  const std::size_t bytes = state.storage->bytes();
  if (device != Device::cpu()) {
    runtime::cuda::upload(state.storage, values, bytes, runtime::copy_values_of(dtype),
                          current_stream(device, where), where);
    return state;
  }
  runtime::copy_values_of(dtype)(memory_of(*state.storage), static_cast<const std::byte*>(values),
                                 bytes);
  state.storage->set_written();
  return state;
}

runtime::TensorState uploaded(DType dtype, const void* values, std::size_t count, Device device,
                              Location where) {
  const auto extent = static_cast<std::int64_t>(count) * runtime::elements_a_value(dtype);
  return uploaded(dtype, values, count, {extent}, device, where);
}

}  // namespace detail
}  // namespace tw::inline v0
