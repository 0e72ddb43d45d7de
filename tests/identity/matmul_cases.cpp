// SPDX-License-Identifier: Apache-2.0
#include "kernels/matmul.hpp"
#include "tests/identity/cases.hpp"

namespace tw::tests {
namespace {

Tensor<half, 2> square() { return empty<half>(200, 200); }
Partition<half, 2> boxes() { return square().partition({64, 32}); }

/// Three matrices of different sizes.
std::vector<Tensor<half, 2>> group() {
  std::vector<Tensor<half, 2>> tensors;
  for (const int n : {64, 33, 0}) tensors.push_back(empty<half>(n, n));
  return tensors;
}

}  // namespace

std::vector<Case> matmul_cases() {
  return {
      {"matmul", "",
       [] { return launch<kernels::matmul<half>>(boxes(), square(), square(), 32).record(); }},
      {"matmul", "transposed factors, swizzled and persistent",
       [] {
         return launch<kernels::matmul<half>>(boxes(), square().transposed(), square().transposed(),
                                              32)
             .hint({.blocks = 8, .swizzle = 4})
             .record();
       }},
      {"bmm", "",
       [] {
         return launch<kernels::bmm<half>>(empty<half>(3, 200, 96).partition({1, 64, 32}),
                                           empty<half>(3, 200, 50), empty<half>(3, 50, 96), 16)
             .record();
       }},
      {"group_gemm", "",
       [] {
         return launch<kernels::group_gemm<half>>(partition(group(), {16, 16}), group(), group(),
                                                  32)
             .hint({.blocks = 4})
             .record();
       }},
      {"matmul_dealt", "",
       [] {
         return launch<kernels::matmul_dealt<half>>(boxes(), square(), square(), 32)
             .hint({.blocks = 4})
             .record();
       }},
  };
}

}  // namespace tw::tests
