// SPDX-License-Identifier: Apache-2.0
// What a launch costs on the host.
#include <atomic>
#include <utility>

#include <benchmark/benchmark.h>

#include <tilewright/tilewright.hpp>

#include "kernels/vadd.hpp"
#include "runtime/engine.hpp"

namespace tw::bench {
namespace {

constexpr int n = 64;

/// Three small tensors, so that running the kernel takes one block.
struct Arguments {
  Stream stream{Device::cpu()};
  Tensor<float, 1> x = filled(stream, 1.f, n);
  Tensor<float, 1> y = filled(stream, 2.f, n);
  Tensor<float, 1> z = empty<float>(stream, n);
};

auto launch_of(Arguments& of, int cut = n) {
  return launch<kernels::vadd<float>>(mut(of.z).partition({cut}), of.x, of.y);
}

/// All that a launch does up to the point where its command is made: the checks, the code, the
/// arguments. Drops what the launch holds.
template <class R>
void prepare(Launch<R> made, const StreamRef& stream) {
  detail::LaunchHandle handle = std::move(made).release();
  benchmark::DoNotOptimize(detail::Engine(*handle, stream, Location()).prepare());
}

/// The expression alone: the tables of the arguments.
void bind(benchmark::State& state) {
  Arguments of;
  for (auto _ : state) benchmark::DoNotOptimize(launch_of(of));
}
BENCHMARK(bind);

/// A launch like one before.
void before_the_queue(benchmark::State& state) {
  Arguments of;
  for (auto _ : state) prepare(launch_of(of), of.stream);
}
BENCHMARK(before_the_queue);

/// Two forms in turn.
void before_the_queue_alternating(benchmark::State& state) {
  Arguments of;
  int cut = n;
  for (auto _ : state) {
    cut = n + n / 2 - cut;
    prepare(launch_of(of, cut), of.stream);
  }
}
BENCHMARK(before_the_queue_alternating);

/// More forms in turn than a thread keeps plans of: key, lookup and packing each time.
void before_the_queue_new_form(benchmark::State& state) {
  Arguments of;
  int cut = 0;
  for (auto _ : state) {
    cut = cut % n + 1;
    prepare(launch_of(of, cut), of.stream);
  }
}
BENCHMARK(before_the_queue_new_form);

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

/// The whole launch; the stream is drained outside the measured time.
void on(benchmark::State& state) {
  Arguments of;
  int enqueued = 0;
  for (auto _ : state) {
    launch_of(of).on(of.stream);
    if (++enqueued == 100) {
      state.PauseTiming();
      of.stream.sync();
      enqueued = 0;
      state.ResumeTiming();
    }
  }
  of.stream.sync();
}
BENCHMARK(on);

}  // namespace
}  // namespace tw::bench
