// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include <tilewright/passes/dce.hpp>

#include "passes/control_flow.hpp"

namespace tw::inline v0::passes {
namespace {

using ir::Opcode;

/// Finds what is needed, from the effects backwards.
class Liveness {
 public:
  explicit Liveness(ir::Function& function)
      : values_(function.types.size()), sources_(function.types.size()) {
    collect(function.body, none, none);
    for (std::uint32_t op = 0; op < ops_.size(); ++op) {
      if (is_root(*ops_[op].op)) need_op(op);
    }
    while (!pending_.empty()) {
      const ir::Value value = pending_.back();
      pending_.pop_back();
      need_source_of(value);
    }
  }

  [[nodiscard]] bool value(ir::Value value) const { return values_[value.index]; }
  /// Ops are asked about in the order in which they were met: an op before its regions.
  [[nodiscard]] bool next_op() { return ops_[asked_++].needed; }
  /// Passes over the ops inside the op asked about last.
  void skip_regions() { asked_ = ops_[asked_ - 1].end; }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  struct Entry {
    ir::Op* op;
    std::uint32_t parent;             ///< the op around it
    std::uint32_t end = 0;            ///< the first op after its regions
    std::uint32_t first_exit = none;  ///< of a loop: its last break or continue
    std::uint32_t next_exit = none;   ///< of a break or continue: the one before it
    bool needed = false;
  };
  struct Source {
    std::uint32_t op = none;
    std::uint32_t position = 0;
    bool argument = false;
  };

  static bool is_root(const ir::Op& op) {
    return op.row().effect == ir::Effect::writes || op.code == Opcode::return_;
  }

  void collect(ir::Block& block, std::uint32_t parent, std::uint32_t loop) {
    for (ir::Op& op : block.ops) {
      const auto self = static_cast<std::uint32_t>(ops_.size());
      ops_.push_back({&op, parent});
      if (op.code == Opcode::break_ || op.code == Opcode::continue_) {
        ops_[self].next_exit = ops_[loop].first_exit;
        ops_[loop].first_exit = self;
      }
      for (std::uint32_t i = 0; i < op.results.size(); ++i) {
        sources_[op.results[i].index] = {self, i, false};
      }
      for (ir::Block& region : op.regions) {
        for (std::uint32_t i = 0; i < region.arguments.size(); ++i) {
          sources_[region.arguments[i].index] = {self, i, true};
        }
        collect(region, self, is_loop(op) ? self : loop);
      }
      ops_[self].end = static_cast<std::uint32_t>(ops_.size());
    }
  }

  void need(ir::Value value) {
    if (values_[value.index]) return;
    values_[value.index] = true;
    pending_.push_back(value);
  }

  /// What an op needs whatever its results are used for.
  void need_op(std::uint32_t index) {
    for (; index != none && !ops_[index].needed; index = ops_[index].parent) {
      ops_[index].needed = true;
      const ir::Op& op = *ops_[index].op;
      const std::size_t own = std::min(op.operands.size(), own_operands(op));
      for (std::size_t i = 0; i < own; ++i) need(op.operands[i]);
      if (op.code == Opcode::reduce || op.code == Opcode::scan) need_yielded(op);
      for (auto exit = ops_[index].first_exit; exit != none; exit = ops_[exit].next_exit) {
        need_op(exit);
      }
    }
  }

  void need_yielded(const ir::Op& op) {
    for (const ir::Value each : op.regions[0].ops.back().operands) need(each);
  }

  /// Operands that do not belong to one result, carried value or target.
  static std::size_t own_operands(const ir::Op& op) {
    switch (op.code) {
      case Opcode::for_:
        return for_bounds;
      case Opcode::loop:
      case Opcode::break_:
      case Opcode::continue_:
      case Opcode::yield:
        return 0;
      default:
        return op.operands.size();
    }
  }

  void need_source_of(ir::Value value) {
    const Source source = sources_[value.index];
    if (source.op == none) return;
    need_op(source.op);
    const ir::Op& op = *ops_[source.op].op;
    switch (op.code) {
      case Opcode::for_:
        if (!source.argument) return need_carried(source.op, source.position);
        if (source.position > 0) need_carried(source.op, source.position - 1);
        return;
      case Opcode::loop:
        if (source.argument) return need_carried(source.op, source.position);
        return need_exits(source.op, Opcode::break_, source.position);
      case Opcode::if_:
        for (const ir::Block& region : op.regions) need_yield(region, source.position);
        return;
      default:
        return;
    }
  }

  void need_yield(const ir::Block& region, std::uint32_t position) {
    if (region.ops.empty() || region.ops.back().code != Opcode::yield) return;
    need(region.ops.back().operands[position]);
  }

