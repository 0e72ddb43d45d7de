// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <tilewright/passes/canonical.hpp>
#include <tilewright/passes/roots.hpp>

#include "passes/control_flow.hpp"
#include "passes/numbering.hpp"

namespace tw::inline v0::passes {
namespace {

using ir::Opcode;

constexpr std::uint32_t none = ~std::uint32_t{0};

/// How far an op may move inside its block.
enum class Mobility : std::uint8_t {
  free,   ///< anywhere before its uses
  bound,  ///< between the effects around it
  fixed,  ///< nowhere: an end point of the walk
};

/// What the ops of a region do to the op around it.
struct Summary {
  Mobility mobility = Mobility::free;
  bool leaves = false;  ///< goes to the next or past the last iteration of a loop around it
};

Mobility load_mobility(const ir::Op& op, const Roots& roots) {
  if (roots.constant_load(op)) return Mobility::free;
  const auto ordering = op.as<ir::MemoryOrdering>(ir::AttributeName::memory_ordering);
  const bool orders_others =
      ordering != ir::MemoryOrdering::weak && ordering != ir::MemoryOrdering::relaxed;
  return orders_others ? Mobility::fixed : Mobility::bound;
}

/// Of an op whose regions, taken together, are `inside`.
Mobility mobility_of(const ir::Op& op, const Summary& inside, const Roots& roots) {
  switch (op.row().effect) {
    case ir::Effect::pure:
      return Mobility::free;
    case ir::Effect::reads:
      return load_mobility(op, roots);
    case ir::Effect::writes:
      return op.code == Opcode::check ? Mobility::bound : Mobility::fixed;
    case ir::Effect::control:
      return inside.leaves ? Mobility::fixed : inside.mobility;
    case ir::Effect::terminator:
      break;
  }
  return Mobility::fixed;
}

/// The ops of one block and what they need of each other.
class BlockGraph {
 public:
  explicit BlockGraph(std::size_t values) : definers_(values), first_check_(values, none) {}

  void read(const ir::Block& block, const std::vector<Mobility>& mobilities) {
    ++serial_;
    nodes_.assign(block.ops.size() + 1, {});
    reads_.clear();
    for (std::uint32_t i = 0; i < block.ops.size(); ++i) {
      const ir::Op& op = block.ops[i];
      nodes_[i].mobility = mobilities[i];
      nodes_[i].first_read = static_cast<std::uint32_t>(reads_.size());
      note_reads(op);
      for (const ir::Value result : op.results) definers_[result.index] = {serial_, i};
    }
    nodes_.back().first_read = static_cast<std::uint32_t>(reads_.size());
    chain_checks(block);
  }

  /// The ops in canonical order.
  std::vector<std::uint32_t> order() {
    rank();
    std::vector<std::uint32_t> result;
    std::vector<std::uint32_t> bound;
    const auto place = [&](std::uint32_t op) {
      visit(op, false, [&](std::uint32_t each) { result.push_back(each); });
    };
    for (std::uint32_t i = 0; i + 1 < nodes_.size(); ++i) {
      if (nodes_[i].mobility == Mobility::bound) bound.push_back(i);
      if (nodes_[i].mobility != Mobility::fixed) continue;
      std::ranges::sort(bound, {},
                        [&](std::uint32_t op) { return std::pair(nodes_[op].rank, op); });
      for (const std::uint32_t op : bound) place(op);
      bound.clear();
      place(i);
    }
    return result;
  }

 private:
  struct Node {
    Mobility mobility = Mobility::free;
    bool visited = false;
    std::uint32_t rank = none;        ///< when the effects first need it
    std::uint32_t next_check = none;  ///< the next check with the same condition
    std::uint32_t first_read = 0;     ///< into reads_; the next node's ends this one's
  };
  struct Definer {
    std::uint32_t serial = 0;
    std::uint32_t op = 0;
  };
  struct Step {
    std::uint32_t op;
    std::uint32_t read;
    std::uint32_t check = none;
  };

  /// The operands of an op, then those of the ops in its regions.
  void note_reads(const ir::Op& op) {
    reads_.insert(reads_.end(), op.operands.begin(), op.operands.end());
    for (const ir::Block& region : op.regions) {
      for (const ir::Op& inner : region.ops) note_reads(inner);
    }
  }

  void chain_checks(const ir::Block& block) {
    for (const ir::Value value : checked_) first_check_[value.index] = none;
    checked_.clear();
    for (auto i = static_cast<std::uint32_t>(block.ops.size()); i-- > 0;) {
      if (block.ops[i].code != Opcode::check) continue;
      const ir::Value condition = block.ops[i].operands[0];
      nodes_[i].next_check = std::exchange(first_check_[condition.index], i);
      checked_.push_back(condition);
    }
  }

