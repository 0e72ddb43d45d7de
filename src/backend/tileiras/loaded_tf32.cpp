// SPDX-License-Identifier: Apache-2.0
#include <utility>
#include <variant>
#include <vector>

#include <tilewright/ir/builder.hpp>

#include "backend/tileiras/rewrites.hpp"

namespace tw::inline v0::backend::tileiras {
namespace {

using ir::Opcode;
using ir::Type;
using ir::Value;

ElementKind in_memory(ElementKind kind) {
  return kind == ElementKind::tf32 ? ElementKind::f32 : kind;
}

/// What a type that names memory becomes; every other type stays.
struct InMemory {
  Type operator()(ir::PointerType type) const {
    type.pointee = in_memory(type.pointee);
    return {type};
  }
  Type operator()(ir::TileType type) const {
    if (auto* pointer = std::get_if<ir::PointerType>(&type.element)) {
      pointer->pointee = in_memory(pointer->pointee);
    }
    return {type};
  }
  Type operator()(ir::TensorViewType type) const {
    type.element = in_memory(type.element);
    return {type};
  }
  Type operator()(const ir::PartitionViewType& type) const { return view(type); }
  Type operator()(const ir::StridedViewType& type) const { return view(type); }
  Type operator()(const ir::GatherScatterViewType& type) const { return view(type); }
  Type operator()(ElementKind kind) const { return {kind}; }
  Type operator()(ir::TokenType type) const { return {type}; }
  Type operator()(const ir::FunctionType& type) const { return {type}; }

  template <class View>
  static Type view(View view) {
    view.tensor.element = in_memory(view.tensor.element);
    return {std::move(view)};
  }
};

bool is_tf32(const Type& type) {
  const auto* tile = type.as<ir::TileType>();
  return tile != nullptr && !tile->holds_pointers() && tile->kind() == ElementKind::tf32;
}

Type as_f32(const Type& type) { return ir::tile_type(ElementKind::f32, type.tile().shape); }

class Rewriter {
 public:
  explicit Rewriter(ir::Function& function) : function_(function) {}

  void block(ir::Block& block) {
    std::vector<ir::Op> ops = std::exchange(block.ops, {});
    for (ir::Op& op : ops) {
      for (ir::Block& region : op.regions) this->block(region);
      touches_memory(op.code) ? access(std::move(op), block.ops)
                              : block.ops.push_back(std::move(op));
    }
  }

 private:
  static bool touches_memory(Opcode code) {
    return code == Opcode::load_view_tko || code == Opcode::load_ptr_tko ||
           code == Opcode::store_view_tko || code == Opcode::store_ptr_tko;
  }

  Value convert(Value value, const Type& type, ir::LocationId location, std::vector<ir::Op>& ops) {
    ir::OpDraft draft(Opcode::ftof, location);
    draft.operand(value);
    ops.push_back(draft.finish(function_, {type}));
    return ops.back().result();
  }

  /// Tiles of tf32 that an access takes are converted before it, those that it gives after it.
  void access(ir::Op op, std::vector<ir::Op>& ops) {
    for (Value& operand : op.operands) {
      const Type type = function_.type(operand);
      if (is_tf32(type)) operand = convert(operand, as_f32(type), op.location, ops);
    }
    std::vector<ir::Op> after;
    for (Value& result : op.results) {
      const Type type = function_.type(result);
      if (!is_tf32(type)) continue;
      const Value loaded = function_.fresh(as_f32(type));
      convert(loaded, type, op.location, after);
      std::swap(after.back().results.front(), result);
      result = loaded;
    }
    ops.push_back(std::move(op));
    for (ir::Op& each : after) ops.push_back(std::move(each));
  }

  ir::Function& function_;
};

}  // namespace

ir::Kernel without_loaded_tf32(ir::Kernel kernel) {
  ir::Function& entry = kernel.entry();
  Rewriter(entry).block(kernel.entry().body);
  for (Type& type : entry.types) {
    if (type) type = std::visit(InMemory(), type.node());
  }
  for (ir::AbiSlot& slot : kernel.abi) slot.element = in_memory(slot.element);
  return kernel;
}

}  // namespace tw::inline v0::backend::tileiras
