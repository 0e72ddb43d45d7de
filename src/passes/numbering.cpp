// SPDX-License-Identifier: Apache-2.0
#include "passes/numbering.hpp"

#include <utility>
#include <vector>

namespace tw::inline v0::passes {
namespace {

class ValueNumbering {
 public:
  explicit ValueNumbering(ir::Function& function)
      : old_types_(std::move(function.types)), numbers_(old_types_.size()) {
    types_.reserve(old_types_.size());
    number(function.body);
    function.types = std::move(types_);
  }

 private:
  void number(ir::Block& block) {
    for (ir::Value& argument : block.arguments) define(argument);
    for (ir::Op& op : block.ops) {
      for (ir::Value& operand : op.operands) operand = numbers_[operand.index];
      for (ir::Block& region : op.regions) number(region);
      for (ir::Value& result : op.results) define(result);
    }
  }

  void define(ir::Value& value) {
    const auto number = static_cast<std::uint32_t>(types_.size());
    types_.push_back(std::move(old_types_[value.index]));
    value = numbers_[value.index] = ir::Value{number};
  }

  std::vector<ir::Type> old_types_;
  std::vector<ir::Value> numbers_;
  std::vector<ir::Type> types_;
};

}  // namespace

void number_values(ir::Function& function) { ValueNumbering{function}; }

void number_sites(ir::Module& module) {
  constexpr std::int64_t unnamed = -1;
  std::vector<std::int64_t> numbers(module.sites.size(), unnamed);
  std::vector<ir::Site> sites;
  for (ir::Function& function : module.functions) {
    ir::walk(function.body, [&](ir::Op& op) {
      if (op.code != ir::Opcode::check && op.code != ir::Opcode::print) return;
      std::int64_t& number =
          numbers.at(static_cast<std::size_t>(op.integer(ir::AttributeName::site)));
      if (number == unnamed) {
        number = static_cast<std::int64_t>(sites.size());
        sites.push_back(
            std::move(module.sites[static_cast<std::size_t>(op.integer(ir::AttributeName::site))]));
      }
      op.set(ir::AttributeName::site, ir::Attribute(number));
    });
  }
  module.sites = std::move(sites);
}

}  // namespace tw::inline v0::passes
