// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <set>

#include <fmt/format.h>

#include <tilewright/core/os.hpp>
#include <tilewright/ir/verifier.hpp>

#include "ir/characters.hpp"
#include "ir/verify/hints.hpp"
#include "ir/verify/op_check.hpp"
#include "ir/verify/op_shape.hpp"
#include "ir/verify/tile_sets.hpp"
#include "ir/verify/type_check.hpp"

namespace tw::inline v0::ir {
namespace {

/// The checks of an op, in order.
std::span<const OpCheck> checks_of(const OpRow& row) {
  static const auto by_row = [] {
    const std::span<const OpRow> rows = all_rows();
    std::vector<std::vector<OpCheck>> all(rows.size());
    for (const auto table :
         {elementwise_checks(), conversion_checks(), shape_checks(), assume_checks(),
          matrix_checks(), view_checks(), memory_checks(), report_checks(), control_checks(),
          aggregate_checks(), hint_checks()}) {
      for (const OpChecks& checks : table) {
        for (const Opcode op : checks.ops) {
          std::ranges::copy(checks.checks, std::back_inserter(all[index_of(ir::row(op))]));
        }
      }
    }
    return all;
  }();
  return by_row[index_of(row)];
}
const os::MadeBeforeForks<[] { return checks_of(row(Opcode::addf)).size(); }> made;

/// Whether a block around which there is `parent` (none: an entry) may end with an op.
bool may_end(const Op* parent, Opcode code) {
  if (parent == nullptr) return code == Opcode::return_;
  switch (parent->code) {
    case Opcode::for_:
      return code == Opcode::continue_;
    case Opcode::loop:
      return code != Opcode::yield;
    case Opcode::if_:
      return true;
    default:
      return code == Opcode::yield;
  }
}

bool is_terminator(const Op& op) { return op.row().effect == Effect::terminator; }

/// Walks one function.
class FunctionVerifier {
 public:
  FunctionVerifier(const Module& module, const Function& function, const VerifyOptions& options,
                   Report& report)
      : module_(module),
        function_(function),
        options_(options),
        report_(report),
        states_(function.types.size(), State::unknown) {}

  void run() {
    const LocationId where = function_.location;
    const bool is_free = !function_.entry && options_.allow_functions;
    if (!function_.entry && !is_free) {
      report_.fail("entry_c1", where, "a function that is no entry");
    }
    check_hints(function_.hints, std::nullopt, options_, where, report_);
    if (!have_types(function_.body.arguments, where)) return;
    for (const Value each : function_.body.arguments) {
      if (!is_free) parameter(function_.type(each));
    }
    enter(function_.body, where);
  }

 private:
  enum class State : std::uint8_t { unknown, visible, broken, gone };

  void parameter(const Type& type) {
    if (options_.allow_any_parameters && !type.is<TileType>()) return;
    const bool passed =
        is_scalar(type) && (pointer_tile(type) != nullptr || is_tile_of(type, is_number));
    if (!passed) {
      report_.fail("entry_c2", function_.location, fmt::format("a parameter {}", to_string(type)));
    }
  }

  bool have_types(std::span<const Value> values, LocationId where) const {
    const bool typed = std::ranges::all_of(
        values, [&](Value each) { return each.index < states_.size() && function_.type(each); });
    return typed || report_.fail("value_c2", where, "a value without a type");
  }

  /// Whether values that have types are new and the types sound; they are visible from here on.
  bool define(std::span<const Value> values, LocationId where) {
    bool sound = true;
    for (const Value each : values) {
      State& state = states_[each.index];
      if (state != State::unknown) {
        sound = report_.fail("value_c2", where, fmt::format("value {} again", each.index));
        continue;
      }
      visible_.push_back(each);
      if (is_sound(function_.type(each), where)) {
        state = State::visible;
      } else {
        state = State::broken;
        sound = false;
      }
    }
    return sound;
  }

  /// Most values have one of a few types, and these are held once.
  bool is_sound(const Type& type, LocationId where) {
    const Type::Node* const node = &type.node();
    const Type::Node*& known =
        sound_[reinterpret_cast<std::uintptr_t>(node) / alignof(Type::Node) % sound_.size()];
    if (known == node) return true;
    if (!check_type(type, options_, where, report_)) return false;
    known = node;
    return true;
  }

  /// Hides what has become visible since there were `count` values.
  void hide_from(std::size_t count) {
    for (; visible_.size() > count; visible_.pop_back()) {
      states_[visible_.back().index] = State::gone;
    }
  }

  /// False without a report if an operand's definition has been reported.
  bool operands_are_visible(const OpContext& c) const {
    bool sound = true;
    for (const Value each : c.op.operands) {
      const State state = each.index < states_.size() ? states_[each.index] : State::unknown;
      sound = sound && state != State::broken;
      if (state == State::visible || state == State::broken) continue;
      return c.fail("value_c1", "value {} is not defined here", each.index);
    }
    return sound;
  }

  /// Whether the block and all in it are sound. Blocks are long: each op is looked at once.
  bool enter(const Block& block, LocationId where) {
    if (!have_types(block.arguments, where)) return false;
    const std::size_t outside = visible_.size();
    const bool ends = has_end(block, where);
    bool sound = define(block.arguments, where) && ends;
    for (const Op& each : block.ops) {
      const bool is_last = &each == &block.ops.back();
      if (!is_terminator(each) || (ends && is_last)) {
        sound = op(each) && sound;
      } else if (ends) {
        sound = report_.fail("block_c1", each.location,
                             fmt::format("{} does not end its block", each.row().name));
      }
    }
    hide_from(outside);
    return sound;
  }

