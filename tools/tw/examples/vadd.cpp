// SPDX-License-Identifier: Apache-2.0
#include "kernels/vadd.hpp"

#include "example.hpp"

namespace tw::cli {
namespace {

const ExampleRegistration registration{
    "vadd",
    {.summary = "the sum of two vectors",
     .extents = {{"n", 1000}},
     .inputs = {{"x", {"n"}}, {"y", {"n"}}},
     .numbers = {{"block", 128}},
     .outputs = {{"z", {"n"}}},
     .instantiations = instantiate<float, half, bf16>([]<class T>(const Arguments& arguments) {
       return launch<kernels::vadd<T>>(
           empty<T>(arguments.extent("n")).partition({arguments.count("block")}),
           arguments.tensor<T, 1>("x"), arguments.tensor<T, 1>("y"));
     })}};

}  // namespace
}  // namespace tw::cli