  /// Ranks ops by a walk that comes to a check when it comes to its condition.
  void rank() {
    std::uint32_t next = 0;
    for (std::uint32_t i = 0; i + 1 < nodes_.size(); ++i) {
      if (nodes_[i].mobility != Mobility::fixed) continue;
      visit(i, true, [&](std::uint32_t op) { nodes_[op].rank = next++; });
    }
    for (Node& node : nodes_) node.visited = false;
  }

  /// Calls `leave` for all that an op needs and then for the op, for each the first time.
  template <class Leave>
  void visit(std::uint32_t root, bool with_checks, Leave&& leave) {
    enter(root);
    while (!stack_.empty()) {
      Step& step = stack_.back();
      if (step.check != none) {
        enter(std::exchange(step.check, nodes_[step.check].next_check));
      } else if (step.read < nodes_[step.op + 1].first_read) {
        const ir::Value value = reads_[step.read++];
        if (with_checks) step.check = first_check_[value.index];
        const Definer definer = definers_[value.index];
        if (definer.serial == serial_) enter(definer.op);
      } else {
        leave(step.op);
        stack_.pop_back();
      }
    }
  }

  void enter(std::uint32_t op) {
    if (!std::exchange(nodes_[op].visited, true)) stack_.push_back({op, nodes_[op].first_read});
  }

  std::vector<Definer> definers_;           ///< by value: which op of which block
  std::vector<std::uint32_t> first_check_;  ///< by value: the first check of it in the block
  std::vector<ir::Value> checked_;
  std::vector<Node> nodes_;
  std::vector<ir::Value> reads_;
  std::vector<Step> stack_;
  std::uint32_t serial_ = 0;
};

/// Puts the ops of every block of a function into canonical order, inner blocks first.
class Scheduler {
 public:
  Scheduler(const ir::Module& module, ir::Function& function)
      : roots_(module, function), graph_(function.types.size()) {
    schedule(function.body);
  }

 private:
  Summary schedule(ir::Block& block) {
    Summary summary;
    std::vector<Mobility> mobilities;
    for (ir::Op& op : block.ops) {
      Summary inside;
      for (ir::Block& region : op.regions) merge(inside, schedule(region));
      if (is_loop(op)) inside.leaves = false;
      mobilities.push_back(mobility_of(op, inside, roots_));
      merge(summary, of_whole(op, inside));
    }
    graph_.read(block, mobilities);
    std::vector<ir::Op> ordered;
    ordered.reserve(block.ops.size());
    for (const std::uint32_t op : graph_.order()) ordered.push_back(std::move(block.ops[op]));
    block.ops = std::move(ordered);
    return summary;
  }

  /// What an op contributes to the summary of its block.
  [[nodiscard]] Summary of_whole(const ir::Op& op, const Summary& inside) const {
    switch (op.code) {
      case Opcode::yield:
        return {};
      case Opcode::break_:
      case Opcode::continue_:
        return {.leaves = true};
      default:
        break;
    }
    if (op.row().effect == ir::Effect::control) return inside;
    return {.mobility = mobility_of(op, inside, roots_)};
  }

  static void merge(Summary& into, const Summary& other) {
    into.mobility = std::max(into.mobility, other.mobility);
    into.leaves = into.leaves || other.leaves;
  }

  Roots roots_;
  BlockGraph graph_;
};

void strip_origins(ir::Module& module) {
  module.locations = {};
  module.name = ir::Module{}.name;
  module.producer.reset();
  for (ir::Site& site : module.sites) site.location = ir::LocationId::unknown;
  for (ir::Global& global : module.globals) global.location = ir::LocationId::unknown;
  for (std::size_t i = 0; i < module.functions.size(); ++i) {
    ir::Function& function = module.functions[i];
    function.name = i == 0 ? "kernel" : "kernel_" + std::to_string(i);
    function.location = ir::LocationId::unknown;
    ir::walk(function.body, [](ir::Op& op) { op.location = ir::LocationId::unknown; });
  }
}

}  // namespace

ir::Module canonical(ir::Module module, Origins origins) {
  for (ir::Function& function : module.functions) {
    Scheduler{module, function};
    number_values(function);
  }
  number_sites(module);
  if (origins == Origins::strip) strip_origins(module);
  return module;
}

}  // namespace tw::inline v0::passes
