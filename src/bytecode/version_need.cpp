// SPDX-License-Identifier: Apache-2.0
#include "bytecode/version_need.hpp"

#include <algorithm>
#include <span>
#include <unordered_map>
#include <variant>

#include <fmt/format.h>

#include <tilewright/core/error.hpp>

namespace tw::inline v0::bytecode {
namespace {

using namespace ir;

/// The version that each alternative of a type came with.
struct TypeSince {
  Version operator()(ElementKind kind) const { return since(kind); }
  Version operator()(const PointerType& type) const {
    return std::max(since(type.pointee), type.attribute ? v13_4 : v13_1);
  }
  Version operator()(const TileType& type) const { return std::visit(*this, type.element); }
  Version operator()(const TensorViewType& type) const {
    return std::max(since(type.element), type.attribute ? v13_4 : v13_1);
  }
  Version operator()(const PartitionViewType& type) const { return (*this)(type.tensor); }
  Version operator()(const StridedViewType& type) const {
    return std::max((*this)(type.tensor), v13_3);
  }
  Version operator()(const GatherScatterViewType& type) const {
    return std::max((*this)(type.tensor), v13_3);
  }
  Version operator()(TokenType) const { return v13_1; }
  Version operator()(const FunctionType&) const { return v13_1; }
};

/// Finds the greatest need of a function.
class NeedFinder {
 public:
  NeedFinder(VersionNeed& need, const Module& module, const Function& function)
      : need_(need), module_(module), function_(function) {}

  void run() {
    for (const Value each : function_.body.arguments) type(each, function_.location);
    walk(function_.body, [this](const Op& each) { op(each); });
  }

 private:
  /// `describe()` says what needs the version, where that is news.
  template <class Describe>
  void require(Version version, LocationId location, Describe describe) {
    if (version > need_.since) need_ = {version, describe(), location};
  }

  void type(Value value, LocationId location) {
    const Type& type = function_.type(value);
    require(std::visit(TypeSince(), type.node()), location, [&] { return to_string(type); });
  }

  void op(const Op& op) {
    const OpRow& row = op.row();
    if (op.code >= Opcode::check) refuse(op);
    require(row.since, op.location, [&] { return std::string(row.name); });
    for (const Value each : op.results) type(each, op.location);
    for (const Block& region : op.regions) {
      for (const Value each : region.arguments) type(each, op.location);
    }
    for (std::size_t i = 0; i < row.attributes.size(); ++i) attribute(op, i);
    operands(op);
  }

  void attribute(const Op& op, std::size_t index) {
    const AttributeRow& row = op.row().attributes[index];
    const Attribute& value = op.attributes.at(index);
    if (row.since > v13_1 && !is_fallback(value, row)) {
      require(row.since, op.location,
              [&] { return fmt::format("{} of {}", attribute_text(row.name), op.row().name); });
    }
    const auto* number = value.as<std::int64_t>();
    if (number == nullptr || value_names(row.kind).empty()) return;
    require(value_since(row.kind, *number), op.location, [&] {
      return fmt::format("{} of {}", value_names(row.kind)[static_cast<std::size_t>(*number)],
                         op.row().name);
    });
  }

  void operands(const Op& op) {
    const OpRow& row = op.row();
    for (std::size_t i = 0; i < row.operands.size(); ++i) {
      if (op.group_sizes[i] == 0) continue;
      require(row.operands[i].since, op.location,
              [&] { return fmt::format("{} of {}", row.operands[i].name, row.name); });
    }
    for (const Value each : late_.empty() ? std::span<const Value>() : op.operands) late(op, each);
    if (row.results_since > row.since) {
      for (const Value each : op.results) late_.emplace(each.index, &row);
    }
  }

  /// Results that older files leave out are only needed by those who use them.
  void late(const Op& user, Value value) {
    const auto giver = late_.find(value.index);
    if (giver == late_.end()) return;
    require(giver->second->results_since, user.location,
            [&] { return fmt::format("the result of {}", giver->second->name); });
  }

  [[noreturn]] void refuse(const Op& op) const {
    throw CompilerError({Diagnostic{
        fmt::format("{} is not part of Tile IR: lower it before writing bytecode", op.row().name),
        module_.locations[op.location],
        {}}});
  }

  VersionNeed& need_;
  const Module& module_;
  const Function& function_;
  std::unordered_map<std::uint32_t, const OpRow*> late_;  ///< those that give such results
};

}  // namespace

VersionNeed version_need(const Module& module) {
  VersionNeed need;
  const auto at_least_13_3 = [&](bool is_so, std::string_view what, LocationId location) {
    if (is_so && need.since < v13_3) need = {v13_3, std::string(what), location};
  };
  at_least_13_3(module.producer.has_value(), "the producer", LocationId::unknown);
  for (const Global& each : module.globals) {
    at_least_13_3(each.constant, "a constant global", each.location);
    at_least_13_3(each.visibility == Visibility::private_, "a private global", each.location);
    const Version version = std::visit(TypeSince(), each.type.node());
    if (version > need.since) need = {version, to_string(each.type), each.location};
  }
  for (const Function& each : module.functions) NeedFinder(need, module, each).run();
  return need;
}

}  // namespace tw::inline v0::bytecode
