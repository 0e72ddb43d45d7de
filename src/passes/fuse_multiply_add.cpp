// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <vector>

#include <tilewright/passes/fuse_multiply_add.hpp>

namespace tw::inline v0::passes {
namespace {

using ir::AttributeName;
using ir::Opcode;

class Fuser {
 public:
  explicit Fuser(ir::Function& function)
      : uses_(function.types.size()), products_(function.types.size()) {
    ir::walk(function.body, [&](const ir::Op& op) {
      for (const ir::Value operand : op.operands) ++uses_[operand.index];
    });
    fuse(function.body);
  }

 private:
  void fuse(ir::Block& block) {
    std::vector<bool> absorbed(block.ops.size());
    for (ir::Op& op : block.ops) {
      if (op.code == Opcode::mulf && uses_[op.result().index] == 1) {
        products_[op.result().index] = {&block, &op};
      }
      if (op.code == Opcode::addf) {
        const ir::Op* product = absorb(op, block);
        if (product) absorbed[static_cast<std::size_t>(product - block.ops.data())] = true;
      }
      for (ir::Block& region : op.regions) fuse(region);
    }
    std::size_t at = 0;
    std::erase_if(block.ops, [&](const ir::Op&) { return absorbed[at++]; });
  }

  /// Turns a sum with a product of the same block into an fma; the product, which is not needed
  /// any more.
  const ir::Op* absorb(ir::Op& sum, const ir::Block& block) const {
    for (const std::size_t side : {0u, 1u}) {
      const Product& found = products_[sum.operands[side].index];
      if (found.block != &block || !same_arithmetic(sum, *found.op)) continue;
      const ir::Value addend = sum.operands[1 - side];
      const auto rounding = sum.integer(AttributeName::rounding);
      const auto flush = sum.integer(AttributeName::flush_to_zero);
      sum.code = Opcode::fma;
      sum.operands = {found.op->operands[0], found.op->operands[1], addend};
      sum.group_sizes = {1, 1, 1};
      sum.attributes.assign(sum.row().attributes.size(), {});
      sum.set(AttributeName::rounding, ir::Attribute(rounding));
      sum.set(AttributeName::flush_to_zero, ir::Attribute(flush));
      return found.op;
    }
    return nullptr;
  }

  static bool same_arithmetic(const ir::Op& a, const ir::Op& b) {
    return a.integer(AttributeName::rounding) == b.integer(AttributeName::rounding) &&
           a.integer(AttributeName::flush_to_zero) == b.integer(AttributeName::flush_to_zero);
  }

  struct Product {
    const ir::Block* block = nullptr;
    const ir::Op* op = nullptr;
  };

  std::vector<std::uint32_t> uses_;  ///< by value
  std::vector<Product> products_;    ///< by value: what is used once and may be absorbed
};

}  // namespace

ir::Module fuse_multiply_add(ir::Module module) {
  for (ir::Function& function : module.functions) Fuser{function};
  return module;
}

}  // namespace tw::inline v0::passes
