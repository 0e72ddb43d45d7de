// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include <tilewright/dsl/trace_kernel.hpp>
#include <tilewright/runtime/host_number.hpp>
#include <tilewright/runtime/launch_state.hpp>
#include <tilewright/runtime/partition.hpp>

namespace tw::inline v0 {

namespace detail {

/// A tensor to read, of this element type and rank; a loan is for writing.
template <class A, class T, int R>
concept readable_as = runtime::readable<std::remove_cvref_t<A>> &&
                      !std::is_same_v<std::remove_cvref_t<A>, Mut<T, R>> &&
                      std::is_same_v<typename std::remove_cvref_t<A>::element_type, T> &&
                      std::remove_cvref_t<A>::rank == R;

template <class A, class T, int R>
inline constexpr bool is_list_of = false;
template <class X, class T, int R>
inline constexpr bool is_list_of<std::vector<X>, T, R> = readable_as<X, T, R>;

/// Whether an argument that was passed as `A` is one to take over.
template <class A>
inline constexpr bool is_given = !std::is_reference_v<A> && !std::is_const_v<A>;

/// The state of an input that is given to the launch of `kernel`, which drops it when it is done: a
/// workspace, or a view that owns a borrowing.
template <runtime::readable X>
[[nodiscard]] runtime::TensorState take_over(X& tensor, const char* kernel) {
  if constexpr (std::is_same_v<X, Tensor<typename X::element_type, X::rank>>) {
    return runtime::TensorAccess::take(tensor, kernel, Location());
  } else {
    X taken(std::move(tensor));
    return runtime::TensorAccess::hand_over(taken);
  }
}

/// The `ParameterType` of a view or an output of `T` whose extents are `D`.
template <class T, int... D>
consteval ParameterType tensor_parameter(ParameterKind kind) {
  static_assert(sizeof...(D) <= max_rank, "tensors have at most 6 axes");
  ParameterType type{.kind = kind, .dtype = dtype_of<T>, .rank = sizeof...(D)};
  int axis = 0;
  ((type.extents[axis++] = D), ...);
  type.fixes_extents = ((D >= 0) || ...);
  return type;
}

/// What the outputs have in common: every kind of partition binds alike.
template <ParameterKind Kind, class T, int... D>
struct OutputParameter {
  static constexpr int rank = sizeof...(D);
  static constexpr ParameterType type = tensor_parameter<T, D...>(Kind);

  /// What is dealt belongs to one tensor.
  static constexpr bool takes_list = Kind == ParameterKind::out || Kind == ParameterKind::in_out;
  template <class A>
  static constexpr bool is_list = takes_list && (std::is_same_v<A, PartitionList<T, rank>> ||
                                                 std::is_same_v<A, LentPartitionList<T, rank>>);
  template <class A>
  static constexpr bool gives_back = std::is_same_v<A, Partition<T, rank>> ||
                                     (takes_list && std::is_same_v<A, PartitionList<T, rank>>);
  template <class A>
  static constexpr bool accepts =
      gives_back<A> || is_list<A> || std::is_same_v<A, LentPartition<T, rank>>;

  template <class A>
  static void bind(LaunchState& launch, A& partition) {
    const Division& division = PartitionAccess::division(partition);
    if constexpr (is_list<A>) {
      bind_output_list(launch, type, PartitionAccess::tensors(partition).get(Location()), division);
      if constexpr (!gives_back<A>) {
        static_cast<void>(PartitionAccess::take(partition, launch.kernel->name));
      }
    } else if constexpr (gives_back<A>) {
      const auto& [storage, layout] = PartitionAccess::tensors(partition).get(Location());
      bind_output(launch, type, runtime::StorageRef(storage), layout, division);
    } else {
      auto&& [storage, layout] = PartitionAccess::take_tensor(partition, launch.kernel->name);
      bind_output(launch, type, std::move(storage), layout, division);
    }
  }
  template <class A>
  static A give_back(const LaunchState& launch, A& partition) {
    return PartitionAccess::take(partition, launch.kernel->name);
  }
};

template <class A>
inline constexpr bool is_optional = false;
template <class X>
inline constexpr bool is_optional<std::optional<X>> = true;

/// What lies in an optional that was passed as `A`: an lvalue of an lvalue.
template <class A>
using Inside = decltype(*std::declval<A>());
template <class A>
using InsideArgument = std::conditional_t<std::is_lvalue_reference_v<A>, Inside<A>,
                                          std::remove_reference_t<Inside<A>>>;

}  // namespace detail

/// How a host argument becomes a kernel parameter of type `P`. Programs may specialise it for types
/// of their own.
///
/// `type` says what the parameter is, `accepts<A>` whether an argument that was passed as `A` fits
/// (an lvalue reference for lvalues), `gives_back<A>` whether the launch returns it. `bind<A>` adds
/// the argument to the launch; `give_back<A>` then makes what the launch returns.
template <class P>
struct param;

template <kernel_constant P>
struct param<P> {
  static constexpr detail::ParameterType type{.kind = ParameterKind::constant};
  template <class A>
  static constexpr bool accepts = std::is_convertible_v<A, P>;
  template <class A>
  static constexpr bool gives_back = false;

