// SPDX-License-Identifier: Apache-2.0
#include "interp/lifetimes.hpp"

#include <algorithm>

#include "interp/rules.hpp"

namespace tw::inline v0::interp {

Lifetimes::Lifetimes(const ir::Function& function) : storages_(function.types.size()) {
  visit(function.body);
  for (std::uint32_t index = 0; index < storages_.size(); ++index) {
    const Storage& storage = storages_[index];
    if (storage.root.index == index && storage.last_use) {
      endings_[storage.last_use].push_back(storage.root);
    }
  }
}

void Lifetimes::define(ir::Value value, const ir::Op* definition) {
  storages_[value.index] = {value, path_.size(), definition, definition};
}

void Lifetimes::visit(const ir::Block& block) {
  path_.push_back(nullptr);
  for (const ir::Value argument : block.arguments) define(argument, nullptr);
  for (const ir::Op& op : block.ops) {
    path_.back() = &op;
    for (const ir::Value operand : op.operands) {
      Storage& storage = storages_[root(operand).index];
      storage.last_use = path_[storage.depth - 1];
    }
    for (const ir::Block& region : op.regions) visit(region);
    const bool alias = rule(op.code).sharing == Sharing::alias;
    for (const ir::Value result : op.results) {
      if (alias) {
        storages_[result.index].root = root(op.operands.front());
      } else {
        define(result, &op);
      }
    }
  }
  path_.pop_back();
}

std::span<const ir::Value> Lifetimes::ending_with(const ir::Op& op) const {
  const auto found = endings_.find(&op);
  return found == endings_.end() ? std::span<const ir::Value>{} : found->second;
}

std::size_t Lifetimes::uses(const ir::Op& op, ir::Value value) const {
  auto count = static_cast<std::size_t>(std::ranges::count_if(
      op.operands, [&](ir::Value operand) { return root(operand) == value; }));
  for (const ir::Block& region : op.regions) {
    for (const ir::Op& inner : region.ops) count += uses(inner, value);
  }
  return count;
}

}  // namespace tw::inline v0::interp
