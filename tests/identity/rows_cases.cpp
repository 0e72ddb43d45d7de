// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include "kernels/cross_entropy.hpp"
#include "kernels/normalisation.hpp"
#include "kernels/softmax.hpp"
#include "tests/identity/cases.hpp"

namespace tw::tests {
namespace {

constexpr int rows = 50;
constexpr int columns = 200;

Tensor<half, 2> matrix() { return empty<half>(rows, columns); }
Partition<half, 2> full_rows() { return matrix().partition({4, all}); }
Partition<half, 2> streamed_rows() { return matrix().partition({1, whole}); }
Tensor<half, 1> weight() { return empty<half>(columns); }

}  // namespace

std::vector<Case> rows_cases() {
  return {
      {"softmax", "",
       [] { return launch<kernels::softmax<half>>(full_rows(), matrix()).record(); }},
      {"softmax", "a transposed input",
       [] {
         return launch<kernels::softmax<float>>(empty<float>(rows, 64).partition({2, all}),
                                                empty<float>(64, rows).transposed())
             .record();
       }},
      {"softmax_chunked", "",
       [] {
         return launch<kernels::softmax_chunked<half>>(streamed_rows(), matrix(), 64).record();
       }},
      {"rms_norm", "without rstd",
       [] {
         return launch<kernels::rms_norm<half>>(full_rows(), std::nullopt, matrix(), weight(),
                                                1e-5f, 0.f)
             .record();
       }},
      {"rms_norm", "with rstd, persistent",
       [] {
         return launch<kernels::rms_norm<half>>(full_rows(), empty<float>(rows).partition({4}),
                                                matrix(), weight(), 1e-5f, 1.f)
             .hint({.blocks = 2})
             .record();
       }},
      {"rms_norm_chunked", "",
       [] {
         return launch<kernels::rms_norm_chunked<half>>(streamed_rows(), matrix(), weight(), 1e-5f,
                                                        1.f, 64)
             .record();
       }},
      {"rms_norm_backward", "",
       [] {
         return launch<kernels::rms_norm_backward<half>>(
                    full_rows(), empty<float>(3, columns).partition({1, all}), matrix(), matrix(),
                    weight(), empty<float>(rows))
             .record();
       }},
      {"layer_norm", "y alone",
       [] {
         return launch<kernels::layer_norm<half>>(streamed_rows(), std::nullopt, std::nullopt,
                                                  matrix(), weight(), std::nullopt, 1e-5f, 64)
             .record();
       }},
      {"layer_norm", "with mean, rstd and bias",
       [] {
         return launch<kernels::layer_norm<half>>(
                    streamed_rows(), empty<float>(rows).partition({1}),
                    empty<float>(rows).partition({1}), matrix(), weight(), weight(), 1e-5f, 64)
             .record();
       }},
      {"cross_entropy", "",
       [] {
         return launch<kernels::cross_entropy<half>>(
                    streamed_rows(), empty<float>(rows).partition({1}), empty<int>(rows), 0.5f, 64)
             .record();
       }},
  };
}

}  // namespace tw::tests
