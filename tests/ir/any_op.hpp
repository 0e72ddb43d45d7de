// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include <tilewright/ir/builder.hpp>

#include "tests/ir/make_value.hpp"

namespace tw::ir {

/// A kernel around one op of any row of the table, which has two of whatever there may be any
/// number of. It matches the table but breaks rules of the verifier.
class AnyOp {
 public:
  /// Every operand has a parameter of its own, and one beside it that could take its place.
  static Module module(const OpRow& row) {
    Module module;
    module.sites.resize(2);
    module.sites[1].kind = "check";
    Function function{.name = "k"};
    const Value inner = add_parameter(function, type());
    OpDraft draft(row.code);
    for (const OperandRow& each : row.operands) {
      std::vector<Value> group;
      for (int i = each.arity == Arity::variadic ? 2 : 1; i > 0; --i) {
        group.push_back(add_parameter(function, type()));
        add_parameter(function, type());
      }
      draft.group(group);
    }
    for (const AttributeRow& each : row.attributes) draft.set(each.name, value(each.kind));
    for (int i = 0; i < row.regions; ++i) draft.region(block(function, row.code, inner));
    const std::size_t results = row.variadic_results && row.effect != Effect::terminator ? 2 : 0;
    const std::vector<Type> types(std::max<std::size_t>(row.results, results), result(row.code));
    Op op = draft.finish(function, types);
    OpDraft end(Opcode::return_);
    end.group(op.results);
    function.body.ops.push_back(std::move(op));
    if (row.effect != Effect::terminator) function.body.ops.push_back(end.finish(function, {}));
    module.functions.push_back(std::move(function));
    return module;
  }

  /// Another value of an attribute.
  static Attribute changed(const Attribute& value) {
    if (const auto* number = value.as<std::int64_t>()) return *number ^ 1;
    if (const auto* text = value.as<std::string>()) return *text + "x";
    if (value.is<Constant>()) return splat(ElementKind::f32, 0x40000000);
    if (value.is<AssumePredicate>()) return AssumePredicate(DivBy{32});
    if (value.is<Hints>()) return Hints{{"sm_90", {{"latency", false}}}};
    if (value.is<IntArray>()) return IntArray{1, 1};
    return ScalarArray{{ElementKind::f32, 2}};
  }

 private:
  static Type type() { return tile_type(ElementKind::f32); }

  static Type result(Opcode code) {
    if (code != Opcode::make_tensor_view) return type();
    return Type(TensorViewType{ElementKind::f32, {dynamic, dynamic}, {dynamic, dynamic}});
  }

  static Attribute value(AttributeKind kind) {
    switch (kind) {
      case AttributeKind::string:
        return Attribute("text");
      case AttributeKind::constant:
        return splat(ElementKind::f32, 0);
      case AttributeKind::predicate:
        return AssumePredicate(DivBy{16});
      case AttributeKind::hints:
        return Hints{{"sm_90", {{"latency", std::int64_t{2}}}}};
      case AttributeKind::int32_array:
      case AttributeKind::bool_array:
        return IntArray{1, 0};
      case AttributeKind::scalar_array:
        return ScalarArray{{ElementKind::f32, 1}};
      default:
        return std::int64_t{1};
    }
  }

  /// Gives what it computes of an argument of the function.
  static Block block(Function& function, Opcode parent, Value argument) {
    Block body;
    const std::size_t arguments = parent == Opcode::for_   ? 3
                                  : parent == Opcode::loop ? 2
                                  : parent == Opcode::if_  ? 0
                                                           : 4;
    for (std::size_t i = 0; i < arguments; ++i) body.arguments.push_back(function.fresh(type()));
    OpDraft compute(Opcode::absf);
    body.ops.push_back(compute.operand(argument).finish(function, {type()}));
    const bool is_loop = parent == Opcode::for_ || parent == Opcode::loop;
    OpDraft end(is_loop ? Opcode::continue_ : Opcode::yield);
    const Value computed = body.ops.front().result();
    body.ops.push_back(end.group({computed, computed}).finish(function, {}));
    return body;
  }
};

}  // namespace tw::ir
