// SPDX-License-Identifier: Apache-2.0
#include "backend/tileiras/workaround.hpp"

namespace tw::inline v0::backend::tileiras {
namespace {

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
    {"without the hints of the kernel", without_entry_hints},
    {"at -O1", at_level<1>},
    {"at -O0", at_level<0>},
};

}  // namespace

std::span<const Workaround> workarounds() { return all; }

}  // namespace tw::inline v0::backend::tileiras
