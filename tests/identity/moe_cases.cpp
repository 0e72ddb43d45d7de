// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include "kernels/moe.hpp"
#include "tests/identity/cases.hpp"

namespace tw::tests {
namespace {

constexpr int tokens = 50;
constexpr int top_k = 2;
constexpr int choices = tokens * top_k;
constexpr int experts = 8;
constexpr int block = 16;
constexpr int slots = 224;  // every expert's last block may be padded
constexpr int chunk = 32;
constexpr int chunks = 4;
constexpr kernels::AlignPlan plan{chunk, experts, block};

Tensor<int, 1> ids() { return empty<int>(choices); }
Tensor<int, 2> counts() { return empty<int>(chunks, experts); }
Tensor<int, 1> start() { return empty<int>(experts + 1); }
Tensor<int, 1> total() { return empty<int>(1); }
Tensor<int, 1> expert_of_block() { return empty<int>(slots / block); }

Tensor<half, 2> results() { return empty<half>(choices, 96); }
Tensor<half, 2> activations() { return empty<half>(tokens, 64); }
Tensor<half, 3> weights() { return empty<half>(experts, 64, 96); }

}  // namespace

std::vector<Case> moe_cases() {
  return {
      {"fused_moe", "listed rows, weighted",
       [] {
         return launch<kernels::fused_moe<half>>(
                    results().partition(empty<int>(slots), {block, 32}), activations(), weights(),
                    expert_of_block(), total(), empty<float>(choices),
                    kernels::MoePlan{.bk = 16, .top_k = top_k})
             .record();
       }},
      {"fused_moe", "certified rows",
       [] {
         const Rows rows = distinct(filled<int>(choices, slots), choices).sync();
         return launch<kernels::fused_moe<half>>(results().partition(rows, {block, 32}),
                                                 activations(), weights(), expert_of_block(),
                                                 total(), std::nullopt,
                                                 kernels::MoePlan{.bk = 16, .top_k = top_k})
             .record();
       }},
      {"moe_count", "",
       [] {
         return launch<kernels::moe_count>(counts().partition({1, all}), ids(), plan).record();
       }},
      {"moe_prefix", "",
       [] {
         return launch<kernels::moe_prefix>(counts().partition({all, 1}),
                                            empty<int>(experts).partition({1}), counts())
             .record();
       }},
      {"moe_layout", "",
       [] {
         return launch<kernels::moe_layout>(start().partition({whole}), total().partition({1}),
                                            total().partition({1}), empty<int>(experts), plan)
             .record();
       }},
      {"moe_place", "",
       [] {
         return launch<kernels::moe_place>(grid(chunks), zeroed<int>(slots), ids(), counts(),
                                           start(), plan)
             .record();
       }},
      {"moe_fill", "",
       [] {
         return launch<kernels::moe_fill>(
                    empty<int>(slots).partition({block}), expert_of_block().partition({1}), ids(),
                    counts(), start(), total(), kernels::FillPlan{chunk, chunks, experts})
             .record();
       }},
      {"moe_experts", "",
       [] {
         return launch<kernels::moe_experts>(expert_of_block().partition({1}), start(), plan)
             .record();
       }},
  };
}

}  // namespace tw::tests