  template <class A>
  static void bind(detail::LaunchState& launch, std::remove_reference_t<A>& argument) {
    static_assert(alignof(P) <= alignof(std::max_align_t),
                  "a constant of a kernel has no extended alignment");
    using Argument = std::remove_cvref_t<A>;
    bool fits = true;
    if constexpr (std::is_arithmetic_v<P> && std::is_arithmetic_v<Argument>) {
      fits = detail::host_number(argument, detail::dtype_like<P>()).fits;
    }
    const P value = static_cast<P>(argument);
    ::new (detail::bind_constant(launch, sizeof(P), fits)) P(value);
    detail::append_constant(launch.key, value);
  }
};

template <element T>
struct param<Tile<T>> {
  static constexpr detail::ParameterType type{.kind = ParameterKind::scalar, .dtype = dtype_of<T>};
  template <class A>
  static constexpr bool accepts =
      std::is_arithmetic_v<std::remove_cvref_t<A>> || std::is_same_v<std::remove_cvref_t<A>, T>;
  template <class A>
  static constexpr bool gives_back = false;

  template <class A>
  static void bind(detail::LaunchState& launch, const std::remove_reference_t<A>& argument) {
    if constexpr (std::is_arithmetic_v<std::remove_cvref_t<A>>) {
      detail::bind_scalar(launch, type, detail::host_number(argument, type.dtype));
    } else {
      detail::bind_scalar(launch, type, {argument.bits(), true});
    }
  }
};

template <element T, int... D>
struct param<In<T, D...>> {
  static constexpr int rank = sizeof...(D);
  static constexpr detail::ParameterType type =
      detail::tensor_parameter<T, D...>(ParameterKind::in);
  template <class A>
  static constexpr bool accepts = detail::readable_as<A, T, rank>;
  template <class A>
  static constexpr bool gives_back = false;

  template <class A>
  static void bind(detail::LaunchState& launch, std::remove_reference_t<A>& tensor) {
    if constexpr (detail::is_given<A>) {
      auto [storage, layout] = detail::take_over(tensor, launch.kernel->name);
      detail::bind_tensor(launch, type, std::move(storage), layout);
    } else {
      const auto& [storage, layout] = runtime::TensorAccess::state(tensor, Location());
      detail::bind_tensor(launch, type, runtime::StorageRef(storage), layout);
    }
  }
};

template <element T, int... D>
struct param<List<In<T, D...>>> {
  static constexpr detail::ParameterType type =
      detail::tensor_parameter<T, D...>(ParameterKind::in);
  template <class A>
  static constexpr bool accepts = detail::is_list_of<std::remove_cvref_t<A>, T, sizeof...(D)>;
  template <class A>
  static constexpr bool gives_back = false;

