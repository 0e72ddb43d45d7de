// SPDX-License-Identifier: Apache-2.0
// What a repeated launch costs on the host, apart from running the kernel.
#include <benchmark/benchmark.h>

#include <tilewright/kernel.hpp>
#include <tilewright/runtime/create.hpp>
#include <tilewright/runtime/launch.hpp>

#include "runtime/engine.hpp"

namespace {

using namespace tw;

template <class T>
void add(Out<T, dyn, dyn> z, In2<T> x, In2<T> y, int scale) {
  z.store((x.load_like(z) + y.load_like(z)) * scale);
}

constexpr int n = 64;

struct Arguments {
  Stream stream{Device::cpu()};
  Tensor<int, 2> x = filled(stream, 1, n, n);
  Tensor<int, 2> y = filled(stream, 2, n, n);
  Tensor<int, 2> z = empty<int>(stream, n, n);
};

/// A launch whose tables are filled as by `launch<add<int>>(mut(z).partition({n, n}), x, y,
/// scale)`.
detail::LaunchHandle bound(const Arguments& of, const detail::Division& division, int scale) {
  using Access = runtime::TensorAccess;
  detail::LaunchHandle launch(detail::kernel_info<add<int>>);
  const Location here;
  detail::bind_output(*launch, param<Out<int, dyn, dyn>>::type, Access::state(of.z, here),
                      division);
  detail::bind_tensor(*launch, param<In2<int>>::type, Access::state(of.x, here));
  detail::bind_tensor(*launch, param<In2<int>>::type, Access::state(of.y, here));
  param<int>::bind<int&>(*launch, scale);
  return launch;
}

/// Key, validation, lookup and packing for three tensors and a constant.
void prepare(benchmark::State& state) {
  Arguments of;
  launch<add<int>>(mut(of.z).partition({n, n}), of.x, of.y, 3).on(of.stream);
  const AxisCut cuts[] = {n, n};
  const detail::Division division = detail::divide(of.z.shape(), cuts, Location());
  for (auto _ : state) {
    detail::LaunchHandle launch = bound(of, division, 3);
    benchmark::DoNotOptimize(detail::Engine(*launch, of.stream, Location()).prepare());
  }
}
BENCHMARK(prepare);

/// The same with two specialisations in turn, so that the last one found is never the right one.
void prepare_alternating(benchmark::State& state) {
  Arguments of;
  const AxisCut cuts[] = {n, n};
  const detail::Division division = detail::divide(of.z.shape(), cuts, Location());
  int scale = 0;
  for (auto _ : state) {
    scale = 1 - scale;
    detail::LaunchHandle launch = bound(of, division, scale);
    benchmark::DoNotOptimize(detail::Engine(*launch, of.stream, Location()).prepare());
  }
}
BENCHMARK(prepare_alternating);

/// The tables alone.
void bind(benchmark::State& state) {
  Arguments of;
  const AxisCut cuts[] = {n, n};
  const detail::Division division = detail::divide(of.z.shape(), cuts, Location());
  for (auto _ : state) benchmark::DoNotOptimize(bound(of, division, 3));
}
BENCHMARK(bind);

/// The whole expression, up to the point where the launch would be enqueued.
void expression(benchmark::State& state) {
  Arguments of;
  for (auto _ : state) {
    benchmark::DoNotOptimize(launch<add<int>>(mut(of.z).partition({n, n}), of.x, of.y, 3));
  }
}
BENCHMARK(expression);

/// Everything, the kernel included: one block of 64 x 64 elements in the interpreter.
void on(benchmark::State& state) {
  Arguments of;
  for (auto _ : state) {
    launch<add<int>>(mut(of.z).partition({n, n}), of.x, of.y, 3).on(of.stream);
  }
  of.stream.sync();
}
BENCHMARK(on);

}  // namespace
