// SPDX-License-Identifier: Apache-2.0
#include "kernels/matmul.hpp"

#include "example.hpp"

namespace tw::cli {
namespace {

Hints schedule(const Arguments& arguments) {
  Hints hints{.swizzle = arguments.integer("swizzle")};
  if (const int blocks = arguments.integer("blocks")) hints.blocks = blocks;
  return hints;
}

const ExampleRegistration registration{
    "matmul",
    {.summary = "the product of two matrices; blocks=N makes it persistent",
     .extents = {{"m", 200}, {"n", 150}, {"k", 90}},
     .inputs = {{"a", {"m", "k"}}, {"b", {"k", "n"}}},
     .numbers = {{"bm", 32}, {"bn", 32}, {"bk", 16}, {"blocks", 0}, {"swizzle", 0}},
     .outputs = {{"c", {"m", "n"}}},
     .instantiations = instantiate<float, half, bf16>([]<class T>(const Arguments& arguments) {
       return launch<kernels::matmul<T>>(
                  empty<T>(arguments.extent("m"), arguments.extent("n"))
                      .partition({arguments.count("bm"), arguments.count("bn")}),
                  arguments.tensor<T, 2>("a"), arguments.tensor<T, 2>("b"), arguments.count("bk"))
           .hint(schedule(arguments));
     })}};

}  // namespace
}  // namespace tw::cli