  bool has_end(const Block& block, LocationId where) const {
    if (block.ops.empty() || !is_terminator(block.ops.back())) {
      return report_.fail("block_c1", where, fmt::format("a block of {} ops", block.ops.size()));
    }
    const Op& last = block.ops.back();
    const Op* parent = parents_.empty() ? nullptr : parents_.back();
    return may_end(parent, last.code) ||
           report_.fail("block_c2", last.location,
                        fmt::format("{} ends {}", last.row().name,
                                    parent == nullptr ? "an entry" : parent->row().name));
  }

  /// An op that breaks one constraint is not looked at further, nor is what is in it: the rest
  /// would follow from the first.
  bool op(const Op& op) {
    OpContext context{module_, function_, options_, op, op.row(), parents_, report_};
    const bool typed = have_types(op.results, op.location);
    bool sound = typed && check_op_shape(context) && operands_are_visible(context) && regions(op);
    context.parents = parents_;  // which nested ops may have moved
    if (typed) sound = define(op.results, op.location) && sound;
    return sound && std::ranges::all_of(checks_of(context.row),
                                        [&](OpCheck check) { return check(context); });
  }

  bool regions(const Op& op) {
    bool sound = true;
    parents_.push_back(&op);
    for (const Block& each : op.regions) {
      const bool left_out = op.code == Opcode::if_ && &each != &op.regions[0] && each.ops.empty();
      if (left_out) continue;
      sound = enter(each, op.location) && sound;
    }
    parents_.pop_back();
    return sound;
  }

  const Module& module_;
  const Function& function_;
  const VerifyOptions& options_;
  Report& report_;
  std::vector<State> states_;
  std::vector<Value> visible_;                  ///< or broken: those of the blocks that are open
  std::array<const Type::Node*, 256> sound_{};  ///< types that passed, by their address
  std::vector<const Op*> parents_;
};

bool is_identifier(std::string_view name) {
  return !name.empty() && !is_digit(name[0]) &&
         std::ranges::all_of(name, [](char c) { return is_letter(c) || is_digit(c); });
}

/// Names of functions and globals share one space.
class SymbolVerifier {
 public:
  explicit SymbolVerifier(Report& report) : report_(report) {}

  void add(const std::string& name, LocationId where) {
    if (!is_identifier(name)) report_.fail("module_c2", where, fmt::format("\"{}\"", name));
    if (!names_.insert(name).second)
      report_.fail("module_c1", where, fmt::format("@{} again", name));
  }

 private:
  Report& report_;
  std::set<std::string> names_;
};

void verify_global(const Global& global, const VerifyOptions& options, Report& report) {
  const LocationId where = global.location;
  if (!global.type) {
    report.fail("value_c2", where, fmt::format("global @{} without a type", global.name));
    return;
  }
  if (!check_type(global.type, options, where, report)) return;
  const TileType* tile = number_tile(global.type);
  const bool sound = tile != nullptr && is_number(tile->kind()) && tile->shape.size() == 1 &&
                     fits(global.value, tile->kind(), static_cast<std::size_t>(tile->shape[0]));
  if (!sound) {
    report.fail("global_c1", where,
                fmt::format("global @{} is {} of {} bytes", global.name, to_string(global.type),
                            global.value.bytes.size()));
  } else if ((global.alignment & (global.alignment - 1)) != 0) {
    report.fail("global_c2", where,
                fmt::format("global @{} is aligned to {}", global.name, global.alignment));
  }
}

struct Architecture {
  int number;
  Version since;
};
constexpr Architecture compiled_for[] = {
    {80, {13, 2}},  {86, {13, 2}},  {87, {13, 2}},  {88, {13, 2}},  {89, {13, 2}},  {90, {13, 3}},
    {100, {13, 1}}, {103, {13, 1}}, {107, {13, 4}}, {110, {13, 1}}, {120, {13, 1}}, {121, {13, 1}},
};

void verify_architecture(const VerifyOptions& options, Report& report) {
  if (!options.architecture) return;
  const auto found = std::ranges::find(compiled_for, *options.architecture, &Architecture::number);
  if (found != std::end(compiled_for) && options.tool >= found->since) return;
  report.fail("module_c3", LocationId::unknown,
              fmt::format("sm_{} with tool {}", *options.architecture, to_string(options.tool)));
}

}  // namespace

std::span<const Constraint> constraints() { return constraint_table; }

Findings examine(const Module& module, const VerifyOptions& options) {
  Report report(module);
  verify_architecture(options, report);
  SymbolVerifier symbols(report);
  for (const Global& each : module.globals) {
    symbols.add(each.name, each.location);
    verify_global(each, options, report);
  }
  for (const Function& each : module.functions) {
    symbols.add(each.name, each.location);
    FunctionVerifier(module, each, options, report).run();
  }
  return std::move(report).take();
}

std::vector<Diagnostic> verify(const Module& module, const VerifyOptions& options) {
  return examine(module, options).errors;
}

}  // namespace tw::inline v0::ir
