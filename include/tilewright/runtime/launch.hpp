// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tilewright/runtime/checks.hpp>
#include <tilewright/runtime/launch_state.hpp>
#include <tilewright/runtime/outputs.hpp>
#include <tilewright/runtime/parameter.hpp>
#include <tilewright/runtime/partition.hpp>

namespace tw::inline v0 {

template <class R>
class Task;
class Executor;

namespace detail {

template <class... P>
struct Types {
  static constexpr std::size_t size = sizeof...(P);
};

/// The parameters of a kernel function.
template <class F>
struct Signature {
  using Parameters = Types<>;
};
template <class... P>
struct Signature<void (*)(P...)> {
  using Parameters = Types<std::remove_cvref_t<P>...>;
};
template <class... P>
struct Signature<void (*)(P...) noexcept> : Signature<void (*)(P...)> {};

template <class F>
inline constexpr bool is_function = false;
template <class... P>
inline constexpr bool is_function<void (*)(P...)> = true;
template <class... P>
inline constexpr bool is_function<void (*)(P...) noexcept> = true;

/// "vadd<float, 128>" in the spelling of the compiler, which may leave the arguments out.
template <auto Fn>
struct KernelName {
  static consteval std::string_view spelling() {
    constexpr std::string_view before = "Fn = ";
    std::string_view name = __PRETTY_FUNCTION__;
    name.remove_prefix(name.find(before) + before.size());
    // g++ says what else the name depends on behind a semicolon.
    name = name.substr(0, std::min(name.find("; "), name.find_last_of(']')));
    if (name.starts_with("(& ")) name = name.substr(3, name.size() - 4);
    if (name.starts_with('&')) name.remove_prefix(1);
    return name;
  }
  struct Text {
    char characters[spelling().size() + 1] = {};
  };
  static consteval Text make() {
    Text name;
    std::size_t i = 0;
    for (const char c : spelling()) name.characters[i++] = c;
    return name;
  }
  static constexpr Text text = make();
};

template <class P>
P device_parameter(const LaunchState& launch, int parameter, PlaceRef place) {
  if constexpr (param<P>::type.kind == ParameterKind::constant) {
    return launch.constant<P>(static_cast<std::size_t>(parameter));
  } else {
    return DeviceParameter<P>::make(parameter, place);
  }
}

template <auto Fn, class... P>
void call_kernel(const LaunchState& launch, PlaceRef place, Types<P...>) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    Fn(device_parameter<P>(launch, static_cast<int>(I), place)...);
  }(std::index_sequence_for<P...>{});
}

template <auto Fn>
ir::Kernel trace(const Specialisation& specialisation, const LaunchState& launch, Location where) {
  const auto call = [](void* context, PlaceRef place) {
    call_kernel<Fn>(*static_cast<const LaunchState*>(context), place,
                    typename Signature<decltype(Fn)>::Parameters{});
  };
  return trace_kernel(specialisation, {const_cast<LaunchState*>(&launch), call}, where);
}

template <auto Fn>
inline KernelTable kernel_table;
template <auto Fn>
inline constexpr KernelInfo kernel_info{KernelName<Fn>::text.characters, &trace<Fn>,
                                        &kernel_table<Fn>};

/// Nothing, where a launch gives nothing back.
struct Nothing {};

template <class... X>
struct ResultOf {
  using type = Outputs<X...>;
};
template <class X>
struct ResultOf<X> {
  using type = X;
};
template <>
struct ResultOf<> {
  using type = void;
};

/// Collects those of the arguments `A` that the launch gives back.
template <class Taken, class P, class A>
struct GivenBack;
template <class... Taken>
struct GivenBack<Types<Taken...>, Types<>, Types<>> : ResultOf<Taken...> {};
template <class... Taken, class P, class... Ps, class A, class... As>
struct GivenBack<Types<Taken...>, Types<P, Ps...>, Types<A, As...>>
    : GivenBack<
          std::conditional_t<param<P>::template gives_back<A>, Types<Taken..., A>, Types<Taken...>>,
          Types<Ps...>, Types<As...>> {};

template <class P, class A>
void bind(LaunchState& launch, std::remove_reference_t<A>& argument) {
  try {
    param<P>::template bind<A>(launch, argument);
  } catch (const LaunchError& error) {
    bind_refused(launch, param<P>::type, error);
  }
}

}  // namespace detail

