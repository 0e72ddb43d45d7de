// SPDX-License-Identifier: Apache-2.0
#include "ir/verify/hints.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "ir/attribute_text.hpp"
#include "ir/verify/op_check.hpp"

namespace tw::inline v0::ir {
namespace {

struct Architecture {
  std::string_view key;
  Version since = {13, 1};
};

constexpr Architecture architectures[] = {
    {"default", {13, 3}}, {"sm_80"},  {"sm_86"},  {"sm_87"},           {"sm_88"},  {"sm_89"},
    {"sm_90", {13, 3}},   {"sm_100"}, {"sm_103"}, {"sm_107", {13, 4}}, {"sm_110"}, {"sm_120"},
    {"sm_121"},
};

bool is_known(std::string_view key, Version tool) {
  const auto found = std::ranges::find(architectures, key, &Architecture::key);
  return found != std::end(architectures) && tool >= found->since;
}

/// What a hint is for.
enum class Target : std::uint8_t { entry, pointer_access, view_access };

Target target_of(std::optional<Opcode> op) {
  if (!op) return Target::entry;
  const bool view = op == Opcode::load_view_tko || op == Opcode::store_view_tko;
  return view ? Target::view_access : Target::pointer_access;
}

bool is_power_of_two(std::int64_t value, std::int64_t largest) {
  return value > 0 && value <= largest && std::has_single_bit(static_cast<std::uint64_t>(value));
}

bool is_in(std::int64_t value, std::int64_t lowest, std::int64_t highest) {
  return value >= lowest && value <= highest;
}

bool is_cluster(std::int64_t blocks, std::string_view architecture, Version) {
  const bool has_clusters =
      !architecture.starts_with("sm_8");  // sm_80 to sm_89 run every block by itself
  return has_clusters ? is_power_of_two(blocks, 16) : blocks == 1;
}
bool is_occupancy(std::int64_t value, std::string_view, Version) { return is_in(value, 1, 32); }
bool is_latency(std::int64_t value, std::string_view, Version) { return is_in(value, 1, 10); }
bool is_warp_count(std::int64_t value, std::string_view, Version tool) {
  return tool == Version{13, 4} ? value == 4 || value == 8 : is_power_of_two(value, 32);
}

struct Key {
  std::string_view name;
  std::initializer_list<Target> targets;
  bool (*in_range)(std::int64_t, std::string_view, Version);  ///< nullptr for a boolean
  Version since = {13, 1};
};

const Key keys[] = {
    {"num_cta_in_cga", {Target::entry}, is_cluster},
    {"occupancy", {Target::entry}, is_occupancy},
    {"num_worker_warps_per_cta", {Target::entry}, is_warp_count, {13, 3}},
    {"allow_tma", {Target::view_access}, nullptr},
    {"latency", {Target::view_access, Target::pointer_access}, is_latency},
};

bool has_range(const Key& key, const HintValue& value, std::string_view architecture,
               Version tool) {
  const auto* number = std::get_if<std::int64_t>(&value);
  if (key.in_range == nullptr) return std::holds_alternative<bool>(value);
  return number != nullptr && key.in_range(*number, architecture, tool);
}

bool op_hints(const OpContext& c) {
  const Attribute* hints = c.op.find(AttributeName::optimization_hints);
  return hints == nullptr ||
         check_hints(hints->get<Hints>(), c.op.code, c.options, c.op.location, c.report);
}

using enum Opcode;

const OpChecks table[] = {
    {{load_ptr_tko, load_view_tko, store_ptr_tko, store_view_tko}, {op_hints}},
};

}  // namespace

std::span<const OpChecks> hint_checks() { return table; }

bool check_hints(const Hints& hints, std::optional<Opcode> op, const VerifyOptions& options,
                 LocationId where, Report& report) {
  const auto complain = [&](Rule rule, const std::string& message) {
    const bool is_ignored = options.tool >= Version{13, 3};
    return is_ignored ? report.warn(rule, where, message) : report.fail(rule, where, message);
  };
  for (const auto& [architecture, set] : hints) {
    if (!is_known(architecture, options.tool)) {
      return complain("hints_c1", fmt::format("hints for {}", architecture));
    }
    for (const auto& [name, value] : set) {
      const auto key = std::ranges::find(keys, name, &Key::name);
      const bool applies = key != std::end(keys) && options.tool >= key->since &&
                           std::ranges::find(key->targets, target_of(op)) != key->targets.end();
      if (!applies) return complain("hints_c2", fmt::format("a hint {}", name));
      if (has_range(*key, value, architecture, options.tool)) continue;
      return complain("hints_c3",
                      fmt::format("{} = {} for {}", name, hint_text(value), architecture));
    }
  }
  return true;
}

}  // namespace tw::inline v0::ir
