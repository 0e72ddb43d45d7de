// SPDX-License-Identifier: Apache-2.0
#include "kernels/softmax.hpp"

#include "example.hpp"

namespace tw::cli {
namespace {

const ExampleRegistration registration{
    "softmax",
    {.summary = "every row normalised; a block holds whole rows",
     .extents = {{"rows", 64}, {"columns", 100}},
     .inputs = {{"x", {"rows", "columns"}}},
     .numbers = {{"block", 4}},
     .outputs = {{"y", {"rows", "columns"}}},
     .instantiations = instantiate<float, half, bf16>([]<class T>(const Arguments& arguments) {
       return launch<kernels::softmax<T>>(
           empty<T>(arguments.extent("rows"), arguments.extent("columns"))
               .partition({arguments.count("block"), all}),
           arguments.tensor<T, 2>("x"));
     })}};

}  // namespace
}  // namespace tw::cli
