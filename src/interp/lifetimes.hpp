// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include <tilewright/ir/op.hpp>

namespace tw::inline v0::interp {

/// Which values are one storage under several names, and where each storage is read last.
class Lifetimes {
 public:
  explicit Lifetimes(const ir::Function& function);

  /// The value whose storage `value` names.
  [[nodiscard]] ir::Value root(ir::Value value) const { return storages_[value.index].root; }
  /// The op that gives the root its value; null for a block's arguments.
  [[nodiscard]] const ir::Op* definition(ir::Value root) const {
    return storages_[root.index].definition;
  }
  /// The last op of the root's own block that reads it, itself or in its regions; its definition if
  /// none does.
  [[nodiscard]] const ir::Op* last_use(ir::Value root) const {
    return storages_[root.index].last_use;
  }
  /// The roots whose last use is `op`.
  [[nodiscard]] std::span<const ir::Value> ending_with(const ir::Op& op) const;
  /// How often `op`, with its regions, reads the root.
  [[nodiscard]] std::size_t uses(const ir::Op& op, ir::Value root) const;

 private:
  struct Storage {
    ir::Value root;
    std::size_t depth = 0;  ///< of the root's block
    const ir::Op* definition = nullptr;
    const ir::Op* last_use = nullptr;
  };

  void visit(const ir::Block& block);
  void define(ir::Value value, const ir::Op* definition);

  std::vector<Storage> storages_;
  std::vector<const ir::Op*> path_;  ///< while visiting: the current op of each open block
  std::unordered_map<const ir::Op*, std::vector<ir::Value>> endings_;
};

}  // namespace tw::inline v0::interp
