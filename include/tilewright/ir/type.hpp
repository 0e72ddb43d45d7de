// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <tilewright/core/dtype.hpp>
#include <tilewright/core/export.hpp>
#include <tilewright/core/shape.hpp>
#include <tilewright/ir/enums.hpp>

namespace tw::inline v0::ir {

/// An extent or stride that is only known at run time (`?` in text).
inline constexpr std::int64_t dynamic = std::numeric_limits<std::int64_t>::min();

/// `ptr<f32>`: an address of elements of one kind.
struct PointerType {
  ElementKind pointee;
  std::optional<PointerAttribute> attribute = std::nullopt;
  bool operator==(const PointerType&) const = default;
};

/// `tile<4x8xf32>` or `tile<4xptr<f32>>`: what every value of a kernel is made of. Rank 0 is a
/// scalar.
struct TileType {
  std::variant<ElementKind, PointerType> element;
  Shape shape;
  bool operator==(const TileType&) const = default;

  [[nodiscard]] bool holds_pointers() const { return element.index() == 1; }
  /// The element kind of a tile of numbers, or the pointee of a tile of pointers.
  [[nodiscard]] ElementKind kind() const {
    return holds_pointers() ? std::get<PointerType>(element).pointee
                            : std::get<ElementKind>(element);
  }
};

/// `tensor_view<?x64xf16, strides=[?,1]>`: a base pointer with extents and strides in elements.
struct TensorViewType {
  ElementKind element;
  Shape shape;
  Shape strides;
  std::optional<PointerAttribute> attribute = std::nullopt;
  bool operator==(const TensorViewType&) const = default;
};

/// The tensor cut into tiles at multiples of the tile's shape; `dim_map[k]` is the tensor axis of
/// tile axis k.
struct PartitionViewType {
  Shape tile;
  TensorViewType tensor;
  std::vector<std::int32_t> dim_map;
  std::optional<Padding> padding = std::nullopt;
  bool operator==(const PartitionViewType&) const = default;
};

/// Tiles whose origins are multiples of `traversal_strides`, so that they may overlap or leave
/// gaps.
struct StridedViewType {
  Shape tile;
  std::vector<std::int32_t> traversal_strides;
  TensorViewType tensor;
  std::vector<std::int32_t> dim_map;
  std::optional<Padding> padding = std::nullopt;
  bool operator==(const StridedViewType&) const = default;
};

/// Tiles whose coordinates along `sparse_dim` are given one by one.
struct GatherScatterViewType {
  Shape tile;
  TensorViewType tensor;
  std::int32_t sparse_dim;
  std::optional<Padding> padding = std::nullopt;
  bool operator==(const GatherScatterViewType&) const = default;
};

/// Orders memory operations; has no run-time form.
struct TokenType {
  bool operator==(const TokenType&) const = default;
};

class Type;
struct FunctionType {
  std::vector<Type> inputs;
  std::vector<Type> results;
  bool operator==(const FunctionType&) const;
};

/// An immutable type, cheap to copy and compared by structure.
class TILEWRIGHT_API Type {
 public:
  using Node = std::variant<ElementKind, PointerType, TileType, TensorViewType, PartitionViewType,
                            StridedViewType, GatherScatterViewType, TokenType, FunctionType>;

  /// No type at all; only for containers.
  Type() = default;
  Type(Node node);  // NOLINT(google-explicit-constructor): every alternative *is* a type

  [[nodiscard]] explicit operator bool() const noexcept { return node_ != nullptr; }
  [[nodiscard]] const Node& node() const noexcept { return *node_; }
  template <class T>
  [[nodiscard]] const T* as() const noexcept {
    return node_ ? std::get_if<T>(node_.get()) : nullptr;
  }
  template <class T>
  [[nodiscard]] bool is() const noexcept {
    return as<T>() != nullptr;
  }
  /// The tile type this is; throws BugError for any other kind of type.
  [[nodiscard]] const TileType& tile() const;
  [[nodiscard]] bool is_token() const noexcept { return is<TokenType>(); }
  /// Partition, strided or gather/scatter view.
  [[nodiscard]] bool is_view() const noexcept;

  friend bool operator==(const Type& a, const Type& b) noexcept {
    return a.node_ == b.node_ || (a.node_ && b.node_ && *a.node_ == *b.node_);
  }

 private:
  std::shared_ptr<const Node> node_;
};

inline bool FunctionType::operator==(const FunctionType& other) const {
  return inputs == other.inputs && results == other.results;
}

/// `tile<SHAPExELEMENT>`.
TILEWRIGHT_API Type tile_type(ElementKind element, Shape shape = {});
/// `tile<SHAPExptr<POINTEE>>`.
TILEWRIGHT_API Type pointer_tile_type(ElementKind pointee, Shape shape = {});
TILEWRIGHT_API Type token_type();

/// The tile, tensor and index rules shared by the three kinds of view.
TILEWRIGHT_API const TensorViewType& viewed_tensor(const Type& view);
TILEWRIGHT_API const Shape& view_tile(const Type& view);
TILEWRIGHT_API std::optional<Padding> view_padding(const Type& view);
/// The tile type that a load through the view gives.
TILEWRIGHT_API Type loaded_type(const Type& view);

/// The text of a type as NVIDIA's tools print it inside a kernel (`tile<4x8xf32>`).
TILEWRIGHT_API std::string to_string(const Type& type);

}  // namespace tw::inline v0::ir
