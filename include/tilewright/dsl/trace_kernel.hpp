// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/dsl/atomic.hpp>
#include <tilewright/dsl/box_ref.hpp>
#include <tilewright/dsl/output.hpp>

namespace tw::inline v0 {

struct Specialisation;
namespace ir {
struct Kernel;
}

namespace detail {

/// Makes the device-side object of one kernel parameter; constants have no specialisation.
template <class P>
struct DeviceParameter;

template <element T, int... D>
struct DeviceParameter<In<T, D...>> {
  static In<T, D...> make(int parameter, PlaceRef) { return In<T, D...>(input(parameter)); }
};
template <element T, int... D>
struct DeviceParameter<List<In<T, D...>>> {
  static List<In<T, D...>> make(int parameter, PlaceRef place) {
    return List<In<T, D...>>(ParameterRef{parameter, place.trace});
  }
};
template <element T, int... D>
struct DeviceParameter<Out<T, D...>> {
  static Out<T, D...> make(int parameter, PlaceRef place) {
    return Out<T, D...>(owned(parameter, place));
  }
};
template <element T, int... D>
struct DeviceParameter<InOut<T, D...>> {
  static InOut<T, D...> make(int parameter, PlaceRef place) {
    return InOut<T, D...>(owned(parameter, place));
  }
};
template <class O>
struct DeviceParameter<Dealt<O>> {
  static Dealt<O> make(int parameter, PlaceRef place) {
    return Dealt<O>(ParameterRef{parameter, place.trace});
  }
};
template <element T, int... D>
struct DeviceParameter<Atomic<T, D...>> {
  static Atomic<T, D...> make(int parameter, PlaceRef) { return Atomic<T, D...>(input(parameter)); }
};
template <int R>
struct DeviceParameter<Grid<R>> {
  static Grid<R> make(int parameter, PlaceRef place) { return Grid<R>(parameter, place); }
};
template <element T>
struct DeviceParameter<Tile<T>> {
  static Tile<T> make(int parameter, PlaceRef) { return Tile<T>(Trusted{scalar(parameter)}); }
};
template <class P>
struct DeviceParameter<std::optional<P>> {
  static std::optional<P> make(int parameter, PlaceRef place) {
    if (!is_present(parameter)) return std::nullopt;
    return std::optional<P>(DeviceParameter<P>::make(parameter, place));
  }
};

/// A kernel whose parameters are still to be made: `call(context, place)` makes them and runs it
/// once.
struct KernelBody {
  void* context;
  void (*call)(void* context, PlaceRef place);
};

/// Records the kernel for one specialisation. Throws KernelError with everything that is wrong with
/// it.
TILEWRIGHT_API ir::Kernel trace_kernel(const Specialisation& specialisation, KernelBody body,
                                       Location where);

/// Whether the calling thread is recording a kernel.
[[nodiscard]] TILEWRIGHT_API bool is_recording() noexcept;

}  // namespace detail
}  // namespace tw::inline v0
