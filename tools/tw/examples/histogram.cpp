// SPDX-License-Identifier: Apache-2.0
#include "kernels/histogram.hpp"

#include "example.hpp"

namespace tw::cli {
namespace {

const ExampleRegistration registration{
    "histogram",
    {.summary = "how often every number below `bins` occurs; -1 is not counted",
     .extents = {{"n", 1000}},
     .inputs = {{"x", {"n"}}},
     .numbers = {{"bins", 26}, {"block", 32}},
     .outputs = {{"counts", {"bins"}}},
     .instantiations = instantiate<int>([]<class T>(const Arguments& arguments) {
       const int block = arguments.count("block");
       return launch<kernels::histogram>(grid((arguments.extent("n") + block - 1) / block),
                                         zeroed<T>(arguments.integer("bins")),
                                         arguments.tensor<T, 1>("x"), block);
     })}};

}  // namespace
}  // namespace tw::cli
