// SPDX-License-Identifier: Apache-2.0
#include "backend/tileiras/workaround.hpp"

#include <string>
#include <utility>

#include <fmt/format.h>

namespace tw::inline v0::backend::tileiras {
namespace {

// Versions 13.3 to 13.5 die for sm_90 where a tensor is gathered by the TMA unit and then stored
// to.
std::optional<Assembly> without_tma_gathers(const Assembly& assembly) {
  const std::string architecture = fmt::format("sm_{}", assembly.target.sm);
  Assembly result = assembly;
  ir::Function& entry = result.module.functions.front();
  bool changes = false;
  ir::walk(entry.body, [&](ir::Op& op) {
    if (op.code != ir::Opcode::load_view_tko ||
        !entry.type(op.operands.front()).is<ir::GatherScatterViewType>()) {
      return;
    }
    const ir::Attribute* given = op.find(ir::AttributeName::optimization_hints);
    ir::Hints hints = given == nullptr ? ir::Hints() : given->get<ir::Hints>();
    changes |= hints[architecture].insert_or_assign("allow_tma", false).second;
    op.set(ir::AttributeName::optimization_hints, std::move(hints));
  });
  return changes ? std::optional(std::move(result)) : std::nullopt;
}

// Versions up to 13.5 die of some hints together with loops over extracted parts.
std::optional<Assembly> without_entry_hints(const Assembly& assembly) {
  if (assembly.module.functions.front().hints.empty()) return std::nullopt;
  Assembly result = assembly;
  result.module.functions.front().hints.clear();
  return result;
}

template <std::int32_t Level>
std::optional<Assembly> at_level(const Assembly& assembly) {
  if (assembly.options.optimization_level <= Level) return std::nullopt;
  Assembly result = assembly;
  result.options.optimization_level = Level;
  return result;
}

constexpr Workaround all[] = {
    {"without the TMA unit for gathers", without_tma_gathers},
    {"without the hints of the kernel", without_entry_hints},
    {"at -O1", at_level<1>},
    {"at -O0", at_level<0>},
};

}  // namespace

std::span<const Workaround> workarounds() { return all; }

}  // namespace tw::inline v0::backend::tileiras