  void need_carried(std::uint32_t loop, std::uint32_t position) {
    const ir::Op& op = *ops_[loop].op;
    const bool counted = op.code == Opcode::for_;
    need(op.operands[position + (counted ? for_bounds : 0)]);
    need(op.regions[0].arguments[position + (counted ? 1 : 0)]);
    if (counted) need(op.results[position]);
    need_exits(loop, Opcode::continue_, position);
  }

  void need_exits(std::uint32_t loop, Opcode code, std::uint32_t position) {
    for (auto exit = ops_[loop].first_exit; exit != none; exit = ops_[exit].next_exit) {
      const ir::Op& op = *ops_[exit].op;
      if (op.code == code) need(op.operands[position]);
    }
  }

  std::vector<Entry> ops_;
  std::vector<bool> values_;
  std::vector<Source> sources_;
  std::vector<ir::Value> pending_;
  std::uint32_t asked_ = 0;
};

using Kept = std::vector<bool>;

/// Which operands the terminators of the regions around an op keep.
struct Targets {
  const Kept* yields = nullptr;
  const Kept* continues = nullptr;
  const Kept* breaks = nullptr;
};

/// Removes the values at positions that are not kept, from position `first` on.
template <class Values>
void keep_only(Values& values, const Kept& kept, std::size_t first = 0) {
  if (std::ranges::all_of(kept, [](bool each) { return each; })) return;
  std::size_t to = first;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (kept[i]) values[to++] = values[first + i];
  }
  values.resize(to);
}

class Sweeper {
 public:
  explicit Sweeper(ir::Function& function) : live_(function) { sweep(function.body, {}); }

 private:
  Kept kept_of(std::span<const ir::Value> values, std::size_t first = 0) const {
    Kept kept;
    for (std::size_t i = first; i < values.size(); ++i) kept.push_back(live_.value(values[i]));
    return kept;
  }

  void sweep(ir::Block& block, const Targets& targets) {
    std::erase_if(block.ops, [&](ir::Op& op) {
      const bool structural = op.row().effect == ir::Effect::terminator;
      if (!live_.next_op() && !structural) {
        live_.skip_regions();
        return true;
      }
      prune(op, targets);
      return false;
    });
  }

  void prune(ir::Op& op, const Targets& targets) {
    switch (op.code) {
      case Opcode::for_:
        return prune_counted(op);
      case Opcode::loop:
        return prune_loop(op);
      case Opcode::if_:
        return prune_branch(op, targets);
      case Opcode::yield:
        return prune_exit(op, targets.yields);
      case Opcode::continue_:
        return prune_exit(op, targets.continues);
      case Opcode::break_:
        return prune_exit(op, targets.breaks);
      default:
        for (ir::Block& region : op.regions) sweep(region, {});
    }
  }

  static void prune_exit(ir::Op& op, const Kept* kept) {
    if (!kept) return;
    keep_only(op.operands, *kept);
    op.group_sizes[0] = static_cast<std::uint16_t>(op.operands.size());
  }

  void prune_counted(ir::Op& op) {
    const Kept kept = kept_of(op.results);
    sweep(op.regions[0], {.continues = &kept});
    keep_only(op.operands, kept, for_bounds);
    op.group_sizes[for_bounds] = static_cast<std::uint16_t>(op.operands.size() - for_bounds);
    keep_only(op.regions[0].arguments, kept, 1);
    keep_only(op.results, kept);
  }

  void prune_loop(ir::Op& op) {
    const Kept carried = kept_of(op.regions[0].arguments);
    const Kept results = kept_of(op.results);
    sweep(op.regions[0], {.continues = &carried, .breaks = &results});
    keep_only(op.operands, carried);
    op.group_sizes[0] = static_cast<std::uint16_t>(op.operands.size());
    keep_only(op.regions[0].arguments, carried);
    keep_only(op.results, results);
  }

  void prune_branch(ir::Op& op, Targets targets) {
    const Kept kept = kept_of(op.results);
    targets.yields = &kept;
    for (ir::Block& region : op.regions) sweep(region, targets);
    keep_only(op.results, kept);
    // A branch that does nothing is no branch.
    std::vector<ir::Op>& otherwise = op.regions[1].ops;
    if (op.results.empty() && otherwise.size() == 1 && otherwise[0].code == Opcode::yield) {
      otherwise.clear();
    }
  }

  Liveness live_;
};

}  // namespace

ir::Module dce(ir::Module module) {
  for (ir::Function& function : module.functions) Sweeper{function};
  return module;
}

}  // namespace tw::inline v0::passes
