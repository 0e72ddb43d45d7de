// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <tuple>
#include <utility>

#include <tilewright/runtime/partition.hpp>

namespace tw::inline v0 {

namespace detail {

/// The tensors behind what a launch gave back.
template <class T, int R>
Tensor<T, R> joined(Partition<T, R>&& partition, Location where) {
  return std::move(partition).join(where);
}
template <class T, int R>
std::vector<Tensor<T, R>> joined(PartitionList<T, R>&& partition, Location where) {
  return std::move(partition).join(where);
}
template <class T, int R>
Tensor<T, R> joined(Tensor<T, R>&& tensor, Location) {
  return std::move(tensor);
}
template <class X>
auto joined(std::optional<X>&& optional, Location where)
    -> std::optional<decltype(joined(std::move(*optional), where))> {
  if (!optional) return std::nullopt;
  return joined(std::move(*optional), where);
}

}  // namespace detail

/// What a launch gave back, when it was given several things: in the order of the parameters.
///
///     auto [y, rstd] = launch<rms_norm<float>>(...).on(stream);
///     auto [y, rstd] = launch<rms_norm<float>>(...).on(stream).join();
template <class... X>
class [[nodiscard("the launch gives the outputs back: they own their tensors")]] Outputs {
 public:
  explicit Outputs(X... outputs) : outputs_(std::move(outputs)...) {}

  /// All tensors again.
  [[nodiscard]] auto join(Location where = Location::current()) && {
    return std::apply(
        [&](X&... outputs) { return std::tuple(detail::joined(std::move(outputs), where)...); },
        outputs_);
  }

  template <std::size_t I>
  [[nodiscard]] auto& get() & noexcept {
    return std::get<I>(outputs_);
  }
  template <std::size_t I>
  [[nodiscard]] auto&& get() && noexcept {
    return std::get<I>(std::move(outputs_));
  }

 private:
  std::tuple<X...> outputs_;
};

}  // namespace tw::inline v0

template <class... X>
struct std::tuple_size<tw::Outputs<X...>> : std::integral_constant<std::size_t, sizeof...(X)> {};
template <std::size_t I, class... X>
struct std::tuple_element<I, tw::Outputs<X...>> : std::tuple_element<I, std::tuple<X...>> {};
