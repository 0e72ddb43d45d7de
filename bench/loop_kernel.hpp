// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <tilewright/ir/builder.hpp>

#include "tests/ir/make_value.hpp"

namespace tw::bench {

/// A kernel of about `ops` ops: tiles are loaded in a loop, take part in arithmetic, and are
/// stored, every op at a place of its own.
inline ir::Module loop_kernel(int ops) {
  using namespace ir;
  const Type block = tile_type(ElementKind::f32, {64, 64});
  const TensorViewType tensor{ElementKind::f32, {dynamic, dynamic}, {dynamic, 1}};
  const Type cut{PartitionViewType{{64, 64}, tensor, {0, 1}, Padding::zero}};
  Module module;
  Function function{.name = "kernel"};
  Builder builder(function);
  std::uint32_t line = 1;
  const auto next_line = [&] {
    builder.at(module.locations.add(SourcePlace{"kernels/kernel.hpp", ++line, 5}));
  };
  function.location = module.locations.add(SourcePlace{"kernels/kernel.hpp", line, 1});
  const Value view = make_value(builder, cut);
  const Value zero = builder.integer(ElementKind::i32, 0);
  Block body;
  body.arguments = {function.fresh(tile_type(ElementKind::i32)), function.fresh(block)};
  builder.enter(body);
  Value sum = body.arguments[1];
  for (int i = 0; i < ops / 5; ++i) {
    next_line();
    const Value column = builder.integer(ElementKind::i32, i);
    const Value loaded = builder.load_view(view, std::vector{body.arguments[0], column});
    sum = builder.float_op(Opcode::mulf, sum, loaded, RoundingMode::nearest_even, false);
    sum = builder.simple(Opcode::maxf, block, {sum, loaded});
    sum = builder.float_op(Opcode::addf, sum, loaded, RoundingMode::nearest_even, false);
  }
  builder.append(OpDraft(Opcode::continue_).group({sum}), {});
  builder.leave();
  OpDraft loop(Opcode::for_);
  loop.operand(zero).operand(builder.integer(ElementKind::i32, 8));
  loop.operand(builder.integer(ElementKind::i32, 1));
  loop.group({builder.constant(ElementKind::f32, 0, {64, 64})}).region(std::move(body));
  builder.store_view(builder.append(loop, {block}), view, std::vector{zero, zero});
  builder.append(OpDraft(Opcode::return_), {});
  module.functions.push_back(std::move(function));
  return module;
}

}  // namespace tw::bench
