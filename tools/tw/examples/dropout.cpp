// SPDX-License-Identifier: Apache-2.0
#include "example.hpp"
#include "kernels/activation.hpp"

namespace tw::cli {
namespace {

const ExampleRegistration registration{
    "dropout",
    {.summary = "elements dropped with probability p, the rest scaled up",
     .extents = {{"n", 1000}},
     .inputs = {{"x", {"n"}}},
     .numbers = {{"p", 0.1}, {"seed", 7}, {"block", 256}},
     .outputs = {{"z", {"n"}}},
     .instantiations = instantiate<float, half, bf16>([]<class T>(const Arguments& arguments) {
       return launch<kernels::dropout<T>>(
           empty<T>(arguments.extent("n")).partition({arguments.count("block")}),
           arguments.tensor<T, 1>("x"), arguments.number("p"), arguments.integer("seed"));
     })}};

}  // namespace
}  // namespace tw::cli
