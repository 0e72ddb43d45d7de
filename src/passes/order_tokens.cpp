// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <tilewright/passes/order_tokens.hpp>
#include <tilewright/passes/roots.hpp>

#include "passes/control_flow.hpp"

namespace tw::inline v0::passes {
namespace {

using ir::Opcode;
using ir::Value;
using Tokens = std::vector<Value>;

void add(Tokens& tokens, Value token) {
  if (token && std::ranges::find(tokens, token) == tokens.end()) tokens.push_back(token);
}

/// What an op, or all ops of a region, do to one memory.
enum class Touch : std::uint8_t { none, reads, writes };

/// The memories of a function that need order, by number, and how ops touch them.
class Memories {
 public:
  Memories(const ir::Module& module, const ir::Function& function) : roots_(module, function) {
    std::vector<Root> accessed;
    ir::walk(function.body, [&](const ir::Op& op) {
      fences_ = fences_ || is_fence(op);
      prints_ = prints_ || op.code == Opcode::print_tko;
      const Value address = address_of(op);
      if (address) accessed.push_back(roots_.of(address));
    });
    for (const Root& root : accessed) {
      merged_ = merged_ || root.kind == Root::Kind::unknown;
      const bool known = std::ranges::find(ordered_, root) != ordered_.end();
      if (!known && (fences_ || roots_.written(root))) ordered_.push_back(root);
    }
    if (merged_ && ordered_.size() > 1) ordered_.resize(1);
  }

  /// All memories; the output of print_tko counts as one, the last.
  [[nodiscard]] std::size_t size() const { return ordered_.size() + prints_; }

  [[nodiscard]] Touch touch(const ir::Op& op, std::size_t memory) const {
    if (is_fence(op)) return Touch::writes;
    if (op.code == Opcode::print_tko) {
      return memory == ordered_.size() ? Touch::writes : Touch::none;
    }
    const Value address = address_of(op);
    if (!address || memory >= ordered_.size()) return Touch::none;
    const Root root = roots_.of(address);
    if (!merged_ && !(ordered_[memory] == root)) return Touch::none;
    return writes_memory(op) ? Touch::writes : Touch::reads;
  }

  /// Whether an op touches any memory at all.
  static bool concerns(const ir::Op& op) {
    return address_of(op) || is_fence(op) || op.code == Opcode::print_tko;
  }

  /// Of the ops of a block and of those inside them.
  void touched(const ir::Block& block, std::vector<Touch>& touches) const {
    for (const ir::Op& op : block.ops) {
      for (std::size_t i = 0; concerns(op) && i < touches.size(); ++i) {
        touches[i] = std::max(touches[i], touch(op, i));
      }
      for (const ir::Block& region : op.regions) touched(region, touches);
    }
  }

 private:
  static bool is_fence(const ir::Op& op) {
    switch (op.code) {
      case Opcode::gdc_launch_dependents_tko:
      case Opcode::gdc_wait_tko:
      case Opcode::memory_fence_alias_tko:
        return true;
      default:
        break;
    }
    if (!op.find(ir::AttributeName::memory_ordering)) return false;
    const auto ordering = op.as<ir::MemoryOrdering>(ir::AttributeName::memory_ordering);
    return ordering != ir::MemoryOrdering::weak && ordering != ir::MemoryOrdering::relaxed;
  }

  Roots roots_;
  std::vector<Root> ordered_;
  bool merged_ = false;  ///< an unknown address may be any: all are one memory
  bool fences_ = false;
  bool prints_ = false;
};

/// What accesses to come must wait for.
struct Pending {
  Value last;    ///< the last write
  Tokens reads;  ///< since then

  [[nodiscard]] Tokens before_write() const {
    if (!reads.empty()) return reads;
    Tokens tokens;
    add(tokens, last);
    return tokens;
  }
};

class Orderer {
 public:
  Orderer(const ir::Module& module, ir::Function& function)
      : function_(function), memories_(module, function) {
    State state(memories_.size());
    if (!state.empty()) order(function.body, state, nullptr);
  }

 private:
  using State = std::vector<Pending>;

  /// A memory whose token a loop or branch carries, and whether it is that of a write.
  struct Carried {
    std::size_t memory;
    bool written;
  };
  using CarriedList = std::vector<Carried>;

  void order(ir::Block& block, State& state, const CarriedList* loop) {
    std::vector<ir::Op> ops = std::exchange(block.ops, {});
    for (ir::Op& op : ops) {
      switch (op.code) {
        case Opcode::for_:
        case Opcode::loop:
          order_loop(op, state, block.ops);
          break;
        case Opcode::if_:
          order_branch(op, state, loop);
          break;
        case Opcode::break_:
        case Opcode::continue_:
          if (loop) append_tokens(op, 0, *loop, state, block.ops);
          break;
        default:
          order_access(op, state, block.ops);
      }
      block.ops.push_back(std::move(op));
    }
  }

