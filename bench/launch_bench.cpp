// SPDX-License-Identifier: Apache-2.0
// What a launch costs whose code is known: checking the arguments, finding the code, packing,
// enqueueing.
#include <benchmark/benchmark.h>

#include <tilewright/tilewright.hpp>

#include "kernels/vadd.hpp"

namespace tw::bench {
namespace {

/// A thousand launches of three small tensors; the stream is drained outside the measured time.
void cached_launch(benchmark::State& state) {
  const auto x = zeroed<float>(64);
  const auto y = zeroed<float>(64);
  auto z = zeroed<float>(64);
  Stream stream;
  launch<kernels::vadd<float>>(mut(z).partition({64}), x, y).on(stream);
  stream.sync();
  int enqueued = 0;
  for (auto _ : state) {
    launch<kernels::vadd<float>>(mut(z).partition({64}), x, y).on(stream);
    if (++enqueued == 100) {
      state.PauseTiming();
      stream.sync();
      enqueued = 0;
      state.ResumeTiming();
    }
  }
  stream.sync();
}
BENCHMARK(cached_launch)->Name("vadd/launch, code cached, 3 tensors")->Unit(benchmark::kNanosecond);

}  // namespace
}  // namespace tw::bench
