// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "tests/ir/make_value.hpp"

namespace tw::ir {

/// An entry that makes one constant.
inline Module with_constant(ElementKind kind, Shape shape, Constant value) {
  Module module;
  Function function{.name = "k"};
  Builder builder(function);
  OpDraft draft(Opcode::constant);
  builder.append(draft.set(AttributeName::value, std::move(value)),
                 {tile_type(kind, std::move(shape))});
  builder.append(OpDraft(Opcode::return_), {});
  module.functions.push_back(std::move(function));
  return module;
}

/// An entry that reduces four numbers, starting from this one.
inline Module reduction(Scalar identity) {
  Module module;
  Function function{.name = "k"};
  Builder builder(function);
  const Type element = tile_type(identity.kind);
  Block body;
  body.arguments = {function.fresh(element), function.fresh(element)};
  builder.enter(body);
  builder.append(OpDraft(Opcode::yield).group({body.arguments[1]}), {});
  builder.leave();
  OpDraft reduce(Opcode::reduce);
  reduce.group({make_value(builder, tile_type(identity.kind, {4}))});
  reduce.set(AttributeName::dim, Attribute(std::int64_t{0}));
  reduce.set(AttributeName::identities, ScalarArray{identity}).region(std::move(body));
  builder.append(reduce, {tile_type(identity.kind)});
  builder.append(OpDraft(Opcode::return_), {});
  module.functions.push_back(std::move(function));
  return module;
}

}  // namespace tw::ir
