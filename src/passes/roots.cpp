// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <span>

#include <tilewright/passes/roots.hpp>

#include "passes/control_flow.hpp"

namespace tw::inline v0::passes {
namespace {

using ir::AttributeName;
using ir::MemoryOrdering;
using ir::Opcode;

/// Where two addresses may both come from.
Root joined(const Root& a, const Root& b) {
  if (a.kind == Root::Kind::none || a == b) return b;
  if (b.kind == Root::Kind::none) return a;
  return {Root::Kind::unknown, 0};
}

/// Whether values of a type can hold an address.
bool holds_address(const ir::Type& type) {
  if (const auto* tile = type.as<ir::TileType>()) {
    return tile->holds_pointers() || tile->kind() == ElementKind::i64;
  }
  return !type.is_token();
}

MemoryOrdering ordering_of(const ir::Op& op) {
  if (!op.find(AttributeName::memory_ordering)) return MemoryOrdering::weak;
  return op.as<MemoryOrdering>(AttributeName::memory_ordering);
}

/// Whether what others wrote may become visible at this op.
bool waits_for_others(const ir::Op& op) {
  switch (op.code) {
    case Opcode::gdc_wait_tko:
    case Opcode::memory_fence_alias_tko:
      return true;
    default: {
      const MemoryOrdering ordering = ordering_of(op);
      return ordering == MemoryOrdering::acquire || ordering == MemoryOrdering::acq_rel;
    }
  }
}

}  // namespace

/// Propagates roots forward; once more where a loop carries an address that changes.
class RootFinder {
 public:
  RootFinder(Roots& result, const ir::Module& module, const ir::Function& function)
      : result_(result), module_(module), function_(function) {
    result.roots_.resize(function.types.size());
    const auto& parameters = function.body.arguments;
    for (std::uint32_t i = 0; i < parameters.size(); ++i) {
      const auto* tile = function.type(parameters[i]).as<ir::TileType>();
      if (tile && tile->holds_pointers()) set(parameters[i], {Root::Kind::parameter, i});
    }
    do {
      changed_ = false;
      visit(function.body, nullptr);
    } while (changed_);
    note_writes();
  }

 private:
  [[nodiscard]] Root of(ir::Value value) const { return result_.roots_[value.index]; }
  void set(ir::Value value, const Root& root) { result_.roots_[value.index] = root; }
  void merge(ir::Value value, const Root& root) {
    if (holds_address(function_.type(value))) set(value, joined(of(value), root));
  }
  /// Into a value whose uses have been visited.
  void merge_back(ir::Value value, const Root& root) {
    const Root before = of(value);
    merge(value, root);
    changed_ = changed_ || !(of(value) == before);
  }

  void visit(const ir::Block& block, const ir::Op* loop) {
    for (const ir::Op& op : block.ops) visit(op, loop);
  }

  void visit(const ir::Op& op, const ir::Op* loop) {
    switch (op.code) {
      case Opcode::for_:
        return visit_loop(op, for_bounds, 1);
      case Opcode::loop:
        return visit_loop(op, 0, 0);
      case Opcode::if_:
        for (const ir::Block& region : op.regions) {
          visit(region, loop);
          if (const ir::Op* yield = yield_of(region)) merge_all(op.results, yield->operands);
        }
        return;
      case Opcode::continue_:
        return leave(op, *loop, loop->regions[0].arguments);
      case Opcode::break_:
        return leave(op, *loop, loop->results);
      default:
        transfer(op);
    }
  }

  void visit_loop(const ir::Op& op, std::size_t first_operand, std::size_t first_argument) {
    const auto& arguments = op.regions[0].arguments;
    for (std::size_t i = 0; first_operand + i < op.operands.size(); ++i) {
      const Root root = of(op.operands[first_operand + i]);
      merge(arguments[first_argument + i], root);
      if (op.code == Opcode::for_) merge(op.results[i], root);
    }
    visit(op.regions[0], &op);
  }