/// A kernel with its arguments, ready to run. It holds what it was given and leases on all tensors
/// that it reads or that were lent to it, so it may outlive them.
///
/// `R` is what running it gives back: nothing if all outputs were lent, the one thing that was
/// given, or `Outputs` of several.
template <class R>
class [[nodiscard("a launch does nothing until it runs: .on(stream), .sync() or .async(stream)")]]
Launch {
 public:
  using Result = std::conditional_t<std::is_void_v<R>, detail::Nothing, R>;

  /// What `launch` makes.
  Launch(detail::LaunchHandle state, Result result) noexcept
      : state_(std::move(state)), result_(std::move(result)) {}
  Launch(Launch&&) noexcept = default;
  Launch& operator=(Launch&&) noexcept = default;

  /// Hints for all architectures; later ones replace earlier ones.
  [[nodiscard]] Launch hint(const Hints& hints) && {
    if (state_) {
      state_->hints = hints;
      state_->hinted = true;
    }
    return std::move(*this);
  }
  /// Hints for one architecture, on top of those for all.
  [[nodiscard]] Launch hint(Architecture architecture, const Hints& hints) && {
    if (state_) {
      state_->architecture_hints.push_back({architecture, hints});
      state_->hinted = true;
    }
    return std::move(*this);
  }
  /// Refuses to run if checks are left to the device.
  [[nodiscard]] Launch deny_device_checks() && {
    if (state_) state_->deny_device_checks = true;
    return std::move(*this);
  }

  /// Checks the arguments and enqueues the launch; the caller does not wait. What it gives back may
  /// be used at once, in the order of the streams. Throws LaunchError when an argument does not
  /// fit, KernelError when the kernel is wrong for it, CompilerError when no code can be generated.
  R on(const StreamRef& stream, Location where = Location::current()) && {
    detail::enqueue(std::move(state_), stream, where);
    return result();
  }
  /// Runs on the current stream of the tensors' device and waits until the launch is done. Throws
  /// what `on` throws, and DeviceFault when a check failed.
  R sync(Location where = Location::current()) && {
    const StreamRef stream = detail::stream_of(state_, where);
    detail::wait(detail::enqueue(std::move(state_), stream, where), where);
    return result();
  }
  /// Runs nothing, but returns the kernel as it is recorded for these arguments, before any pass:
  /// for looking at its IR. Throws LaunchError and KernelError as `on` does.
  [[nodiscard]] ir::Kernel record(Location where = Location::current()) && {
    return detail::record(std::move(state_), where);
  }
  /// For the runtime: what the launch holds.
  [[nodiscard]] detail::LaunchHandle release() && { return std::move(state_); }
  /// A task that enqueues the launch when it is awaited, and goes on when it is done. Defined in
  /// <tilewright/runtime/async.hpp>.
  Task<R> async(StreamRef stream, Location where = Location::current()) &&;
  /// The same; the task goes on on `executor`, which must outlive it.
  Task<R> async(StreamRef stream, Executor& executor, Location where = Location::current()) &&;

 private:
  R result() {
    if constexpr (!std::is_void_v<R>) return std::move(result_);
  }

  detail::LaunchHandle state_;
  [[no_unique_address]] Result result_;
};

namespace detail {

/// Explains, at compile time, an argument that does not fit its parameter; `Argument` is its
/// number, counted from one, which compilers show beside the explanation.
template <int Argument, class P, class A>
consteval bool check_argument() {
  constexpr bool fits = param<P>::template accepts<A>;
  constexpr ParameterKind kind = param<P>::type.kind;
  using enum ParameterKind;
  if constexpr (kind == out || kind == in_out || kind == outs || kind == in_outs) {
    static_assert(fits,
                  "this kernel parameter is an output: pass a partition of its element type and "
                  "rank, std::move(tensor).partition({...}) or mut(tensor).partition({...}), and a "
                  "partition that has a name as std::move(name); Outs and InOuts take no list");
  } else if constexpr (kind == atomic) {
    static_assert(fits,
                  "this kernel parameter is shared by all blocks and changed: lend a tensor of its "
                  "element type and rank, mut(tensor), or give it, std::move(tensor)");
  } else if constexpr (kind == in) {
    static_assert(fits,
                  "this kernel parameter is an input: pass a Tensor, View or Shared of its element "
                  "type and rank, or for a List a std::vector of them");
  } else if constexpr (kind == grid) {
    static_assert(fits, "this kernel parameter counts the blocks: pass grid(n, ...) of its rank");
  } else if constexpr (kind == scalar) {
    static_assert(fits, "this kernel parameter is a run-time number: pass a plain number");
  } else {
    static_assert(fits, "this kernel parameter is a constant: pass a value that converts to it");
  }
  return fits;
}

template <class P, class A>
auto kept(const LaunchState& launch, std::remove_reference_t<A>& argument) {
  if constexpr (param<P>::template gives_back<A>) {
    return std::tuple<A>(param<P>::template give_back<A>(launch, argument));
  } else {
    return std::tuple<>();
  }
}

/// Whether all arguments fit.
template <class... P, class... A, int... I>
consteval bool check_arguments(Types<P...>, Types<A...>, std::integer_sequence<int, I...>) {
  return (check_argument<I + 1, P, A>() && ...);
}

template <auto Fn, class... P, class... A>
auto make_launch(Types<P...>, A&&... arguments) {
  constexpr std::make_integer_sequence<int, sizeof...(P)> positions;
  if constexpr (check_arguments(Types<P...>{}, Types<A...>{}, positions)) {
    using R = typename GivenBack<Types<>, Types<P...>, Types<A...>>::type;
    LaunchHandle state(kernel_info<Fn>);
    (bind<P, A>(*state, arguments), ...);
    if constexpr (std::is_void_v<R>) {
      return Launch<R>(std::move(state), Nothing());
    } else {
      auto result = std::apply([](auto&&... x) { return R(std::move(x)...); },
                               std::tuple_cat(kept<P, A>(*state, arguments)...));
      return Launch<R>(std::move(state), std::move(result));
    }
  }
}

}  // namespace detail

/// `launch<kernel>(arguments...)`: a kernel function with one argument for each of its parameters.
/// Partitions and tensors that are passed as rvalues are used up, and given back by `.on(stream)`.
///
///     auto z = launch<vadd<float>>(empty<float>(1000).partition({128}), x, y).on(stream);
template <auto Fn, class... A>
[[nodiscard("a launch does nothing until it runs: .on(stream), .sync() or .async(stream)")]] auto
launch(A&&... arguments) {
  static_assert(detail::is_function<decltype(Fn)>,
                "a kernel is a function that returns nothing and has a name: no lambda");
  using Parameters = typename detail::Signature<decltype(Fn)>::Parameters;
  static_assert(!detail::is_function<decltype(Fn)> || sizeof...(A) == Parameters::size,
                "the kernel takes another number of arguments");
  static_assert(Parameters::size <= detail::max_parameters, "a kernel has at most 64 parameters");
  if constexpr (sizeof...(A) == Parameters::size) {
    return detail::make_launch<Fn>(Parameters{}, std::forward<A>(arguments)...);
  }
}

}  // namespace tw::inline v0
