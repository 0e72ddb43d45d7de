// SPDX-License-Identifier: Apache-2.0
// What a repeated launch costs on the host, apart from running the kernel.
#include <atomic>
#include <cstdint>
#include <utility>

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
  const auto& [z, z_layout] = Access::state(of.z, here);
  detail::bind_output(*launch, param<Out<int, dyn, dyn>>::type, runtime::StorageRef(z), z_layout,
                      division);
  for (const auto* input : {&of.x, &of.y}) {
    const auto& [storage, layout] = Access::state(*input, here);
    detail::bind_tensor(*launch, param<In2<int>>::type, runtime::StorageRef(storage), layout);
  }
  param<int>::bind<int&>(*launch, scale);
  return launch;
}

/// Validation, lookup and packing for three tensors and a constant whose form is known.
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

/// The same with two specialisations in turn.
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

/// Extents that no launch had before: key, lookup and packing as well.
void prepare_new_form(benchmark::State& state) {
  Arguments of;
  const AxisCut cuts[] = {n, n};
  auto all = empty<int>(of.stream, 4096, n);
  std::int64_t rows = 0;
  for (auto _ : state) {
    rows = rows % 64 + 1;
    detail::LaunchHandle launch(detail::kernel_info<add<int>>);
    const Location here;
    const auto& [storage, layout] = runtime::TensorAccess::state(all, here);
    const runtime::Layout part = runtime::sliced(layout, 0, 0, n * rows, here);
    const detail::Division division = detail::divide(part.extents, cuts, here);
    detail::bind_output(*launch, param<Out<int, dyn, dyn>>::type, runtime::StorageRef(storage),
                        part, division);
    for (const auto* input : {&of.x, &of.y}) {
      const auto& [input_storage, input_layout] = runtime::TensorAccess::state(*input, here);
      detail::bind_tensor(*launch, param<In2<int>>::type, runtime::StorageRef(input_storage),
                          input_layout);
    }
    int scale = 3;
    param<int>::bind<int&>(*launch, scale);
    benchmark::DoNotOptimize(detail::Engine(*launch, of.stream, here).prepare());
  }
}
BENCHMARK(prepare_new_form);

/// The tables alone.
void bind(benchmark::State& state) {
  Arguments of;
  const AxisCut cuts[] = {n, n};
  const detail::Division division = detail::divide(of.z.shape(), cuts, Location());
  for (auto _ : state) benchmark::DoNotOptimize(bound(of, division, 3));
}
BENCHMARK(bind);

template <class T>
void vadd(Out<T, dyn> z, In1<T> x, In1<T> y) {
  z.store(x.load_like(z) + y.load_like(z));
}

/// All that a launch like one before does up to the point where its command is made: the
/// expression, the checks, the code and the arguments. Includes dropping the handles again.
void before_the_queue(benchmark::State& state) {
  Stream stream{Device::cpu()};
  const auto x = filled(stream, 1.f, n);
  const auto y = filled(stream, 2.f, n);
  auto z = empty<float>(stream, n);
  for (auto _ : state) {
    auto made = launch<vadd<float>>(mut(z).partition({n}), x, y);
    detail::LaunchHandle handle = std::move(made).release();
    benchmark::DoNotOptimize(detail::Engine(*handle, stream, Location()).prepare());
  }
}
BENCHMARK(before_the_queue);

/// An increment and a decrement of a count for each of three tensors: what no launch that
/// keeps its memory alive does without. A measure of the machine.
void counts(benchmark::State& state) {
  std::atomic<int> count[3] = {};
  for (auto _ : state) {
    for (auto& each : count) each.fetch_add(1, std::memory_order_relaxed);
    for (auto& each : count) each.fetch_sub(1, std::memory_order_acq_rel);
  }
}
BENCHMARK(counts);

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
