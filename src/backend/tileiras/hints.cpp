// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <fmt/format.h>

#include <tilewright/core/log.hpp>

#include "backend/tileiras/rewrites.hpp"
#include "backend/tileiras/support.hpp"

namespace tw::inline v0::backend::tileiras {
namespace {

constexpr const char* cluster_hint = "num_cta_in_cga";

ir::HintSet hints_for(const ir::Hints& hints, const std::string& architecture) {
  ir::HintSet result;
  for (const std::string& key : {std::string("default"), architecture}) {
    const auto found = hints.find(key);
    if (found == hints.end()) continue;
    for (const auto& [name, value] : found->second) result.insert_or_assign(name, value);
  }
  return result;
}

}  // namespace

ir::Kernel with_hints_for(ir::Kernel kernel, const Target& target) {
  ir::Function& entry = kernel.entry();
  const std::string architecture = fmt::format("sm_{}", target.sm);
  ir::HintSet hints = hints_for(entry.hints, architecture);
  const auto cluster = hints.find(cluster_hint);
  const bool asks_for_cluster =
      cluster != hints.end() && cluster->second != ir::HintValue(std::int64_t{1});
  if (asks_for_cluster && !has_clusters(target)) {
    write_log(LogLevel::warning,
              fmt::format("the hint .ctas does not apply to {}, which has no clusters of blocks",
                          architecture));
    hints.erase(cluster);
  }
  entry.hints.clear();
  if (!hints.empty()) entry.hints.emplace(architecture, std::move(hints));
  return kernel;
}

}  // namespace tw::inline v0::backend::tileiras
