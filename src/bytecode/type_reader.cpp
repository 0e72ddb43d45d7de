// SPDX-License-Identifier: Apache-2.0
#include "bytecode/type_reader.hpp"

#include <fmt/format.h>

namespace tw::inline v0::bytecode {

using namespace ir;

Shape read_shape(ByteReader& in, std::size_t width) {
  const std::size_t rank = in.count(width);
  if (rank > in.context().limits.rank) in.fail(fmt::format("there are {} axes", rank));
  Shape extents = Shape::filled(rank, 0);
  for (std::int64_t& each : extents) each = in.signed_fixed(width);
  return extents;
}

const Type& TypeReader::type(ByteReader& in) { return resolve(in.varint(), in); }

ElementKind TypeReader::element(ByteReader& in) {
  if (!element_kind_tagged(peek_tag(in))) in.fail("this type has to be one of elements");
  return *type(in).as<ElementKind>();
}

const FunctionType& TypeReader::signature(ByteReader& in) {
  if (peek_tag(in) != code(TypeTag::function)) in.fail("this type has to be a function's");
  return *type(in).as<FunctionType>();
}

const Type& TypeReader::resolve(std::uint64_t index, const ByteReader& user) {
  if (index >= types_.size()) user.fail(fmt::format("there is no type {}", index));
  Type& known = types_[static_cast<std::size_t>(index)];
  if (!known) known = decode(entries_.entry(index, user));
  return known;
}

Type TypeReader::decode(ByteReader entry) {
  context_.charge(sizeof(Type::Node), entry.offset());
  const std::uint64_t tag = entry.varint();
  Type type;
  if (const auto kind = element_kind_tagged(tag)) {
    entry.expect_version(since(*kind), info(*kind).name);
    type = Type(*kind);
  } else {
    type = composite(tag, entry);
  }
  entry.expect_end("a type");
  return type;
}

Type TypeReader::composite(std::uint64_t tag, ByteReader& in) {
  switch (tag) {
    case code(TypeTag::pointer):
      return Type(pointer_to(in));
    case code(TypeTag::tile):
      return tile(in);
    case code(TypeTag::tensor_view):
      return Type(tensor(in));
    case code(TypeTag::partition_view):
      return partition_view(in);
    case code(TypeTag::function):
      return function(in);
    case code(TypeTag::token):
      return token_type();
    case code(TypeTag::gather_scatter_view):
      in.expect_version(v13_3, "gather_scatter_view");
      return gather_scatter_view(in);
    case code(TypeTag::strided_view):
      in.expect_version(v13_3, "strided_view");
      return strided_view(in);
    default:
      in.fail(fmt::format("there is no kind of type {}", tag));
  }
}

PointerType TypeReader::pointer_to(ByteReader& in) {
  const bool has_attribute = flag(in, v13_4);
  PointerType type{element(in)};
  if (has_attribute) {
    in.varint_up_to(0, "a pointer attribute");
    type.attribute = PointerAttribute::none;
  }
  return type;
}

Type TypeReader::tile(ByteReader& in) {
  TileType type;
  if (peek_tag(in) == code(TypeTag::pointer)) {
    type.element = *this->type(in).as<PointerType>();
  } else {
    type.element = element(in);
  }
  type.shape = read_shape(in, 8);
  return Type(std::move(type));
}

TensorViewType TypeReader::tensor(ByteReader& in) {
  const bool has_attribute = flag(in, v13_4);
  TensorViewType type{element(in)};
  type.shape = read_shape(in, 8);
  type.strides = read_shape(in, 8);
  if (has_attribute) {
    in.varint_up_to(0, "a pointer attribute");
    type.attribute = PointerAttribute::none;
  }
  return type;
}

TensorViewType TypeReader::viewed(ByteReader& in) {
  if (peek_tag(in) != code(TypeTag::tensor_view)) in.fail("this type has to be a tensor view");
  const TensorViewType& tensor = *type(in).as<TensorViewType>();
  context_.charge(2 * sizeof(std::int64_t) * tensor.shape.size(), in.offset());
  return tensor;
}

Type TypeReader::partition_view(ByteReader& in) {
  bool padded = flag(in, v13_3);
  PartitionViewType type{.tile = read_shape(in, 4), .tensor = viewed(in), .dim_map = axes(in)};
  if (context_.version < v13_3) padded = in.boolean();
  type.padding = padding(in, padded);
  return Type(std::move(type));
}

Type TypeReader::strided_view(ByteReader& in) {
  const bool padded = flag(in, v13_3);
  StridedViewType type{.tile = read_shape(in, 4),
                       .traversal_strides = axes(in),
                       .tensor = viewed(in),
                       .dim_map = axes(in)};
  type.padding = padding(in, padded);
  return Type(std::move(type));
}

Type TypeReader::gather_scatter_view(ByteReader& in) {
  const bool padded = flag(in, v13_3);
  GatherScatterViewType type{.tile = read_shape(in, 4), .tensor = viewed(in), .sparse_dim = 0};
  type.sparse_dim =
      static_cast<std::int32_t>(in.varint_up_to(context_.limits.rank, "the sparse axis of a view"));
  type.padding = padding(in, padded);
  return Type(std::move(type));
}

Type TypeReader::function(ByteReader& in) {
  FunctionType type;
  type.inputs = types(in);
  type.results = types(in);
  return Type(std::move(type));
}

std::vector<Type> TypeReader::types(ByteReader& in) {
  const std::size_t count = in.count(1);
  context_.charge(count * sizeof(Type), in.offset());
  std::vector<Type> list;
  list.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (peek_tag(in) == code(TypeTag::function)) in.fail("a function takes a function");
    list.push_back(type(in));
  }
  return list;
}

/// Whether the only optional part of a type is there; files older than `since` have no flags.
bool TypeReader::flag(ByteReader& in, Version since) {
  if (context_.version < since) return false;
  const std::uint64_t bits = in.varint();
  in.expect_no_bits(bits & ~std::uint64_t{1}, "a type");
  return (bits & 1) != 0;
}

std::optional<Padding> TypeReader::padding(ByteReader& in, bool present) {
  if (!present) return std::nullopt;
  return static_cast<Padding>(in.varint_up_to(padding_names().size() - 1, "a padding value"));
}

std::vector<std::int32_t> TypeReader::axes(ByteReader& in) {
  std::vector<std::int32_t> list;
  for (const std::int64_t each : read_shape(in, 4)) list.push_back(static_cast<std::int32_t>(each));
  return list;
}

std::uint64_t TypeReader::peek_tag(ByteReader in) {
  return entries_.entry(in.varint(), in).varint();
}

}  // namespace tw::inline v0::bytecode
