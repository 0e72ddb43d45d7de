// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <tilewright/ir/op.hpp>

namespace tw::ir {

/// Writes a module in another way that means exactly the same: ops without effects in another
/// order, values, places and sites with other numbers, functions and globals in another order.
class Shuffler {
 public:
  explicit Shuffler(std::uint32_t seed) : random_(seed) {}

  Module shuffled(Module module) {
    move_places(module);
    move_sites(module);
    for (Function& each : module.functions) {
      renumber(each);
      reorder(each.body);
    }
    std::ranges::shuffle(module.functions, random_);
    std::ranges::shuffle(module.globals, random_);
    return module;
  }

 private:
  std::vector<std::uint32_t> permutation(std::size_t count) {
    std::vector<std::uint32_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0u);
    std::ranges::shuffle(numbers, random_);
    return numbers;
  }

  static void for_each_value(Block& block, auto change) {
    for (Value& each : block.arguments) change(each);
    for (Op& op : block.ops) {
      for (Value& each : op.operands) change(each);
      for (Value& each : op.results) change(each);
      for (Block& region : op.regions) for_each_value(region, change);
    }
  }

  void renumber(Function& function) {
    const auto numbers = permutation(function.types.size());
    std::vector<Type> types(function.types.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) types[numbers[i]] = function.types[i];
    function.types = std::move(types);
    for_each_value(function.body, [&](Value& each) { each.index = numbers[each.index]; });
  }

  /// The same places, in a table that begins with others.
  void move_places(Module& module) {
    LocationTable table;
    table.add(SourcePlace{"other.cpp", 1, 1});
    std::vector<LocationId> moved(module.locations.size(), LocationId::unknown);
    for (std::size_t i = 1; i < moved.size(); ++i) {
      SourcePlace place = module.locations[LocationId(i)];
      place.scope = moved_scope(module.locations, table, place.scope);
      place.caller = moved.at(static_cast<std::size_t>(place.caller));
      moved[i] = table.add(place);
    }
    const auto move = [&](LocationId& id) { id = moved.at(static_cast<std::size_t>(id)); };
    for (Site& each : module.sites) move(each.location);
    for (Global& each : module.globals) move(each.location);
    for (Function& function : module.functions) {
      move(function.location);
      walk(function.body, [&](Op& op) { move(op.location); });
    }
    module.locations = std::move(table);
  }

  static ScopeId moved_scope(const LocationTable& from, LocationTable& to, ScopeId id) {
    if (id == ScopeId::none) return id;
    SourceScope scope = from[id];
    scope.parent = moved_scope(from, to, scope.parent);
    return to.add(scope);
  }

  void move_sites(Module& module) {
    const auto numbers = permutation(module.sites.size());
    std::vector<Site> sites(module.sites.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) sites[numbers[i]] = module.sites[i];
    module.sites = std::move(sites);
    for (Function& function : module.functions) {
      walk(function.body, [&](Op& op) {
        if (attribute_index(op.row(), AttributeName::site) < 0) return;
        const auto site = static_cast<std::size_t>(op.integer(AttributeName::site));
        op.set(AttributeName::site, Attribute(std::int64_t{numbers.at(site)}));
      });
    }
  }

  static void add_uses(const Op& op, std::set<std::uint32_t>& used) {
    for (const Value each : op.operands) used.insert(each.index);
    for (const Block& block : op.regions) {
      for (const Op& each : block.ops) add_uses(each, used);
    }
  }

  /// Takes again and again any op all of whose operands are there; ops with effects and those with
  /// blocks keep their order.
  void reorder(Block& block) {
    for (Op& op : block.ops) {
      for (Block& region : op.regions) reorder(region);
    }
    std::set<std::uint32_t> missing;
    std::vector<std::set<std::uint32_t>> used(block.ops.size());
    for (std::size_t i = 0; i < block.ops.size(); ++i) {
      add_uses(block.ops[i], used[i]);
      for (const Value each : block.ops[i].results) missing.insert(each.index);
    }
    std::vector<Op> ordered;
    std::vector<std::size_t> left(block.ops.size());
    std::iota(left.begin(), left.end(), std::size_t{0});
    while (!left.empty()) {
      const std::size_t chosen = choose(block, left, used, missing);
      for (const Value each : block.ops[chosen].results) missing.erase(each.index);
      ordered.push_back(std::move(block.ops[chosen]));
      std::erase(left, chosen);
    }
    block.ops = std::move(ordered);
  }

  std::size_t choose(const Block& block, const std::vector<std::size_t>& left,
                     const std::vector<std::set<std::uint32_t>>& used,
                     const std::set<std::uint32_t>& missing) {
    std::vector<std::size_t> ready;
    bool is_first_fixed = true;
    for (const std::size_t each : left) {
      const bool is_pure = block.ops[each].row().effect == Effect::pure;
      const bool in_turn = is_pure || std::exchange(is_first_fixed, false);
      const bool is_last = block.ops[each].row().effect == Effect::terminator;
      const bool has_operands = std::ranges::none_of(
          used[each], [&](std::uint32_t value) { return missing.contains(value); });
      if (in_turn && has_operands && (!is_last || left.size() == 1)) ready.push_back(each);
    }
    return ready.at(random_() % ready.size());
  }

  std::mt19937 random_;
};

}  // namespace tw::ir
