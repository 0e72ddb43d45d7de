// SPDX-License-Identifier: Apache-2.0
#include "example.hpp"
#include "kernels/normalisation.hpp"

namespace tw::cli {
namespace {

const ExampleRegistration registration{
    "layer_norm",
    {.summary = "every row with mean 0 and deviation 1, times weight, plus bias",
     .extents = {{"rows", 64}, {"columns", 768}},
     .inputs = {{"x", {"rows", "columns"}}, {"weight", {"columns"}}, {"bias", {"columns"}}},
     .numbers = {{"eps", 1e-5}, {"bn", 128}},
     .outputs = {{"y", {"rows", "columns"}},
                 {"mean", {"rows"}, DType::f32},
                 {"rstd", {"rows"}, DType::f32}},
     .instantiations = instantiate<float, half, bf16>([]<class T>(const Arguments& arguments) {
       const auto rows = arguments.extent("rows");
       return launch<kernels::layer_norm<T>>(
           empty<T>(rows, arguments.extent("columns")).partition({1, whole}),
           empty<float>(rows).partition({1}), empty<float>(rows).partition({1}),
           arguments.tensor<T, 2>("x"), arguments.tensor<T, 1>("weight"),
           arguments.tensor<T, 1>("bias"), arguments.number("eps"), arguments.count("bn"));
     })}};

}  // namespace
}  // namespace tw::cli
