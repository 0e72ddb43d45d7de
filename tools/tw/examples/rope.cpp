// SPDX-License-Identifier: Apache-2.0
#include "kernels/rope.hpp"

#include "example.hpp"

namespace tw::cli {
namespace {

const ExampleRegistration registration{
    "rope",
    {.summary = "rotary position embedding in place; a table for each batch or one for all",
     .extents = {{"batch", 1},
                 {"heads", 4},
                 {"key_heads", 2},
                 {"tokens", 40},
                 {"width", 64},
                 {"tables", 1},
                 {"half", 32}},
     .inputs = {{"q", {"batch", "heads", "tokens", "width"}},
                {"k", {"batch", "key_heads", "tokens", "width"}},
                {"cos", {"tables", "tokens", "half"}},
                {"sin", {"tables", "tokens", "half"}}},
     .numbers = {},
     .outputs = {{"q", {"batch", "heads", "tokens", "width"}},
                 {"k", {"batch", "key_heads", "tokens", "width"}}},
     .instantiations = instantiate<float, half, bf16>([]<class T>(const Arguments& arguments) {
       return launch<kernels::rope<T>>(
           clone(arguments.tensor<T, 4>("q")).partition({1, all, 1, whole}),
           clone(arguments.tensor<T, 4>("k")).partition({1, all, 1, whole}),
           arguments.tensor<T, 3>("cos"), arguments.tensor<T, 3>("sin"),
           static_cast<int>(arguments.extent("half")));
     })}};

}  // namespace
}  // namespace tw::cli
