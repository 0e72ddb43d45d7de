// SPDX-License-Identifier: Apache-2.0
// How fast texts are parsed and printed.
#include <cstdint>
#include <string>

#include <benchmark/benchmark.h>

#include <tilewright/ir/parser.hpp>
#include <tilewright/ir/printer.hpp>

#include "bench/loop_kernel.hpp"

namespace tw::bench {
namespace {

void parse_kernel(benchmark::State& state) {
  const std::string text = ir::print(loop_kernel(45'000));
  for (auto _ : state) benchmark::DoNotOptimize(ir::parse(text, "kernel.mlir"));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}
BENCHMARK(parse_kernel)->Name("text/parse 45000 ops")->Unit(benchmark::kMillisecond);

void print_kernel(benchmark::State& state) {
  const ir::Module module = loop_kernel(45'000);
  std::size_t size = 0;
  for (auto _ : state) size = ir::print(module).size();
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(size));
}
BENCHMARK(print_kernel)->Name("text/print 45000 ops")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tw::bench
