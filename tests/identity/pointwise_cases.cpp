// SPDX-License-Identifier: Apache-2.0
#include "kernels/activation.hpp"
#include "kernels/histogram.hpp"
#include "kernels/quantise.hpp"
#include "kernels/rope.hpp"
#include "kernels/vadd.hpp"
#include "tests/identity/cases.hpp"

namespace tw::tests {
namespace {

Tensor<half, 2> matrix() { return empty<half>(96, 200); }
Partition<half, 2> boxes() { return matrix().partition({16, 64}); }
/// Two matrices side by side.
Tensor<half, 2> halves() { return empty<half>(96, 400); }

}  // namespace

std::vector<Case> pointwise_cases() {
  return {
      {"vadd", "ragged",
       [] {
         return launch<kernels::vadd<half>>(empty<half>(1000).partition({256}), empty<half>(1000),
                                            empty<half>(1000))
             .record();
       }},
      {"vadd", "an expanded input",
       [] {
         return launch<kernels::vadd<float>>(empty<float>(1024).partition({256}),
                                             empty<float>(1024), empty<float>(1).expanded({1024}))
             .record();
       }},
      {"silu_and_mul", "",
       [] { return launch<kernels::silu_and_mul<half>>(boxes(), halves()).record(); }},
      {"silu_and_mul_backward", "",
       [] {
         return launch<kernels::silu_and_mul_backward<half>>(boxes(), boxes(), matrix(), halves())
             .record();
       }},
      {"swiglu", "",
       [] { return launch<kernels::swiglu<half>>(boxes(), matrix(), matrix()).record(); }},
      {"swiglu_backward", "",
       [] {
         return launch<kernels::swiglu_backward<half>>(boxes(), boxes(), matrix(), matrix(),
                                                       matrix())
             .record();
       }},
      {"dropout", "",
       [] {
         return launch<kernels::dropout<half>>(empty<half>(1000).partition({256}),
                                               empty<half>(1000), 0.5f, 7)
             .record();
       }},
      {"rope", "",
       [] {
         return launch<kernels::rope<half>>(empty<half>(2, 8, 40, 64).partition({1, all, 1, whole}),
                                            empty<half>(2, 8, 40, 64).partition({1, all, 1, whole}),
                                            empty<half>(1, 40, 32), empty<half>(1, 40, 32), 32)
             .record();
       }},
      {"histogram", "",
       [] {
         return launch<kernels::histogram>(grid(8), zeroed<int>(100), empty<int>(1000), 128)
             .record();
       }},
      {"quantise_blocks", "",
       [] {
         return launch<kernels::quantise_blocks>(empty<std::uint8_t>(256, 64).partition({128, 32}),
                                                 empty<float>(2, 2, 512).partition({1, 1, 512}),
                                                 empty<float>(256, 128))
             .record();
       }},
      {"quantise_rows", "",
       [] {
         return launch<kernels::quantise_rows<f8e4m3, half>>(
                    empty<f8e4m3>(50, 96).partition({4, all}), empty<float>(50).partition({4}),
                    empty<half>(50, 96), 448.f)
             .record();
       }},
  };
}

}  // namespace tw::tests
