// SPDX-License-Identifier: Apache-2.0
#include "runtime/hint_rules.hpp"

#include <bit>

#include <fmt/format.h>

namespace tw::inline v0::detail {
namespace {

using Value = std::optional<std::int32_t>;

struct HintRule {
  const char* name;
  Value Hints::* value;
  bool (*allowed)(std::int32_t);
  const char* range;
  const char* entry;  ///< in Tile IR; null for what the library sees to itself
};

constexpr HintRule rules[] = {
    {"blocks", &Hints::blocks, [](std::int32_t n) { return n >= 1; }, "at least 1", nullptr},
    {"swizzle", &Hints::swizzle, [](std::int32_t n) { return n >= 0; }, "at least 0", nullptr},
    {"occupancy", &Hints::occupancy, [](std::int32_t n) { return n >= 1 && n <= 32; },
     "from 1 to 32", "occupancy"},
    {"ctas", &Hints::ctas,
     [](std::int32_t n) {
       return n >= 1 && n <= 16 && std::has_single_bit(static_cast<std::uint32_t>(n));
     },
     "a power of two from 1 to 16", "num_cta_in_cga"},
    {"worker_warps", &Hints::worker_warps, [](std::int32_t n) { return n == 4 || n == 8; },
     "4 or 8", "num_worker_warps_per_cta"},
};

}  // namespace

Hints hints_for(const LaunchState& launch, const backend::Target& target) {
  Hints hints = launch.hints;
  for (const ArchitectureHints& row : launch.architecture_hints) {
    if (row.architecture.sm != target.sm) continue;
    for (const HintRule& rule : rules) {
      if (row.hints.*rule.value) hints.*rule.value = row.hints.*rule.value;
    }
  }
  return hints;
}

void check_hints(const Hints& hints, Problems& problems) {
  for (const HintRule& rule : rules) {
    const Value value = hints.*rule.value;
    if (value && !rule.allowed(*value)) {
      problems.add(
          fmt::format("the hint .{} is {}, but must be {}", rule.name, *value, rule.range));
    }
  }
}

ir::HintSet entry_hints(const Hints& hints) {
  ir::HintSet result;
  for (const HintRule& rule : rules) {
    const Value value = hints.*rule.value;
    if (value && rule.entry != nullptr) result[rule.entry] = std::int64_t{*value};
  }
  return result;
}

}  // namespace tw::inline v0::detail
