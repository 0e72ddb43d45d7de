// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include "kernels/delta_rule.hpp"
#include "tests/identity/cases.hpp"

namespace tw::tests {
namespace {

constexpr int batch = 2;
constexpr int time = 100;
constexpr int heads = 4;
constexpr int keys = 32;
constexpr int values = 48;
constexpr int chunk = 16;
constexpr int chunks = 7;

Tensor<half, 4> in_time(int width) { return empty<half>(batch, time, heads, width); }
Tensor<half, 3> gates() { return empty<half>(batch, time, heads); }
Tensor<half, 5> in_chunks(int width) { return empty<half>(batch, heads, chunks, chunk, width); }
Tensor<float, 4> chunk_gates() { return empty<float>(batch, heads, chunks, chunk); }
Tensor<float, 4> state() { return empty<float>(batch, heads, keys, values); }

ir::Kernel intra(const kernels::DeltaPlan& plan) {
  const auto out = [] { return in_chunks(keys).partition({1, 1, 1, all, all}); };
  return launch<kernels::delta_intra<half>>(
             out(), out(), in_chunks(values).partition({1, 1, 1, all, whole}), out(),
             chunk_gates().partition({1, 1, 1, all}), in_time(keys), in_time(keys), in_time(values),
             gates(), gates(), 0.125f, plan)
      .record();
}

Partition<half, 5> inter_out() { return in_chunks(values).partition({1, 1, whole, whole, 16}); }
Partition<half, 4> recurrent_out() { return in_time(values).partition({1, whole, 1, 16}); }
Partition<float, 4> last() { return state().partition({1, 1, all, 16}); }

}  // namespace

std::vector<Case> delta_rule_cases() {
  return {
      {"delta_intra", "normalised", [] { return intra({.l2norm = true, .steps = 4, .bk = 16}); }},
      {"delta_intra", "not normalised",
       [] { return intra({.l2norm = false, .steps = 4, .bk = 16}); }},
      {"delta_inter", "no states",
       [] {
         return launch<kernels::delta_inter<half>>(
                    inter_out(), std::nullopt, in_chunks(keys), in_chunks(keys), in_chunks(values),
                    in_chunks(keys), chunk_gates(), std::nullopt, chunk, keys)
             .record();
       }},
      {"delta_inter", "first and last state",
       [] {
         return launch<kernels::delta_inter<half>>(
                    inter_out(), last(), in_chunks(keys), in_chunks(keys), in_chunks(values),
                    in_chunks(keys), chunk_gates(), state(), chunk, keys)
             .record();
       }},
      {"delta_recurrent", "no states",
       [] {
         return launch<kernels::delta_recurrent<half>>(recurrent_out(), std::nullopt, in_time(keys),
                                                       in_time(keys), in_time(values), gates(),
                                                       gates(), std::nullopt, 0.125f, keys)
             .record();
       }},
      {"delta_recurrent", "first and last state",
       [] {
         return launch<kernels::delta_recurrent<half>>(recurrent_out(), last(), in_time(keys),
                                                       in_time(keys), in_time(values), gates(),
                                                       gates(), state(), 0.125f, keys)
             .record();
       }},
  };
}

}  // namespace tw::tests
