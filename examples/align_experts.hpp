// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>

#include <tilewright/tilewright.hpp>

#include "kernels/moe.hpp"

namespace examples {

/// Choices sorted by expert, in blocks of one expert each.
struct AlignedRows {
  tw::Tensor<int, 1> sorted;  ///< choices; the number of choices fills blocks up
  tw::Tensor<int, 1> expert;  ///< of each block
  tw::Tensor<int, 1> total;   ///< rows in use: one number
};

/// Sorts choices by their experts, on the device: `ids` holds the expert of each.
inline AlignedRows align_experts(const tw::View<int, 1>& ids, tw::kernels::AlignPlan plan) {
  namespace kernels = tw::kernels;
  using tw::all;
  using tw::empty;
  using tw::launch;
  using tw::whole;
  const std::int64_t choices = ids.size();
  const std::int64_t chunks = (choices + plan.chunk - 1) / plan.chunk;
  // Every expert may leave all but one row of a block unused.
  const std::int64_t rows = choices + std::int64_t{plan.experts} * (plan.block - 1);
  const std::int64_t blocks = (rows + plan.block - 1) / plan.block;

  const auto counts =
      launch<kernels::moe_count>(empty<int>(chunks, plan.experts).partition({1, all}), ids, plan)
          .sync()
          .join();
  const auto [before, totals] =
      launch<kernels::moe_prefix>(empty<int>(chunks, plan.experts).partition({all, 1}),
                                  empty<int>(plan.experts).partition({1}), counts)
          .sync()
          .join();
  auto [start, total, most] =
      launch<kernels::moe_layout>(empty<int>(plan.experts + 1).partition({whole}),
                                  empty<int>(1).partition({1}), empty<int>(1).partition({1}),
                                  totals, plan)
          .sync()
          .join();
  auto sorted = tw::filled<int>(choices, blocks * plan.block);
  launch<kernels::moe_place>(tw::grid(chunks), mut(sorted), ids, before, start, plan).sync();
  auto expert =
      launch<kernels::moe_experts>(empty<int>(blocks).partition({1}), start, plan).sync().join();
  return {std::move(sorted), std::move(expert), std::move(total)};
}

}  // namespace examples