  void leave(const ir::Op& exit, const ir::Op& loop, std::span<const ir::Value> targets) {
    const std::size_t first = targets.size() - exit.operands.size();
    for (std::size_t i = 0; i < exit.operands.size(); ++i) {
      merge_back(targets[first + i], of(exit.operands[i]));
      if (loop.code == Opcode::for_) merge_back(loop.results[i], of(exit.operands[i]));
    }
  }

  void merge_all(std::span<const ir::Value> values, std::span<const ir::Value> from) {
    for (std::size_t i = 0; i < values.size(); ++i) merge(values[i], of(from[i]));
  }

  void transfer(const ir::Op& op) {
    const Root root = root_of(op);
    if (root.kind == Root::Kind::none) return;
    for (const ir::Value result : op.results) merge(result, root);
  }

  [[nodiscard]] Root root_of(const ir::Op& op) const {
    switch (op.code) {
      case Opcode::offset:
      case Opcode::make_tensor_view:
      case Opcode::extract:
        return of(op.operands[0]);
      case Opcode::alloca_:
        return {Root::Kind::local, op.result().index};
      case Opcode::get_global:
        return global(op.get<std::string>(AttributeName::name));
      case Opcode::load_ptr_tko:
      case Opcode::load_view_tko: {
        // An integer read from a parameter's memory may be the address of a row.
        const Root table = of(op.operands[0]);
        if (table.kind == Root::Kind::parameter) return {Root::Kind::rows, table.index};
        return {Root::Kind::unknown, 0};
      }
      case Opcode::int_to_ptr: {
        const Root root = of(op.operands[0]);
        return root.kind == Root::Kind::none ? Root{Root::Kind::unknown, 0} : root;
      }
      default: {
        Root root;
        for (const ir::Value operand : op.operands) root = joined(root, of(operand));
        return root;
      }
    }
  }

  [[nodiscard]] Root global(const std::string& name) const {
    const auto found = std::ranges::find(module_.globals, name, &ir::Global::name);
    return {Root::Kind::global, static_cast<std::uint32_t>(found - module_.globals.begin())};
  }

  void note_writes() {
    ir::walk(function_.body, [&](const ir::Op& op) {
      result_.waits_ = result_.waits_ || waits_for_others(op);
      if (!writes_memory(op)) return;
      const Root root = of(address_of(op));
      if (std::ranges::find(result_.written_, root) == result_.written_.end()) {
        result_.written_.push_back(root);
      }
    });
  }

  Roots& result_;
  const ir::Module& module_;
  const ir::Function& function_;
  bool changed_ = false;
};

ir::Value address_of(const ir::Op& op) {
  switch (op.code) {
    case Opcode::load_ptr_tko:
    case Opcode::load_view_tko:
    case Opcode::store_ptr_tko:
    case Opcode::atomic_cas_tko:
    case Opcode::atomic_rmw_tko:
    case Opcode::atomic_red_view_tko:
      return op.operands[0];
    case Opcode::store_view_tko:
      return op.operands[1];
    default:
      return {};
  }
}

bool writes_memory(const ir::Op& op) {
  return address_of(op) && op.row().effect == ir::Effect::writes;
}

Roots::Roots(const ir::Module& module, const ir::Function& function) {
  RootFinder(*this, module, function);
}

bool Roots::written(const Root& root) const {
  return std::ranges::any_of(written_, [&](const Root& each) {
    return each == root || each.kind == Root::Kind::unknown || root.kind == Root::Kind::unknown;
  });
}

bool Roots::constant_load(const ir::Op& op) const {
  const bool loads = op.code == Opcode::load_ptr_tko || op.code == Opcode::load_view_tko;
  if (!loads || waits_ || ordering_of(op) != MemoryOrdering::weak) return false;
  const bool ordered = static_cast<bool>(op.optional(op.row().operands.size() - 1));
  return !ordered && !written(of(address_of(op)));
}

}  // namespace tw::inline v0::passes
