// SPDX-License-Identifier: Apache-2.0
// What the first launch of a kernel costs before code is generated: recording it and all passes.
#include <benchmark/benchmark.h>

#include <tilewright/dsl/specialisation.hpp>
#include <tilewright/dsl/trace_kernel.hpp>
#include <tilewright/passes/pipeline.hpp>

#include "kernels/attention.hpp"

namespace tw::bench {
namespace {

ParameterFacts tensor(ParameterKind kind, int rank) {
  ParameterFacts facts;
  facts.kind = kind;
  facts.dtype = DType::f16;
  facts.rank = static_cast<std::int8_t>(rank);
  facts.axes[static_cast<std::size_t>(rank - 1)].unit_stride = true;
  return facts;
}

Specialisation attention_facts() {
  Specialisation facts;
  facts.kernel = "attention";
  facts.grid_rank = 3;
  ParameterFacts out = tensor(ParameterKind::out, 4);
  out.cuts = {{{CutKind::tile, 1}, {CutKind::tile, 1}, {CutKind::tile, 64}, {CutKind::all, 64}}};
  ParameterFacts lse = tensor(ParameterKind::out, 3);
  lse.present = false;
  ParameterFacts sink = tensor(ParameterKind::in, 1);
  sink.present = false;
  ParameterFacts scale;
  scale.kind = ParameterKind::scalar;
  ParameterFacts plan;
  plan.kind = ParameterKind::constant;
  const ParameterFacts in = tensor(ParameterKind::in, 4);
  facts.parameters = {out, lse, in, in, in, sink, scale, plan};
  return facts;
}

void call_attention(void*, detail::PlaceRef place) {
  using namespace detail;
  kernels::attention<half>(DeviceParameter<Out<half, 1, 1, dyn, dyn>>::make(0, place),
                           DeviceParameter<std::optional<Out<float, 1, 1, dyn>>>::make(1, place),
                           DeviceParameter<In4<half>>::make(2, place),
                           DeviceParameter<In4<half>>::make(3, place),
                           DeviceParameter<In4<half>>::make(4, place),
                           DeviceParameter<std::optional<In1<float>>>::make(5, place),
                           DeviceParameter<Float>::make(6, place), {.bn = 64, .causal = true});
}

void trace(benchmark::State& state) {
  const Specialisation facts = attention_facts();
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        detail::trace_kernel(facts, {nullptr, call_attention}, Location::current()));
  }
}
BENCHMARK(trace)->Name("attention/trace")->Unit(benchmark::kMicrosecond);

void trace_and_passes(benchmark::State& state) {
  const Specialisation facts = attention_facts();
  for (auto _ : state) {
    ir::Kernel kernel = detail::trace_kernel(facts, {nullptr, call_attention}, Location::current());
    benchmark::DoNotOptimize(
        passes::optimise(passes::prepare(std::move(kernel)), {.predicate_holds = true}));
  }
}
BENCHMARK(trace_and_passes)->Name("attention/trace and all passes")->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace tw::bench