  template <class A>
  static void bind(detail::LaunchState& launch, std::remove_reference_t<A>& tensors) {
    std::vector<runtime::TensorState> states;
    states.reserve(tensors.size());
    for (auto& tensor : tensors) {
      if constexpr (detail::is_given<A>) {
        states.push_back(detail::take_over(tensor, launch.kernel->name));
      } else {
        states.push_back(runtime::TensorAccess::state(tensor, Location()));
      }
    }
    detail::bind_list(launch, type, std::move(states));
    if constexpr (detail::is_given<A>) tensors.clear();
  }
};

template <element T, int... D>
struct param<Out<T, D...>> : detail::OutputParameter<ParameterKind::out, T, D...> {};
template <element T, int... D>
struct param<InOut<T, D...>> : detail::OutputParameter<ParameterKind::in_out, T, D...> {};
template <element T, int... D>
struct param<Outs<T, D...>> : detail::OutputParameter<ParameterKind::outs, T, D...> {};
template <element T, int... D>
struct param<InOuts<T, D...>> : detail::OutputParameter<ParameterKind::in_outs, T, D...> {};

template <element T, int... D>
struct param<Atomic<T, D...>> {
  static constexpr int rank = sizeof...(D);
  static constexpr detail::ParameterType type =
      detail::tensor_parameter<T, D...>(ParameterKind::atomic);
  template <class A>
  static constexpr bool gives_back = std::is_same_v<A, Tensor<T, rank>>;
  template <class A>
  static constexpr bool accepts = gives_back<A> || std::is_same_v<A, Mut<T, rank>>;

  template <class A>
  static void bind(detail::LaunchState& launch, A& tensor) {
    using Access = runtime::TensorAccess;
    if constexpr (gives_back<A>) {
      const auto& [storage, layout] = Access::state(tensor, Location());
      detail::bind_tensor(launch, type, runtime::StorageRef(storage), layout);
    } else {
      auto&& [storage, layout] = Access::take(tensor, launch.kernel->name, Location());
      detail::bind_tensor(launch, type, std::move(storage), layout);
    }
  }
  template <class A>
  static A give_back(const detail::LaunchState& launch, A& tensor) {
    using Access = runtime::TensorAccess;
    if (!Access::held(tensor)) return std::move(tensor);
    return Access::make<A>(Access::take(tensor, launch.kernel->name, Location()));
  }
};

template <int R>
struct param<Grid<R>> {
  static constexpr detail::ParameterType type{.kind = ParameterKind::grid, .rank = R};
  template <class A>
  static constexpr bool accepts = std::is_same_v<std::remove_cvref_t<A>, BlockGrid<R>>;
  template <class A>
  static constexpr bool gives_back = false;

  template <class A>
  static void bind(detail::LaunchState& launch, const std::remove_reference_t<A>& grid) {
    detail::bind_grid(launch, type, grid.extents);
  }
};

/// An optional parameter takes what `P` takes, std::nullopt, or an optional of what `P` takes.
/// Whether it is there is a constant of the specialisation.
template <class P>
struct param<std::optional<P>> {
  static constexpr detail::ParameterType type = param<P>::type;

  template <class A>
  static consteval bool check_accepts() {
    if constexpr (std::is_same_v<std::remove_cvref_t<A>, std::nullopt_t>) {
      return true;
    } else if constexpr (detail::is_optional<std::remove_cvref_t<A>>) {
      return param<P>::template accepts<detail::InsideArgument<A>>;
    } else {
      return param<P>::template accepts<A>;
    }
  }
  template <class A>
  static consteval bool check_gives_back() {
    if constexpr (std::is_same_v<std::remove_cvref_t<A>, std::nullopt_t>) {
      return false;
    } else if constexpr (detail::is_optional<std::remove_cvref_t<A>>) {
      return param<P>::template gives_back<detail::InsideArgument<A>>;
    } else {
      return param<P>::template gives_back<A>;
    }
  }
  template <class A>
  static constexpr bool accepts = check_accepts<A>();
  template <class A>
  static constexpr bool gives_back = check_gives_back<A>();

  template <class A>
  static void bind(detail::LaunchState& launch, std::remove_reference_t<A>& argument) {
    if constexpr (std::is_same_v<std::remove_cvref_t<A>, std::nullopt_t>) {
      detail::bind_absent(launch, type);
    } else if constexpr (detail::is_optional<std::remove_cvref_t<A>>) {
      if (argument) {
        param<P>::template bind<detail::InsideArgument<A>>(launch, *argument);
      } else {
        detail::bind_absent(launch, type);
      }
    } else {
      param<P>::template bind<A>(launch, argument);
    }
  }
  template <class A>
  static A give_back(const detail::LaunchState& launch, A& argument) {
    if constexpr (detail::is_optional<A>) {
      if (!argument) return std::nullopt;
      return A(param<P>::template give_back<typename A::value_type>(launch, *argument));
    } else {
      return param<P>::template give_back<A>(launch, argument);
    }
  }
};

}  // namespace tw::inline v0