  void order_access(ir::Op& op, State& state, std::vector<ir::Op>& out) {
    if (!Memories::concerns(op)) return;
    Tokens tokens;
    std::vector<Touch> touches(state.size());
    for (std::size_t i = 0; i < state.size(); ++i) {
      touches[i] = memories_.touch(op, i);
      if (touches[i] == Touch::reads) add(tokens, state[i].last);
      if (touches[i] != Touch::writes) continue;
      for (const Value token : state[i].before_write()) add(tokens, token);
    }
    if (std::ranges::count(touches, Touch::none) == std::ssize(touches)) return;
    wait_for(op, std::move(tokens), out);
    const Value done = op.results.back();
    for (std::size_t i = 0; i < state.size(); ++i) {
      if (touches[i] == Touch::reads) add(state[i].reads, done);
      if (touches[i] == Touch::writes) state[i] = {done, {}};
    }
  }

  /// Gives an op, whose last operand is its token, these tokens to wait for.
  void wait_for(ir::Op& op, Tokens tokens, std::vector<ir::Op>& out) {
    const std::size_t group = op.row().operands.size() - 1;
    if (op.group_sizes[group] != 0) {
      add(tokens, op.operands.back());
      op.operands.pop_back();
    }
    op.group_sizes[group] = 0;
    if (tokens.empty()) return;
    op.operands.push_back(joined(tokens, op.location, out));
    op.group_sizes[group] = 1;
  }

  /// One token for all of them; a fresh one for none.
  Value joined(const Tokens& tokens, ir::LocationId location, std::vector<ir::Op>& out) {
    if (tokens.size() == 1) return tokens.front();
    ir::Op op;
    op.code = tokens.empty() ? Opcode::make_token : Opcode::join_tokens;
    op.location = location;
    op.operands.assign(tokens.begin(), tokens.end());
    op.group_sizes[0] = static_cast<std::uint16_t>(tokens.size());
    op.results.push_back(function_.fresh(ir::token_type()));
    out.push_back(std::move(op));
    return out.back().result();
  }

  [[nodiscard]] CarriedList carried_through(const ir::Op& op) const {
    std::vector<Touch> touches(memories_.size());
    for (const ir::Block& region : op.regions) memories_.touched(region, touches);
    CarriedList list;
    for (std::size_t i = 0; i < touches.size(); ++i) {
      if (touches[i] != Touch::none) list.push_back({i, touches[i] == Touch::writes});
    }
    return list;
  }

  /// Appends to operand group `group` one token for each carried memory: that of all accesses, or
  /// of the reads alone where nothing writes.
  void append_tokens(ir::Op& op, std::size_t group, const CarriedList& list, const State& state,
                     std::vector<ir::Op>& out) {
    for (const Carried& each : list) {
      op.operands.push_back(joined(state[each.memory].before_write(), op.location, out));
      ++op.group_sizes[group];
    }
  }

  Value token_result(ir::Op& op) {
    op.results.push_back(function_.fresh(ir::token_type()));
    return op.results.back();
  }

  static void finish(Pending& pending, const Carried& carried, Value token) {
    if (carried.written) {
      pending = {token, {}};
    } else {
      add(pending.reads, token);
    }
  }

  void order_loop(ir::Op& op, State& state, std::vector<ir::Op>& out) {
    const CarriedList list = carried_through(op);
    append_tokens(op, op.code == Opcode::for_ ? for_bounds : 0, list, state, out);
    State inside = state;
    for (const Carried& each : list) {
      const Value argument = function_.fresh(ir::token_type());
      op.regions[0].arguments.push_back(argument);
      inside[each.memory].reads.clear();
      finish(inside[each.memory], each, argument);
    }
    order(op.regions[0], inside, &list);
    for (const Carried& each : list) finish(state[each.memory], each, token_result(op));
  }

  void order_branch(ir::Op& op, State& state, const CarriedList* loop) {
    const CarriedList list = carried_through(op);
    for (ir::Block& region : op.regions) {
      if (list.empty() && region.ops.empty()) continue;
      if (region.ops.empty()) end_with_yield(region, op.location);
      State inside = state;
      order(region, inside, loop);
      if (!yield_of(region)) continue;
      ir::Op yield = std::move(region.ops.back());
      region.ops.pop_back();
      append_tokens(yield, 0, list, inside, region.ops);
      region.ops.push_back(std::move(yield));
    }
    const bool continues = yield_of(op.regions[0]) || yield_of(op.regions[1]);
    if (!continues) return;
    for (const Carried& each : list) finish(state[each.memory], each, token_result(op));
  }

  static void end_with_yield(ir::Block& region, ir::LocationId location) {
    ir::Op yield;
    yield.code = Opcode::yield;
    yield.location = location;
    region.ops.push_back(std::move(yield));
  }

  ir::Function& function_;
  Memories memories_;
};

}  // namespace

ir::Module order_tokens(ir::Module module) {
  for (ir::Function& function : module.functions) Orderer{module, function};
  return module;
}

}  // namespace tw::inline v0::passes
