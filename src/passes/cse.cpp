// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include <tilewright/passes/cse.hpp>
#include <tilewright/passes/roots.hpp>

#include "passes/renaming.hpp"

namespace tw::inline v0::passes {
namespace {

using Hash = std::uint64_t;

Hash mixed(Hash hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
  return hash ^ (hash >> 32);
}

/// Tells attributes apart that often differ between ops of one kind; equality decides.
Hash hash_of(const ir::Attribute& attribute) {
  if (const auto* number = attribute.as<std::int64_t>()) {
    return static_cast<Hash>(*number);
  }
  if (const auto* constant = attribute.as<ir::Constant>()) {
    const auto* bytes = reinterpret_cast<const char*>(constant->bytes.data());
    return std::hash<std::string_view>{}({bytes, constant->bytes.size()});
  }
  return attribute.index();
}

Hash hash_of(const ir::Op& op) {
  Hash hash = static_cast<Hash>(op.code);
  for (const ir::Value operand : op.operands) hash = mixed(hash, operand.index);
  for (const ir::Attribute& attribute : op.attributes) hash = mixed(hash, hash_of(attribute));
  return hash;
}

/// The first op met of every kind, in the regions that are open.
class Table {
 public:
  struct Entry {
    Hash hash;
    const ir::Op* op;
    std::uint32_t next;
  };
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  Table() : heads_(256, none) {}

  template <class Equal>
  const ir::Op* find(Hash hash, Equal&& equal) const {
    for (std::uint32_t at = heads_[slot(hash)]; at != none; at = entries_[at].next) {
      if (entries_[at].hash == hash && equal(*entries_[at].op)) return entries_[at].op;
    }
    return nullptr;
  }
  void add(Hash hash, const ir::Op& op) {
    std::uint32_t& head = heads_[slot(hash)];
    entries_.push_back({hash, &op, head});
    head = static_cast<std::uint32_t>(entries_.size() - 1);
  }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  /// Forgets all but the first `size` ops.
  void shrink(std::size_t size) {
    for (; entries_.size() > size; entries_.pop_back()) {
      heads_[slot(entries_.back().hash)] = entries_.back().next;
    }
  }

 private:
  [[nodiscard]] std::size_t slot(Hash hash) const { return (hash ^ (hash >> 8)) & 255; }

  std::vector<Entry> entries_;
  std::vector<std::uint32_t> heads_;
};

class Merger {
 public:
  Merger(const ir::Module& module, ir::Function& function)
      : function_(function), roots_(module, function), renaming_(function) {
    merge(function.body);
  }

 private:
  void merge(ir::Block& block) {
    const std::size_t before = table_.size();
    std::vector<bool> merged(block.ops.size());
    for (std::size_t i = 0; i < block.ops.size(); ++i) {
      ir::Op& op = block.ops[i];
      renaming_.apply(op);
      if (candidate(op)) {
        merged[i] = merge(op);
      } else {
        for (ir::Block& region : op.regions) merge(region);
      }
    }
    table_.shrink(before);
    // Only now may ops move: the table holds their addresses.
    std::size_t at = 0;
    std::erase_if(block.ops, [&](const ir::Op&) { return merged[at++]; });
  }

  [[nodiscard]] bool candidate(const ir::Op& op) const {
    return op.row().effect == ir::Effect::pure || roots_.constant_load(op);
  }

  bool merge(const ir::Op& op) {
    const Hash hash = hash_of(op);
    const ir::Op* first = table_.find(hash, [&](const ir::Op& other) { return equal(op, other); });
    if (!first) {
      table_.add(hash, op);
      return false;
    }
    for (std::size_t i = 0; i < op.results.size(); ++i) {
      renaming_.replace(op.results[i], first->results[i]);
    }
    return true;
  }

  [[nodiscard]] bool equal(const ir::Op& a, const ir::Op& b) const {
    return a.code == b.code && a.operands == b.operands && a.group_sizes == b.group_sizes &&
           a.attributes == b.attributes &&
           std::ranges::equal(a.results, b.results, [&](ir::Value x, ir::Value y) {
             return function_.type(x) == function_.type(y);
           });
  }

  const ir::Function& function_;
  Roots roots_;
  Renaming renaming_;
  Table table_;
};

}  // namespace

ir::Module cse(ir::Module module) {
  for (ir::Function& function : module.functions) Merger{module, function};
  return module;
}

}  // namespace tw::inline v0::passes
