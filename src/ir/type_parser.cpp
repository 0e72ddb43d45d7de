// SPDX-License-Identifier: Apache-2.0
#include "ir/type_parser.hpp"

#include <charconv>
#include <limits>
#include <numeric>
#include <utility>

#include <fmt/format.h>

namespace tw::inline v0::ir {
namespace {

constexpr std::string_view dialect = "!cuda_tile.";
constexpr std::size_t largest_rank = 32;

}  // namespace

ElementKind take_element(TextCursor& cursor) {
  const auto kind = element_kind_named(cursor.token().text);
  if (!kind) cursor.fail_expected("an element type");
  cursor.advance();
  return *kind;
}

void TypeParser::define(std::string_view name, Type type) {
  aliases_.insert_or_assign(name, std::move(type));
}

/// The name of the type that follows, without the dialect's; empty for an alias or no type.
std::string_view TypeParser::type_name() const {
  const Token& token = cursor_.token();
  if (token.kind == Token::Kind::word) return token.text;
  const bool official = token.kind == Token::Kind::type && token.text.starts_with(dialect);
  return official ? token.text.substr(dialect.size()) : std::string_view();
}

bool TypeParser::at_tensor_view() const {
  if (!type_name().empty()) return type_name() == "tensor_view";
  const auto alias = aliases_.find(cursor_.token().text);
  return alias != aliases_.end() && alias->second.is<TensorViewType>();
}

Type TypeParser::take() {
  const std::string_view name = type_name();
  if (name == "tile") return Type(take_tile());
  if (name == "tensor_view") return Type(take_tensor_view());
  if (name == "partition_view") return take_partition_view();
  if (name == "strided_view") return take_strided_view();
  if (name == "gather_scatter_view") return take_gather_scatter_view();
  if (name == "ptr") return Type(take_pointer());
  if (name == "token") return cursor_.advance(), token_type();
  if (element_kind_named(name)) return Type(take_element(cursor_));
  const auto alias = aliases_.find(cursor_.token().text);
  if (alias == aliases_.end()) cursor_.fail_expected("a type");
  cursor_.advance();
  return alias->second;
}

std::vector<Type> TypeParser::take_list(std::size_t most) {
  std::vector<Type> types;
  do types.push_back(take());
  while (types.size() < most && cursor_.accept(","));
  return types;
}

/// `4x8x`, `4x8`, or nothing. Characters, because `x8xf32` would be a word.
Shape TypeParser::take_dimensions() {
  Shape shape;
  const std::string_view text = cursor_.text();
  const char* const end = text.data() + text.size();
  const char* next = text.data() + cursor_.token().offset;
  while (next != end && (*next == '?' || (*next >= '0' && *next <= '9'))) {
    const auto offset = static_cast<std::size_t>(next - text.data());
    std::int64_t extent = dynamic;
    if (*next == '?') {
      ++next;
    } else {
      const auto [behind, error] = std::from_chars(next, end, extent);
      if (error != std::errc()) cursor_.fail(offset, "the extent does not fit into 64 bits");
      next = behind;
    }
    if (shape.size() == largest_rank) cursor_.fail(offset, "more than 32 axes");
    shape.push_back(extent);
    if (next == end || *next != 'x') break;
    ++next;
  }
  cursor_.jump(static_cast<std::size_t>(next - text.data()));
  return shape;
}

PointerAttribute TypeParser::take_pointer_attribute() {
  if (cursor_.at(Token::Kind::attribute)) {
    if (cursor_.token().text != "#cuda_tile.ptr_attr") cursor_.fail_expected("ptr_attr");
    cursor_.advance();
  }
  cursor_.expect("<");
  cursor_.expect("none");
  cursor_.expect(">");
  return PointerAttribute::none;
}

PointerType TypeParser::take_pointer() {
  cursor_.advance();
  cursor_.expect("<");
  PointerType type{take_element(cursor_)};
  if (cursor_.accept(",")) type.attribute = take_pointer_attribute();
  cursor_.expect(">");
  return type;
}

TileType TypeParser::take_tile() {
  const std::size_t begin = cursor_.token().offset;
  cursor_.advance();
  cursor_.expect("<");
  TileType type{ElementKind::i1, take_dimensions()};
  for (const std::int64_t extent : type.shape) {
    if (extent == dynamic) cursor_.fail(begin, "a tile has no extent that is not known");
  }
  if (!checked_product(type.shape)) cursor_.fail(begin, "the tile has too many elements");
  if (type_name() == "ptr") {
    type.element = take_pointer();
  } else {
    type.element = take_element(cursor_);
  }
  cursor_.expect(">");
  return type;
}

TensorViewType TypeParser::take_tensor_view() {
  if (type_name() != "tensor_view") cursor_.fail_expected("a tensor view");
  cursor_.advance();
  cursor_.expect("<");
  Shape shape = take_dimensions();
  TensorViewType type{take_element(cursor_), std::move(shape), {}};
  bool separated = cursor_.accept(",");
  if (separated && cursor_.accept("strides")) {
    cursor_.expect("=");
    cursor_.expect("[");
    while (!cursor_.at("]")) {
      type.strides.push_back(cursor_.accept("?") ? dynamic : cursor_.take_integer());
      if (!cursor_.accept(",")) break;
    }
    cursor_.expect("]");
    separated = cursor_.accept(",");
  }
  if (separated) type.attribute = take_pointer_attribute();
  if (type.strides.size() != type.shape.size()) {
    cursor_.fail(cursor_.token().offset,
                 fmt::format("{} strides for {} axes", type.strides.size(), type.shape.size()));
  }
  cursor_.expect(">");
  return type;
}

/// `<tile=(16x8),`, behind the name of a view.
Shape TypeParser::take_view_tile() {
  cursor_.advance();
  for (const std::string_view each : {"<", "tile", "=", "("}) cursor_.expect(each);
  Shape tile = take_dimensions();
  cursor_.expect(")");
  cursor_.expect(",");
  return tile;
}

std::optional<Padding> TypeParser::take_padding() {
  if (!cursor_.accept("padding_value")) return std::nullopt;
  cursor_.expect("=");
  const auto padding =
      static_cast<Padding>(cursor_.take_one_of(padding_names(), "a padding value"));
  cursor_.expect(",");
  return padding;
}

std::vector<std::int32_t> TypeParser::take_small_integers() {
  const std::size_t begin = cursor_.token().offset;
  std::vector<std::int32_t> numbers;
  for (const std::int64_t each : cursor_.take_integers()) {
    numbers.push_back(static_cast<std::int32_t>(each));
    if (numbers.back() != each) cursor_.fail(begin, "a number does not fit into 32 bits");
  }
  return numbers;
}

/// `, dim_map=[1, 0]`; without it the identity.
std::vector<std::int32_t> TypeParser::take_dim_map(std::size_t rank) {
  if (cursor_.accept(",")) {
    cursor_.expect("dim_map");
    cursor_.expect("=");
    return take_small_integers();
  }
  std::vector<std::int32_t> identity(rank);
  std::iota(identity.begin(), identity.end(), 0);
  return identity;
}

Type TypeParser::take_partition_view() {
  Shape tile = take_view_tile();
  const auto padding = take_padding();
  TensorViewType tensor = take_tensor_view();
  auto dim_map = take_dim_map(tile.size());
  cursor_.expect(">");
  return Type(PartitionViewType{std::move(tile), std::move(tensor), std::move(dim_map), padding});
}

Type TypeParser::take_strided_view() {
  Shape tile = take_view_tile();
  cursor_.expect("traversal_strides");
  cursor_.expect("=");
  auto strides = take_small_integers();
  cursor_.expect(",");
  const auto padding = take_padding();
  TensorViewType tensor = take_tensor_view();
  auto dim_map = take_dim_map(tile.size());
  cursor_.expect(">");
  return Type(StridedViewType{std::move(tile), std::move(strides), std::move(tensor),
                              std::move(dim_map), padding});
}

Type TypeParser::take_gather_scatter_view() {
  Shape tile = take_view_tile();
  const auto padding = take_padding();
  TensorViewType tensor = take_tensor_view();
  for (const std::string_view each : {",", "sparse_dim", "="}) cursor_.expect(each);
  const std::size_t begin = cursor_.token().offset;
  const std::int64_t sparse = cursor_.take_integer();
  if (sparse < 0 || sparse > std::numeric_limits<std::int32_t>::max()) {
    cursor_.fail(begin, "sparse_dim is no axis");
  }
  cursor_.expect(">");
  return Type(GatherScatterViewType{std::move(tile), std::move(tensor),
                                    static_cast<std::int32_t>(sparse), padding});
}

}  // namespace tw::inline v0::ir
