// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <tilewright/passes/licm.hpp>
#include <tilewright/passes/roots.hpp>

#include "passes/control_flow.hpp"
#include "passes/integer.hpp"

namespace tw::inline v0::passes {
namespace {

using ir::Opcode;

class Hoister {
 public:
  Hoister(const ir::Module& module, ir::Function& function)
      : function_(function),
        roots_(module, function),
        depths_(function.types.size()),
        defined_(function.types.size()) {
    hoist(function.body, 0, nullptr);
  }

 private:
  /// Rebuilds a block at `depth` regions below the function's own. What is the same in every
  /// iteration goes to `before`, which exists for the body of a loop only.
  void hoist(ir::Block& block, int depth, std::vector<ir::Op>* before) {
    std::vector<ir::Op> ops = std::exchange(block.ops, {});
    block.ops.reserve(ops.size());
    for (const ir::Value argument : block.arguments) depths_[argument.index] = depth;
    const auto place = [&](ir::Op&& op) {
      const bool moves = before && movable(op) && !reads_at(op, depth);
      for (const ir::Value result : op.results) depths_[result.index] = moves ? depth - 1 : depth;
      (moves ? *before : block.ops).push_back(std::move(op));
    };
    std::vector<ir::Op> hoisted;
    for (ir::Op& op : ops) {
      note_constant(op);
      for (ir::Block& region : op.regions) {
        hoist(region, depth + 1, is_loop(op) ? &hoisted : nullptr);
      }
      for (ir::Op& each : hoisted) place(std::move(each));
      hoisted.clear();
      place(std::move(op));
    }
  }

  [[nodiscard]] bool reads_at(const ir::Op& op, int depth) const {
    const auto here = [&](ir::Value value) { return depths_[value.index] == depth; };
    if (std::ranges::any_of(op.operands, here)) return true;
    return std::ranges::any_of(op.regions, [&](const ir::Block& region) {
      return std::ranges::any_of(region.ops,
                                 [&](const ir::Op& inner) { return reads_at(inner, depth); });
    });
  }

  [[nodiscard]] bool movable(const ir::Op& op) const {
    switch (op.code) {
      case Opcode::assume:  // promises something about iterations that take place
        return false;
      case Opcode::divi:
      case Opcode::remi:
        return defined_[op.operands[1].index].divisor;
      case Opcode::shli:
      case Opcode::shri:
        return defined_[op.operands[1].index].shift;
      case Opcode::reduce:
      case Opcode::scan:
        return true;
      default:
        return op.row().effect == ir::Effect::pure || roots_.constant_load(op);
    }
  }

  /// Remembers for which operand position of an op this constant makes it defined everywhere.
  void note_constant(const ir::Op& op) {
    if (op.code != Opcode::constant) return;
    const std::uint8_t width = integer_width(function_.type(op.result()));
    if (width == 0) return;
    const ir::TileType& type = function_.type(op.result()).tile();
    const auto& value = op.get<ir::Constant>(ir::AttributeName::value);
    const auto count = static_cast<std::size_t>(product(type.shape));
    const std::size_t stored = ir::is_splat(value, type.kind(), count) ? 1 : count;
    Defined defined{.divisor = true, .shift = true};
    for (std::size_t i = 0; i < stored; ++i) {
      const std::int64_t number = as_signed(ir::element_bits(value, type.kind(), i), width);
      defined.divisor &= number != 0 && number != -1;
      defined.shift &= 0 <= number && number < width;
    }
    defined_[op.result().index] = defined;
  }

  struct Defined {
    bool divisor = false;
    bool shift = false;
  };

  const ir::Function& function_;
  Roots roots_;
  std::vector<int> depths_;       ///< by value: regions around its definition
  std::vector<Defined> defined_;  ///< by value; nothing for what is no constant
};

}  // namespace

ir::Module licm(ir::Module module) {
  for (ir::Function& function : module.functions) Hoister{module, function};
  return module;
}

}  // namespace tw::inline v0::passes
