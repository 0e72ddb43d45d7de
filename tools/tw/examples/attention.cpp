// SPDX-License-Identifier: Apache-2.0
#include "kernels/attention.hpp"

#include <optional>

#include "example.hpp"

namespace tw::cli {
namespace {

const ExampleRegistration registration{
    "attention",
    {.summary = "softmax(scale q k^T) v; heads share key heads",
     .extents = {{"batch", 1},
                 {"heads", 4},
                 {"key_heads", 2},
                 {"queries", 128},
                 {"keys", 128},
                 {"width", 64}},
     .inputs = {{"q", {"batch", "heads", "queries", "width"}},
                {"k", {"batch", "key_heads", "keys", "width"}},
                {"v", {"batch", "key_heads", "keys", "width"}}},
     .numbers = {{"scale", 0.125}, {"causal", 1}, {"window", 0}, {"bm", 32}, {"bn", 32}},
     .outputs = {{"out", {"batch", "heads", "queries", "width"}}},
     .instantiations = instantiate<float, half, bf16>([]<class T>(const Arguments& arguments) {
       return launch<kernels::attention<T>>(
           empty<T>(arguments.extent("batch"), arguments.extent("heads"),
                    arguments.extent("queries"), arguments.extent("width"))
               .partition({1, 1, arguments.count("bm"), all}),
           std::nullopt, arguments.tensor<T, 4>("q"), arguments.tensor<T, 4>("k"),
           arguments.tensor<T, 4>("v"), std::nullopt, arguments.number("scale"),
           kernels::AttentionPlan{.bn = arguments.count("bn"),
                                  .causal = arguments.integer("causal") != 0,
                                  .window = arguments.integer("window")});
     })}};

}  // namespace
}  // namespace tw::cli
