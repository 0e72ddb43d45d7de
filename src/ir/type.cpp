// SPDX-License-Identifier: Apache-2.0
#include <iterator>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <tilewright/core/error.hpp>
#include <tilewright/core/os.hpp>
#include <tilewright/ir/type.hpp>

#include "ir/type_list.hpp"

namespace tw::inline v0::ir {
namespace {

constexpr std::string_view pointer_attribute = "none";

std::string extent_text(std::int64_t extent) {
  return extent == dynamic ? "?" : std::to_string(extent);
}

template <class Range>
std::string joined(const Range& extents, std::string_view separator) {
  std::string text;
  for (const std::int64_t extent : extents) {
    if (!text.empty()) text += separator;
    text += extent_text(extent);
  }
  return text;
}

/// `4x8x` before the element type of a tile or tensor view.
std::string dimensions(const Shape& shape) {
  return shape.size() == 0 ? "" : joined(shape, "x") + "x";
}

std::string padding_text(const std::optional<Padding>& padding) {
  if (!padding) return "";
  return fmt::format("padding_value = {}, ", padding_names()[static_cast<std::size_t>(*padding)]);
}

/// Only where it is not the identity.
std::string dim_map_text(const std::vector<std::int32_t>& map) {
  for (std::size_t axis = 0; axis < map.size(); ++axis) {
    if (map[axis] != static_cast<std::int32_t>(axis)) {
      return fmt::format(", dim_map=[{}]", joined(map, ", "));
    }
  }
  return "";
}

std::string in_parentheses(const std::vector<Type>& types) {
  return "(" + comma_joined(types, [](const Type& type) { return to_string(type); }) + ")";
}

/// The text of each alternative of a type.
struct TypeText {
  std::string operator()(ElementKind kind) const { return std::string(info(kind).name); }

  std::string operator()(const PointerType& type) const {
    const std::string pointee((*this)(type.pointee));
    return type.attribute ? fmt::format("ptr<{}, <{}>>", pointee, pointer_attribute)
                          : fmt::format("ptr<{}>", pointee);
  }

  std::string operator()(const TileType& type) const {
    return fmt::format("tile<{}{}>", dimensions(type.shape), std::visit(*this, type.element));
  }

  std::string operator()(const TensorViewType& type) const {
    std::string text =
        fmt::format("tensor_view<{}{}", dimensions(type.shape), (*this)(type.element));
    if (type.shape.size() != 0) text += fmt::format(", strides=[{}]", joined(type.strides, ","));
    if (type.attribute) text += fmt::format(", #cuda_tile.ptr_attr<{}>", pointer_attribute);
    return text + ">";
  }

  std::string operator()(const PartitionViewType& type) const {
    return fmt::format("partition_view<tile=({}), {}{}{}>", joined(type.tile, "x"),
                       padding_text(type.padding), (*this)(type.tensor),
                       dim_map_text(type.dim_map));
  }

  std::string operator()(const StridedViewType& type) const {
    return fmt::format("strided_view<tile=({}), traversal_strides=[{}], {}{}{}>",
                       joined(type.tile, "x"), joined(type.traversal_strides, ","),
                       padding_text(type.padding), (*this)(type.tensor),
                       dim_map_text(type.dim_map));
  }

  std::string operator()(const GatherScatterViewType& type) const {
    return fmt::format("gather_scatter_view<tile=({}), {}{}, sparse_dim={}>",
                       joined(type.tile, "x"), padding_text(type.padding), (*this)(type.tensor),
                       type.sparse_dim);
  }

  std::string operator()(TokenType) const { return "token"; }

  std::string operator()(const FunctionType& type) const {
    return fmt::format("{} -> {}", in_parentheses(type.inputs), in_parentheses(type.results));
  }
};

/// `read(v)` of the one of the three view types that `view` is.
template <class Read>
decltype(auto) visit_view(const Type& view, Read read) {
  if (const auto* partition = view.as<PartitionViewType>()) return read(*partition);
  if (const auto* strided = view.as<StridedViewType>()) return read(*strided);
  if (const auto* sparse = view.as<GatherScatterViewType>()) return read(*sparse);
  throw BugError(fmt::format("{} is not a view of tiles", to_string(view)), Location::current());
}

}  // namespace

Type::Type(Node node) : node_(std::make_shared<const Node>(std::move(node))) {}

const TileType& Type::tile() const {
  if (const auto* tile = as<TileType>()) return *tile;
  throw BugError(fmt::format("{} is not a tile", to_string(*this)), Location::current());
}

bool Type::is_view() const noexcept {
  return is<PartitionViewType>() || is<StridedViewType>() || is<GatherScatterViewType>();
}

Type tile_type(ElementKind element, Shape shape) {
  return Type(TileType{element, std::move(shape)});
}

Type pointer_tile_type(ElementKind pointee, Shape shape) {
  return Type(TileType{PointerType{pointee}, std::move(shape)});
}

Type token_type() {
  static const Type token{TokenType{}};
  return token;
}
static const os::MadeBeforeForks<token_type> token_made;

const TensorViewType& viewed_tensor(const Type& view) {
  return visit_view(view, [](const auto& each) -> const TensorViewType& { return each.tensor; });
}

const Shape& view_tile(const Type& view) {
  return visit_view(view, [](const auto& each) -> const Shape& { return each.tile; });
}

std::optional<Padding> view_padding(const Type& view) {
  return visit_view(view, [](const auto& each) { return each.padding; });
}

Type loaded_type(const Type& view) {
  return tile_type(viewed_tensor(view).element, view_tile(view));
}

std::string to_string(const Type& type) {
  return type ? std::visit(TypeText(), type.node()) : "no type";
}

}  // namespace tw::inline v0::ir
