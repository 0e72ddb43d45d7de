// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include <tilewright/core/export.hpp>
#include <tilewright/ir/op.hpp>

namespace tw::inline v0::ir {

/// What a function is made of, for people. Each map counts how often something occurs, blocks
/// within blocks included.
struct FunctionSummary {
  using Counts = std::map<std::string, std::size_t>;

  std::string name;
  Counts ops;       ///< by name
  Counts accesses;  ///< `load_view_tko weak 16x8xf32 of partition_view<...>`
  Counts products;  ///< `mmaf 64x64x32 f16 -> f32`: rows, columns, and what is summed over
  Counts flags;     ///< attributes that are not what their absence means: `addf rounding_mode zero`
  Counts hints;     ///< `entry sm_90 occupancy = 2`
};

/// A summary of each function. The module must match the op table.
[[nodiscard]] TILEWRIGHT_API std::vector<FunctionSummary> summarise(const Module& module);

}  // namespace tw::inline v0::ir
