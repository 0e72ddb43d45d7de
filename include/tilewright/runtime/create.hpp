// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <type_traits>
#include <utility>

#include <tilewright/core/element.hpp>
#include <tilewright/core/export.hpp>
#include <tilewright/core/location.hpp>
#include <tilewright/runtime/device.hpp>
#include <tilewright/runtime/stream.hpp>
#include <tilewright/runtime/tensor.hpp>

namespace tw::inline v0 {

/// Where a new tensor lives: a device, or that of a stream.
class Place {
 public:
  Place(Device device) noexcept : device_(device) {}  // NOLINT(google-explicit-constructor)
  Place(const StreamRef& stream,                      // NOLINT(google-explicit-constructor)
        Location where = Location::current())
      : device_(stream.device(where)) {}

  [[nodiscard]] Device device() const noexcept { return device_; }

 private:
  Device device_;
};

namespace detail {
template <class T>
struct HostType {
  using type = T;
};
template <>
struct HostType<bool> {
  using type = std::uint8_t;
};
template <>
struct HostType<f4e2m1> {
  using type = std::uint8_t;
};
}  // namespace detail

/// What a std::vector of the elements of a tensor holds: `T`, but a byte (0 or 1) for bool, and a
/// byte for each two f4e2m1, the element of even index in its low half.
template <element T>
using host_type = typename detail::HostType<T>::type;

namespace runtime {

/// What does not fit becomes the largest extent, which no tensor can have.
template <std::integral I>
[[nodiscard]] constexpr std::int64_t extent_of(I extent) noexcept {
  return std::cmp_greater(extent, std::numeric_limits<std::int64_t>::max())
             ? std::numeric_limits<std::int64_t>::max()
             : static_cast<std::int64_t>(extent);
}

/// The first of several extents, which also notes the user's line.
struct FirstExtent {
  template <std::integral I>
    requires(!std::same_as<I, bool>)
  FirstExtent(I extent, Location at = Location::current()) noexcept  // NOLINT
      : value(extent_of(extent)), where(at) {}

  std::int64_t value;
  Location where;
};

/// What a contiguous container or view of a number of values holds.
template <class V>
using ValueOf = std::remove_cvref_t<decltype(*std::data(std::declval<const V&>()))>;
template <class V>
concept host_values = requires(const V& values) {
  typename ValueOf<V>;
  std::size(values);
};

/// A new tensor of unspecified contents.
[[nodiscard]] TILEWRIGHT_API TensorState allocate(DType dtype, Shape extents, Device device,
                                                  Location where);

}  // namespace runtime

namespace detail {

/// Elements on the host, in row-major order, and the user's line.
template <element T>
struct HostElements {
  template <runtime::host_values V>
    requires(std::same_as<runtime::ValueOf<V>, host_type<T>> ||
             (std::same_as<runtime::ValueOf<V>, T> && !std::same_as<T, f4e2m1>))
  HostElements(const V& values, Location at = Location::current())  // NOLINT
      : data(std::data(values)), count(std::size(values)), where(at) {}
  HostElements(std::initializer_list<host_type<T>> values, Location at = Location::current())
      : data(std::data(values)), count(values.size()), where(at) {}

