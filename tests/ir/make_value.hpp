// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <tilewright/core/error.hpp>
#include <tilewright/ir/builder.hpp>

namespace tw::ir {

/// Appends an entry parameter.
inline Value add_parameter(Function& function, const Type& type) {
  function.body.arguments.push_back(function.fresh(type));
  return function.body.arguments.back();
}

/// A value of any type that an entry can come by: pointers and extents from new parameters, numbers
/// from constants, views and tokens from the ops that make them.
inline Value make_value(Builder& builder, const Type& type) {
  Function& function = builder.function();
  if (type.is_token()) return builder.append(OpDraft(Opcode::make_token), {type});
  if (const auto* tile = type.as<TileType>()) {
    if (!tile->holds_pointers()) {
      if (tile->kind() != ElementKind::i4) return builder.constant(tile->kind(), 1, tile->shape);
      return builder.simple(Opcode::trunci, type,
                            {builder.constant(ElementKind::i8, 1, tile->shape)});
    }
    const Value pointer = add_parameter(function, Type(TileType{tile->element, {}}));
    return builder.spread(pointer, tile->shape);
  }
  if (const auto* tensor = type.as<TensorViewType>()) {
    const Value base = add_parameter(
        function, Type(TileType{PointerType{tensor->element, tensor->attribute}, {}}));
    const auto dynamics = [&](const Shape& extents) {
      std::vector<Value> values;
      for (const std::int64_t each : extents) {
        if (each == dynamic) values.push_back(add_parameter(function, tile_type(ElementKind::i32)));
      }
      return values;
    };
    const std::vector<Value> shape = dynamics(tensor->shape);
    return builder.tensor_view(base, *tensor, shape, dynamics(tensor->strides));
  }
  if (!type.is_view()) throw BugError("no op makes " + to_string(type), Location::current());
  const Opcode make = type.is<PartitionViewType>() ? Opcode::make_partition_view
                      : type.is<StridedViewType>() ? Opcode::make_strided_view
                                                   : Opcode::make_gather_scatter_view;
  return builder.view(make, make_value(builder, Type(viewed_tensor(type))), type);
}

}  // namespace tw::ir
