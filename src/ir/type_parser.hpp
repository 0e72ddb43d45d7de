// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <tilewright/ir/type.hpp>

#include "ir/text_cursor.hpp"

namespace tw::inline v0::ir {

/// The name of a kind of element.
ElementKind take_element(TextCursor& cursor);

/// Reads types, with or without `!cuda_tile.` in front, and aliases of them.
class TypeParser {
 public:
  explicit TypeParser(TextCursor& cursor) : cursor_(cursor) {}

  /// From here on `name` is an alias of a type; without one, of a type that could not be read.
  void define(std::string_view name, Type type);

  Type take();
  /// At least one, separated by commas, and at most this many.
  std::vector<Type> take_list(std::size_t most = std::numeric_limits<std::size_t>::max());
  /// Whether a tensor view follows.
  [[nodiscard]] bool at_tensor_view() const;

 private:
  [[nodiscard]] std::string_view type_name() const;
  Shape take_dimensions();
  PointerType take_pointer();
  TileType take_tile();
  TensorViewType take_tensor_view();
  std::optional<Padding> take_padding();
  PointerAttribute take_pointer_attribute();
  Shape take_view_tile();
  std::vector<std::int32_t> take_small_integers();
  std::vector<std::int32_t> take_dim_map(std::size_t rank);
  Type take_partition_view();
  Type take_strided_view();
  Type take_gather_scatter_view();

  TextCursor& cursor_;
  std::unordered_map<std::string_view, Type> aliases_;
};

}  // namespace tw::inline v0::ir
