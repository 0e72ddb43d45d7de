// SPDX-License-Identifier: Apache-2.0
#include "bytecode/type_table.hpp"

#include <optional>
#include <variant>
#include <vector>

namespace tw::inline v0::bytecode {

using namespace ir;

/// Registers the parts of a type, then the type, and returns its index.
class TypeTable::Encoder {
 public:
  explicit Encoder(TypeTable& table) : table_(table) {}

  std::uint32_t operator()(ElementKind kind) {
    out_.varint(info(kind).tag);
    return finish();
  }

  std::uint32_t operator()(const PointerType& type) {
    const std::uint32_t pointee = table_.index(type.pointee);
    out_.varint(TypeTag::pointer);
    if (table_.version_ >= v13_4) out_.varint(type.attribute.has_value());
    out_.varint(pointee);
    enumerator(type.attribute);
    return finish();
  }

  std::uint32_t operator()(const TileType& type) {
    const std::uint32_t element =
        std::visit([&](const auto& each) { return Encoder(table_)(each); }, type.element);
    out_.varint(TypeTag::tile);
    out_.varint(element);
    extents(type.shape, 8);
    return finish();
  }

  std::uint32_t operator()(const TensorViewType& type) {
    const std::uint32_t element = table_.index(type.element);
    out_.varint(TypeTag::tensor_view);
    if (table_.version_ >= v13_4) out_.varint(type.attribute.has_value());
    out_.varint(element);
    extents(type.shape, 8);
    extents(type.strides, 8);
    enumerator(type.attribute);
    return finish();
  }

  std::uint32_t operator()(const PartitionViewType& type) {
    const std::uint32_t tensor = Encoder(table_)(type.tensor);
    out_.varint(TypeTag::partition_view);
    if (table_.version_ >= v13_3) out_.varint(type.padding.has_value());
    extents(type.tile, 4);
    out_.varint(tensor);
    extents(type.dim_map, 4);
    if (table_.version_ < v13_3) out_.byte(type.padding.has_value());
    enumerator(type.padding);
    return finish();
  }

  std::uint32_t operator()(const StridedViewType& type) {
    const std::uint32_t tensor = Encoder(table_)(type.tensor);
    out_.varint(TypeTag::strided_view);
    out_.varint(type.padding.has_value());
    extents(type.tile, 4);
    extents(type.traversal_strides, 4);
    out_.varint(tensor);
    extents(type.dim_map, 4);
    enumerator(type.padding);
    return finish();
  }

  std::uint32_t operator()(const GatherScatterViewType& type) {
    const std::uint32_t tensor = Encoder(table_)(type.tensor);
    out_.varint(TypeTag::gather_scatter_view);
    out_.varint(type.padding.has_value());
    extents(type.tile, 4);
    out_.varint(tensor);
    out_.varint(static_cast<std::uint64_t>(type.sparse_dim));
    enumerator(type.padding);
    return finish();
  }

  std::uint32_t operator()(TokenType) {
    out_.varint(TypeTag::token);
    return finish();
  }

  std::uint32_t operator()(const FunctionType& type) {
    std::vector<std::uint32_t> inputs;
    std::vector<std::uint32_t> results;
    for (const Type& each : type.inputs) inputs.push_back(table_.index(each));
    for (const Type& each : type.results) results.push_back(table_.index(each));
    return function(inputs, results);
  }

  std::uint32_t function(std::span<const std::uint32_t> inputs,
                         std::span<const std::uint32_t> results) {
    out_.varint(TypeTag::function);
    for (const auto& list : {inputs, results}) {
      out_.varint(list.size());
      for (const std::uint32_t each : list) out_.varint(each);
    }
    return finish();
  }

 private:
  template <class Extents>
  void extents(const Extents& list, std::size_t width) {
    out_.varint(list.size());
    for (const std::int64_t each : list) out_.fixed(static_cast<std::uint64_t>(each), width);
  }

  template <class Enum>
  void enumerator(const std::optional<Enum>& value) {
    if (value) out_.varint(*value);
  }

  std::uint32_t finish() { return table_.entries_.add(as_text(out_.bytes())); }

  TypeTable& table_;
  ByteWriter out_;
};

std::uint32_t TypeTable::index(const Type& type) {
  const Type::Node* node = &type.node();
  const auto known = by_node_.find(node);
  if (known != by_node_.end()) return known->second;
  return by_node_[node] = std::visit(Encoder(*this), *node);
}

std::uint32_t TypeTable::index(ElementKind kind) { return Encoder(*this)(kind); }

std::uint32_t TypeTable::signature(std::span<const std::uint32_t> parameters) {
  return Encoder(*this).function(parameters, {});
}

}  // namespace tw::inline v0::bytecode
