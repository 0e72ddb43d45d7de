// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include <tilewright/interp/program.hpp>
#include <tilewright/ir/builder.hpp>

namespace tw::interp_test {

using ir::AttributeName;
using ir::Opcode;
using ir::OpDraft;
using ir::Value;

inline std::uint64_t address(const void* memory) { return reinterpret_cast<std::uint64_t>(memory); }
inline std::uint64_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }
inline std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value); }
inline float as_float(std::uint64_t pattern) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(pattern));
}

template <class T>
std::vector<std::uint64_t> all_bits(const std::vector<T>& values) {
  std::vector<std::uint64_t> result;
  for (const T value : values) result.push_back(bits(value));
  return result;
}

/// An entry "k" that a test writes op by op.
class TestKernel {
 public:
  TestKernel() : module_(with_entry()), builder_(module_.functions.front()) {}

  Value parameter(const ir::Type& type) {
    const Value value = function().fresh(type);
    function().body.arguments.push_back(value);
    return value;
  }
  Value pointer(ElementKind pointee) { return parameter(ir::pointer_tile_type(pointee)); }
  Value scalar(ElementKind kind) { return parameter(ir::tile_type(kind)); }

  ir::Builder& build() { return builder_; }
  ir::Function& function() { return module_.functions.front(); }
  ir::Module& module() { return module_; }

  Value i32(std::int64_t value) { return builder_.integer(ElementKind::i32, value); }

  /// A view of a whole dense tensor in tiles.
  Value tiles(Value base, const Shape& extents, const Shape& tile) {
    Shape strides = Shape::filled(extents.size(), 1);
    for (std::size_t k = extents.size(); k-- > 1;) strides[k - 1] = strides[k] * extents[k];
    return tiles(base, extents, strides, tile, std::nullopt);
  }
  Value tiles(Value base, const Shape& extents, const Shape& strides, const Shape& tile,
              std::optional<ir::Padding> padding) {
    const ir::TensorViewType tensor{builder_.type(base).tile().kind(), extents, strides};
    std::vector<std::int32_t> dim_map;
    for (std::size_t k = 0; k < tile.size(); ++k) dim_map.push_back(static_cast<std::int32_t>(k));
    return builder_.view(Opcode::make_partition_view, builder_.tensor_view(base, tensor, {}, {}),
                         ir::Type(ir::PartitionViewType{tile, tensor, dim_map, padding}));
  }
  Value load(Value view, const std::vector<Value>& index) {
    return builder_.load_view(view, index);
  }
  void store(Value tile, Value view, const std::vector<Value>& index) {
    builder_.store_view(tile, view, index);
  }
  /// Stores a whole tile, row by row, where `base` points.
  void store_all(Value tile, Value base) {
    const std::int64_t count = product(builder_.type(tile).tile().shape);
    store(builder_.reshape(tile, {count}), tiles(base, {count}, {count}), {i32(0)});
  }

  /// Appends a terminator, or another op without results.
  void end(Opcode code, const std::vector<Value>& operands = {}) {
    OpDraft draft(code);
    draft.group(operands);
    builder_.append(draft, {});
  }
  /// A block whose ops `write` appends, given its arguments.
  ir::Block block(const std::vector<ir::Type>& arguments,
                  const std::function<void(std::span<const Value>)>& write) {
    ir::Block block;
    for (const ir::Type& type : arguments) block.arguments.push_back(function().fresh(type));
    builder_.enter(block);
    write(block.arguments);
    builder_.leave();
    return block;
  }

  /// The kernel, ready to run; nothing may be added afterwards.
  interp::Program finish(const std::vector<ir::AbiSlot>& abi = {}) {
    end(Opcode::return_);
    return interp::Program(module_, "k", abi);
  }
  void run(std::initializer_list<std::uint64_t> arguments, interp::Grid grid = {}) {
    finish().run(grid, std::span(arguments.begin(), arguments.size()));
  }

 private:
  static ir::Module with_entry() {
    ir::Module module;
    module.functions.emplace_back().name = "k";
    return module;
  }

  ir::Module module_;
  ir::Builder builder_;
};

/// A tile by the patterns of its elements.
struct Elements {
  ElementKind kind;
  Shape shape;
  std::vector<std::uint64_t> patterns;
};
inline Elements row(ElementKind kind, std::vector<std::uint64_t> patterns) {
  const auto count = static_cast<std::int64_t>(patterns.size());
  return {kind, {count}, std::move(patterns)};
}
inline Elements f32s(const std::vector<float>& values) {
  return row(ElementKind::f32, all_bits(values));
}
inline Elements f64s(const std::vector<double>& values) {
  return row(ElementKind::f64, all_bits(values));
}

using BuildTile = std::function<Value(ir::Builder&, std::span<const Value>)>;

/// The patterns of the tile that `build` makes of constant operands.
inline std::vector<std::uint64_t> evaluate(const std::vector<Elements>& operands,
                                           const BuildTile& build) {
  TestKernel kernel;
  ir::Builder& builder = kernel.build();
  std::vector<Value> values;
  for (const Elements& operand : operands) {
    values.push_back(
        builder.append(OpDraft(Opcode::constant)
                           .set(AttributeName::value, ir::dense(operand.kind, operand.patterns)),
                       {ir::tile_type(operand.kind, operand.shape)}));
  }
  const Value result = build(builder, values);
  const ir::TileType type = builder.type(result).tile();
  const auto& row = info(type.kind());
  const auto count = static_cast<std::size_t>(product(type.shape));
  std::vector<std::byte> memory(count * row.storage_bytes());
  const Value base = kernel.pointer(type.kind());
  kernel.store_all(result, base);
  kernel.run({address(memory.data())});

  std::vector<std::uint64_t> patterns(count);
  for (std::size_t k = 0; k < count; ++k) {
    if (row.memory_bits == 4) {
      patterns[k] = std::to_integer<std::uint64_t>(memory[k / 2] >> (k % 2 * 4)) & 15;
    } else {
      std::memcpy(&patterns[k], &memory[k * row.storage_bytes()], row.storage_bytes());
      patterns[k] >>= row.format.memory_shift;
    }
  }
  return patterns;
}

/// The same for an op of one result whose attributes all have defaults.
inline std::vector<std::uint64_t> evaluate(Opcode code, ElementKind result,
                                           const std::vector<Elements>& operands) {
  return evaluate(operands, [&](ir::Builder& builder, std::span<const Value> values) {
    OpDraft draft(code);
    for (const Value value : values) draft.operand(value);
    return builder.append(draft, {ir::tile_type(result, operands.front().shape)});
  });
}

}  // namespace tw::interp_test
