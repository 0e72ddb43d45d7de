// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <tilewright/core/error.hpp>
#include <tilewright/dsl/specialisation.hpp>
#include <tilewright/dsl/trace_kernel.hpp>
#include <tilewright/kernel.hpp>
#include <tilewright/passes/pipeline.hpp>

/// Traces kernels without tensors, as a launch would:
/// `trace<&kernel>(specialise<&kernel>({{cut(8)}}), 32)`.
namespace tw::tests {

/// How one output is divided, axis by axis.
using Cuts = std::vector<Cut>;
inline Cut cut(std::int64_t size) { return {CutKind::tile, size}; }
inline Cut all_of_axis(std::int64_t extent) { return {CutKind::all, extent}; }
inline constexpr Cut whole_axis{CutKind::whole, 0};

namespace detail {

/// What the type of a kernel parameter says about it.
template <class P>
struct Facts {
  static ParameterFacts make() { return {.kind = ParameterKind::constant}; }
};
template <class T, int... D>
ParameterFacts tensor_facts(ParameterKind kind) {
  ParameterFacts facts{.kind = kind, .dtype = dtype_of<T>, .rank = sizeof...(D)};
  if (facts.rank > 0) facts.axes[sizeof...(D) - 1].unit_stride = true;
  return facts;
}
template <class T, int... D>
struct Facts<In<T, D...>> {
  static ParameterFacts make() { return tensor_facts<T, D...>(ParameterKind::in); }
};
template <class T, int... D>
struct Facts<Out<T, D...>> {
  static ParameterFacts make() { return tensor_facts<T, D...>(ParameterKind::out); }
};
template <class T, int... D>
struct Facts<InOut<T, D...>> {
  static ParameterFacts make() { return tensor_facts<T, D...>(ParameterKind::in_out); }
};
template <class T, int... D>
struct Facts<Atomic<T, D...>> {
  static ParameterFacts make() { return tensor_facts<T, D...>(ParameterKind::atomic); }
};
template <class O>
struct Facts<Dealt<O>> {
  static ParameterFacts make() {
    ParameterFacts facts = Facts<O>::make();
    facts.kind = facts.kind == ParameterKind::out ? ParameterKind::outs : ParameterKind::in_outs;
    return facts;
  }
};
template <class V>
struct Facts<List<V>> {
  static ParameterFacts make() {
    ParameterFacts facts = Facts<V>::make();
    facts.list = true;
    return facts;
  }
};
template <class P>
struct Facts<std::optional<P>> {
  static ParameterFacts make() { return Facts<P>::make(); }
};
template <int R>
struct Facts<Grid<R>> {
  static ParameterFacts make() { return {.kind = ParameterKind::grid, .rank = R}; }
};
template <class T>
struct Facts<Tile<T>> {
  static ParameterFacts make() { return {.kind = ParameterKind::scalar, .dtype = dtype_of<T>}; }
};

template <class>
struct Parameters;
template <class... P>
struct Parameters<void (*)(P...)> {
  static std::vector<ParameterFacts> facts() { return {Facts<std::remove_cvref_t<P>>::make()...}; }
  using Types = std::tuple<std::remove_cvref_t<P>...>;
};

template <class P>
inline constexpr bool is_constant = !requires { sizeof(tw::detail::DeviceParameter<P>); };

/// How many of the parameters before number `I` are constants of the specialisation.
template <class Types, std::size_t I>
constexpr std::size_t constants_before() {
  return []<std::size_t... J>(std::index_sequence<J...>) {
    return (std::size_t{0} + ... + is_constant<std::tuple_element_t<J, Types>>);
  }(std::make_index_sequence<I>{});
}

template <class Types, std::size_t I, class Constants>
auto argument(const Constants& constants, tw::detail::PlaceRef place) {
  using P = std::tuple_element_t<I, Types>;
  if constexpr (is_constant<P>) {
    return static_cast<P>(std::get<constants_before<Types, I>()>(constants));
  } else {
    return tw::detail::DeviceParameter<P>::make(static_cast<int>(I), place);
  }
}

inline bool is_output(const ParameterFacts& facts) {
  return facts.kind == ParameterKind::out || facts.kind == ParameterKind::in_out ||
         facts.kind == ParameterKind::outs || facts.kind == ParameterKind::in_outs;
}

}  // namespace detail

/// The specialisation of a kernel for contiguous tensors; `outputs` divides its outputs, in order.
template <auto Kernel>
Specialisation specialise(const std::vector<Cuts>& outputs = {}) {
  Specialisation result;
  result.kernel = "kernel";
  result.parameters = detail::Parameters<decltype(Kernel)>::facts();
  std::size_t next = 0;
  for (ParameterFacts& facts : result.parameters) {
    if (facts.kind == ParameterKind::grid) result.grid_rank = facts.rank;
    if (!detail::is_output(facts) || next == outputs.size()) continue;
    const Cuts& cuts = outputs[next++];
    std::ranges::copy(cuts, facts.cuts.begin());
    const auto blocks = std::ranges::count(cuts, CutKind::tile, &Cut::kind);
    result.grid_rank = std::max(result.grid_rank, static_cast<std::int8_t>(blocks));
  }
  return result;
}

/// Records a kernel; `constants` are its plain C++ parameters, in order.
template <auto Kernel, class... C>
ir::Kernel trace(const Specialisation& specialisation, const C&... constants) {
  using Types = typename detail::Parameters<decltype(Kernel)>::Types;
  std::tuple<C...> values(constants...);
  const auto call = [](void* context, tw::detail::PlaceRef place) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      Kernel(detail::argument<Types, I>(*static_cast<std::tuple<C...>*>(context), place)...);
    }(std::make_index_sequence<std::tuple_size_v<Types>>{});
  };
  return tw::detail::trace_kernel(specialisation, {&values, call}, Location::current());
}

/// What is wrong with a kernel, accesses that never are inside included; empty when nothing is.
template <auto Kernel, class... C>
std::vector<Diagnostic> errors_of(const Specialisation& specialisation, const C&... constants) {
  try {
    return passes::prepare(trace<Kernel>(specialisation, constants...)).report.refuted;
  } catch (const KernelError& error) {
    return error.diagnostics();
  }
}

}  // namespace tw::tests
