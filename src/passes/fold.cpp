// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <utility>
#include <vector>

#include <tilewright/passes/fold.hpp>

#include "passes/constant_op.hpp"
#include "passes/control_flow.hpp"
#include "passes/fold_rules.hpp"
#include "passes/integer.hpp"
#include "passes/renaming.hpp"

namespace tw::inline v0::passes {
namespace {

using ir::AttributeName;
using ir::Opcode;

class Folder {
 public:
  explicit Folder(ir::Function& function)
      : function_(function), definitions_(function), renaming_(function) {
    do {
      again_ = false;
      fold(function.body);
    } while (again_);
  }

 private:
  void fold(ir::Block& block) {
    std::vector<ir::Op> ops = std::exchange(block.ops, {});
    block.ops.reserve(ops.size());
    append(ops, block.ops);
  }

  /// Folds ops one by one into `out`; false if control never reaches their end.
  bool append(std::vector<ir::Op>& ops, std::vector<ir::Op>& out) {
    for (ir::Op& op : ops) {
      renaming_.apply(op);
      if (op.code == Opcode::if_ && definitions_.splat(op.operands[0])) {
        if (!append_taken_branch(op, out)) return false;
      } else if (never_runs(op)) {
        for (std::size_t i = 0; i < op.results.size(); ++i) {
          renaming_.replace(op.results[i], op.operands[for_bounds + i]);
        }
      } else if (keep(op)) {
        out.push_back(std::move(op));
      }
    }
    return true;
  }

  bool append_taken_branch(ir::Op& op, std::vector<ir::Op>& out) {
    const bool condition = (*definitions_.splat(op.operands[0]) & 1) != 0;
    std::vector<ir::Op>& branch = op.regions[condition ? 0 : 1].ops;
    if (branch.empty()) return true;
    ir::Op end = std::move(branch.back());
    branch.pop_back();
    if (!append(branch, out)) return false;
    renaming_.apply(end);
    if (end.code != Opcode::yield) {
      out.push_back(std::move(end));
      return false;
    }
    for (std::size_t i = 0; i < op.results.size(); ++i) {
      renaming_.replace(op.results[i], end.operands[i]);
    }
    return true;
  }

  [[nodiscard]] bool never_runs(const ir::Op& op) const {
    if (op.code != Opcode::for_) return false;
    if (op.operands[0] == op.operands[1]) return true;
    const auto low = definitions_.splat(op.operands[0]);
    const auto high = definitions_.splat(op.operands[1]);
    if (!low || !high) return false;
    const std::uint8_t width = integer_width(function_.type(op.operands[0]));
    if (op.integer(AttributeName::unsigned_comparison) != 0) {
      return masked(*low, width) >= masked(*high, width);
    }
    return as_signed(*low, width) >= as_signed(*high, width);
  }

  /// Folds an op with its regions; false if others stand for all its results.
  bool keep(ir::Op& op) {
    for (ir::Block& region : op.regions) fold(region);
    if (is_loop(op)) drop_unchanged(op);
    if (op.code == Opcode::if_) replace_agreed(op);
    const Outcome outcome = simplified(op);
    if (outcome.kind == Outcome::Kind::value) {
      renaming_.replace(op.result(), outcome.value);
      return false;
    }
    if (outcome.kind == Outcome::Kind::splat) settle(op, outcome.bits);
    definitions_.note(op);
    return true;
  }

  void settle(ir::Op& op, std::uint64_t bits) const {
    const ElementKind kind = function_.type(op.result()).tile().kind();
    if (kind != ElementKind::i4) become_splat(op, kind, bits);  // there are no i4 constants
  }

  Outcome simplified(ir::Op& op) const {
    if (op.results.size() != 1 || op.operands.empty()) return unchanged();
    Outcome outcome = fold_integer(op, definitions_);
    if (outcome.kind == Outcome::Kind::op) outcome = fold_shape(op, definitions_);
    if (outcome.kind == Outcome::Kind::op) outcome = fold_float(op, definitions_);
    return outcome;
  }

  /// Results for which both branches yield the same value.
  void replace_agreed(const ir::Op& op) {
    const ir::Op* then = yield_of(op.regions[0]);
    const ir::Op* otherwise = yield_of(op.regions[1]);
    if (!then || !otherwise) return;
    for (std::size_t i = 0; i < op.results.size(); ++i) {
      if (then->operands[i] == otherwise->operands[i]) {
        renaming_.replace(op.results[i], then->operands[i]);
      }
    }
  }

  /// Carried values that every iteration passes on are their initial values.
  void drop_unchanged(const ir::Op& op) {
    const std::size_t first_operand = op.code == Opcode::for_ ? for_bounds : 0;
    const std::size_t first_argument = op.code == Opcode::for_ ? 1 : 0;
    const ir::Block& body = op.regions[0];
    for (std::size_t i = 0; first_operand + i < op.operands.size(); ++i) {
      const ir::Value initial = op.operands[first_operand + i];
      const ir::Value argument = body.arguments[first_argument + i];
      Passing passing{initial, argument};
      inspect_exits(body, i, passing);
      if (!passing.unchanged || !passing.reads_argument) continue;
      renaming_.replace(argument, initial);
      if (op.code == Opcode::for_) renaming_.replace(op.results[i], initial);
      again_ = true;
    }
  }

  struct Passing {
    ir::Value initial;
    ir::Value argument;
    bool unchanged = true;        ///< every `continue` passes the argument or the initial value
    bool reads_argument = false;  ///< one of them passes the argument
  };

  static void inspect_exits(const ir::Block& block, std::size_t position, Passing& passing) {
    for (const ir::Op& op : block.ops) {
      if (op.code == Opcode::continue_) {
        const ir::Value next = op.operands[position];
        passing.reads_argument = passing.reads_argument || next == passing.argument;
        passing.unchanged =
            passing.unchanged && (next == passing.argument || next == passing.initial);
      }
      if (op.code != Opcode::if_) continue;
      for (const ir::Block& region : op.regions) inspect_exits(region, position, passing);
    }
  }

  const ir::Function& function_;
  Definitions definitions_;
  Renaming renaming_;
  bool again_ = false;
};

}  // namespace

void Definitions::note(const ir::Op& op) {
  if (op.results.size() != 1) return;
  Definition& definition = definitions_[op.result().index];
  definition = {.code = op.code, .known = true};
  if (!op.operands.empty()) definition.operand = op.operands[0];
  if (op.code != Opcode::constant) return;
  const ir::TileType& type = function_.type(op.result()).tile();
  const auto& value = op.get<ir::Constant>(AttributeName::value);
  definition.splat =
      ir::is_splat(value, type.kind(), static_cast<std::size_t>(product(type.shape)));
  if (definition.splat) definition.bits = ir::element_bits(value, type.kind(), 0);
}

ir::Module fold(ir::Module module) {
  for (ir::Function& function : module.functions) Folder{function};
  return module;
}

}  // namespace tw::inline v0::passes