  const void* data;
  std::size_t count;  ///< of `host_type<T>`
  Location where;
};

/// A new tensor whose elements all have the bits at `element`.
[[nodiscard]] TILEWRIGHT_API runtime::TensorState filled(DType dtype, const void* element,
                                                         Shape extents, Device device,
                                                         Location where);
/// A new tensor with a copy of `count` host values; those of four-bit elements hold two each.
[[nodiscard]] TILEWRIGHT_API runtime::TensorState uploaded(DType dtype, const void* values,
                                                           std::size_t count, Shape extents,
                                                           Device device, Location where);
/// The same of rank one, whose extent is what `values` holds.
[[nodiscard]] TILEWRIGHT_API runtime::TensorState uploaded(DType dtype, const void* values,
                                                           std::size_t count, Device device,
                                                           Location where);

}  // namespace detail

/// A tensor of unspecified contents, with these extents: `empty<float>(rows, columns)`, on the
/// default device or where the first argument says. Throws LaunchError when an extent is negative
/// or the size does not fit in 64 bits, DeviceError when the device has too little memory.
template <element T>
[[nodiscard]] Tensor<T, 0> empty(Location where = Location::current()) {
  return runtime::TensorAccess::make<Tensor<T, 0>>(
      runtime::allocate(dtype_of<T>, {}, default_device(where), where));
}
template <element T, std::integral... N>
[[nodiscard]] Tensor<T, 1 + sizeof...(N)> empty(Place place, runtime::FirstExtent first,
                                                N... rest) {
  return runtime::TensorAccess::make<Tensor<T, 1 + sizeof...(N)>>(runtime::allocate(
      dtype_of<T>, {first.value, runtime::extent_of(rest)...}, place.device(), first.where));
}
template <element T, std::integral... N>
[[nodiscard]] Tensor<T, 1 + sizeof...(N)> empty(runtime::FirstExtent first, N... rest) {
  return empty<T>(Place(default_device(first.where)), first, rest...);
}

/// A tensor whose elements all are `value`: `filled(1.5f, n)`, or `filled<half>(1.5f, n)` to
/// convert it. Throws as `empty`. (`full` and `zeros` make tiles in a kernel.)
template <class T = void, class V, std::integral... N>
  requires element<std::conditional_t<std::is_void_v<T>, V, T>>
[[nodiscard]] auto filled(Place place, V value, runtime::FirstExtent first, N... rest) {
  using Element = std::conditional_t<std::is_void_v<T>, V, T>;
  const auto element = static_cast<Element>(value);
  return runtime::TensorAccess::make<Tensor<Element, 1 + sizeof...(N)>>(
      detail::filled(dtype_of<Element>, &element, {first.value, runtime::extent_of(rest)...},
                     place.device(), first.where));
}
template <class T = void, class V, std::integral... N>
  requires(element<std::conditional_t<std::is_void_v<T>, V, T>> && !std::convertible_to<V, Place>)
[[nodiscard]] auto filled(V value, runtime::FirstExtent first, N... rest) {
  return filled<T>(Place(default_device(first.where)), value, first, rest...);
}

/// A tensor of zeros: `zeroed<float>(n)`. Throws as `empty`.
template <element T, std::integral... N>
[[nodiscard]] Tensor<T, 1 + sizeof...(N)> zeroed(Place place, runtime::FirstExtent first,
                                                 N... rest) {
  return filled<T>(place, T{}, first, rest...);
}
template <element T, std::integral... N>
[[nodiscard]] Tensor<T, 1 + sizeof...(N)> zeroed(runtime::FirstExtent first, N... rest) {
  return filled<T>(default_device(first.where), T{}, first, rest...);
}

/// A tensor with a copy of host values in row-major order: `from_host<float>(values, rows,
/// columns)` of any contiguous range of `host_type<T>`, or without extents, of rank one. Throws
/// LaunchError when the number of values is not what the extents say, else as `empty`.
template <element T, std::integral... N>
[[nodiscard]] Tensor<T, sizeof...(N)> from_host(Place place, detail::HostElements<T> values,
                                                N... extents)
  requires(sizeof...(N) > 0)
{
  return runtime::TensorAccess::make<Tensor<T, sizeof...(N)>>(
      detail::uploaded(dtype_of<T>, values.data, values.count, {runtime::extent_of(extents)...},
                       place.device(), values.where));
}
template <element T>
[[nodiscard]] Tensor<T, 1> from_host(Place place, detail::HostElements<T> values) {
  return runtime::TensorAccess::make<Tensor<T, 1>>(
      detail::uploaded(dtype_of<T>, values.data, values.count, place.device(), values.where));
}
template <element T, std::integral... N>
[[nodiscard]] auto from_host(detail::HostElements<T> values, N... extents) {
  return from_host<T>(Place(default_device(values.where)), values, extents...);
}

/// The same, with the element type of the range.
template <runtime::host_values V, std::integral... N>
  requires element<runtime::ValueOf<V>>
[[nodiscard]] auto from_host(Place place, const V& values, runtime::FirstExtent first, N... rest) {
  using T = runtime::ValueOf<V>;
  return from_host<T>(place, detail::HostElements<T>(values, first.where), first.value, rest...);
}
template <runtime::host_values V, std::integral... N>
  requires element<runtime::ValueOf<V>>
[[nodiscard]] auto from_host(const V& values, runtime::FirstExtent first, N... rest) {
  return from_host(Place(default_device(first.where)), values, first, rest...);
}
template <runtime::host_values V>
  requires element<runtime::ValueOf<V>>
[[nodiscard]] auto from_host(const V& values, Location where = Location::current()) {
  using T = runtime::ValueOf<V>;
  return from_host<T>(Place(default_device(where)), detail::HostElements<T>(values, where));
}

}  // namespace tw::inline v0
