// SPDX-License-Identifier: Apache-2.0
// What writing a kernel for the assembler costs, and how fast files are read and verified.
#include <cstddef>
#include <vector>

#include <benchmark/benchmark.h>

#include <tilewright/bytecode/reader.hpp>
#include <tilewright/bytecode/writer.hpp>
#include <tilewright/ir/verifier.hpp>

#include "bench/loop_kernel.hpp"

namespace tw::bench {
namespace {

void write_kernel(benchmark::State& state) {
  const ir::Module module = loop_kernel(450);
  for (auto _ : state) {
    benchmark::DoNotOptimize(bytecode::write(module, {.debug_info = state.range(0) != 0}));
  }
}
BENCHMARK(write_kernel)
    ->Name("bytecode/write a kernel of 450 ops")
    ->ArgName("debug_info")
    ->Arg(0)
    ->Arg(1)
    ->Unit(benchmark::kMicrosecond);

void read_kernel(benchmark::State& state) {
  const std::vector<std::byte> file =
      bytecode::write(loop_kernel(45'000), {.debug_info = state.range(0) != 0});
  for (auto _ : state) {
    const ir::Module module = bytecode::read(file);
    if (!ir::verify(module).empty()) state.SkipWithError("the kernel does not verify");
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(file.size()));
}
BENCHMARK(read_kernel)
    ->Name("bytecode/read and verify 45000 ops")
    ->ArgName("debug_info")
    ->Arg(0)
    ->Arg(1)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tw::bench
