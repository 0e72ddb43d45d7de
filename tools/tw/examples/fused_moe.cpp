// SPDX-License-Identifier: Apache-2.0
#include "example.hpp"
#include "examples/align_experts.hpp"

namespace tw::cli {
namespace {

template <class T>
AnyLaunch fused_moe(const Arguments& arguments) {
  const auto top_k = static_cast<int>(arguments.extent("top_k"));
  const auto choices = arguments.extent("tokens") * top_k;
  const int block = arguments.count("block");
  const ::examples::AlignedRows rows = ::examples::align_experts(
      arguments.tensor<int, 2>("ids").reshape({choices}),
      {.experts = static_cast<int>(arguments.extent("experts")), .block = block});
  return launch<kernels::fused_moe<T>>(
      empty<T>(choices, arguments.extent("n"))
          .partition(rows.sorted, {block, arguments.count("bn")}),
      arguments.tensor<T, 2>("a"), arguments.tensor<T, 3>("w"), rows.expert, rows.total,
      arguments.tensor<float, 2>("weight").reshape({choices}),
      kernels::MoePlan{.bk = arguments.count("bk"), .top_k = top_k});
}

const ExampleRegistration registration{
    "fused_moe",
    {.summary = "every token times the matrices of its experts, weighted",
     .extents = {{"tokens", 100}, {"top_k", 2}, {"experts", 8}, {"k", 48}, {"n", 64}},
     .inputs = {{"a", {"tokens", "k"}},
                {"w", {"experts", "k", "n"}},
                {"ids", {"tokens", "top_k"}, DType::int32},
                {"weight", {"tokens", "top_k"}, DType::f32}},
     .numbers = {{"block", 16}, {"bn", 32}, {"bk", 16}},
     .outputs = {{"c", {"tokens * top_k", "n"}}},
     .instantiations = instantiate<float, half, bf16>(
         []<class T>(const Arguments& arguments) { return fused_moe<T>(arguments); })}};

}  // namespace
}  // namespace tw::cli
