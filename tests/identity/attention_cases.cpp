// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include "kernels/attention.hpp"
#include "kernels/mla.hpp"
#include "tests/identity/cases.hpp"

namespace tw::tests {
namespace {

constexpr int batch = 2;
constexpr int heads = 8;
constexpr int key_heads = 2;
constexpr int keys = 100;
constexpr int width = 64;
constexpr int pe = 16;
constexpr int splits = 2;

Partition<half, 4> outputs() {
  return empty<half>(batch, heads, keys, width).partition({1, 1, 32, all});
}
Tensor<half, 4> queries() { return empty<half>(batch, heads, keys, width); }
Tensor<half, 4> cache() { return empty<half>(batch, key_heads, keys, width); }
Tensor<float, 1> sinks() { return empty<float>(heads); }

/// Of one query a head: parts of four heads each, and their logarithms.
Partition<half, 4> parts() {
  return empty<half>(batch, heads, splits, width).partition({1, 4, 1, all});
}
Partition<float, 3> logarithms() { return empty<float>(batch, heads, splits).partition({1, 4, 1}); }
Tensor<half, 3> query() { return empty<half>(batch, heads, width); }
Tensor<half, 3> query_pe() { return empty<half>(batch, heads, pe); }
Tensor<half, 3> latent() { return empty<half>(batch, keys, width); }
Tensor<half, 3> latent_pe() { return empty<half>(batch, keys, pe); }

}  // namespace

std::vector<Case> attention_cases() {
  return {
      {"attention", "all keys",
       [] {
         return launch<kernels::attention<half>>(outputs(), std::nullopt, queries(), cache(),
                                                 cache(), std::nullopt, 0.125f,
                                                 kernels::AttentionPlan{.bn = 32})
             .record();
       }},
      {"attention", "causal, with lse",
       [] {
         return launch<kernels::attention<half>>(
                    outputs(), empty<float>(batch, heads, keys).partition({1, 1, 32}), queries(),
                    cache(), cache(), std::nullopt, 0.125f,
                    kernels::AttentionPlan{.bn = 32, .causal = true})
             .record();
       }},
      {"attention", "causal window with softcap and sinks",
       [] {
         return launch<kernels::attention<half>>(
                    outputs(), std::nullopt, queries(), cache(), cache(), sinks(), 0.125f,
                    kernels::AttentionPlan{.bn = 32, .causal = true, .window = 20, .softcap = 30})
             .record();
       }},
      {"attention_decode", "without sinks",
       [] {
         return launch<kernels::attention_decode<half>>(
                    parts(), logarithms(), query(), cache(), cache(), std::nullopt, 0.125f,
                    kernels::SplitPlan{.bn = 16, .per_split = 4})
             .record();
       }},
      {"attention_decode", "with sinks",
       [] {
         return launch<kernels::attention_decode<half>>(
                    parts(), logarithms(), query(), cache(), cache(), sinks(), 0.125f,
                    kernels::SplitPlan{.bn = 16, .per_split = 4})
             .record();
       }},
      {"splitk_reduce", "",
       [] {
         return launch<kernels::splitk_reduce<half>>(
                    empty<half>(batch, heads, width).partition({1, 1, 32}),
                    empty<half>(batch, heads, splits, width), empty<float>(batch, heads, splits),
                    splits)
             .record();
       }},
      {"mla_split", "",
       [] {
         return launch<kernels::mla_split<half>>(
                    parts(), logarithms(), query(), query_pe(), latent(), latent_pe(), 0.125f,
                    kernels::MlaPlan{.bn = 16, .per_split = 4, .pe = pe})
             .record();
       }},
      {"sparse_mla", "",
       [] {
         return launch<kernels::sparse_mla<half>>(
                    empty<half>(batch, heads, width).partition({1, 4, all}), query(), query_pe(),
                    latent(), latent_pe(), empty<int>(batch, 48), 0.125f,
                    kernels::MlaPlan{.bn = 16, .pe = pe})
             .record();
       }},
  };
}

}  // namespace tw::tests
