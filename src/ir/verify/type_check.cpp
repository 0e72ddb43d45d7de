// SPDX-License-Identifier: Apache-2.0
#include "ir/verify/type_check.hpp"

#include <algorithm>
#include <bit>
#include <vector>

#include <fmt/format.h>

#include "ir/verify/tile_sets.hpp"

namespace tw::inline v0::ir {
namespace {

constexpr std::int64_t largest_tile = 1 << 24;

bool is_power_of_two(std::int64_t extent) {
  return extent > 0 && std::has_single_bit(static_cast<std::uint64_t>(extent));
}

bool is_permutation(std::vector<std::int32_t> axes) {
  std::ranges::sort(axes);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (axes[i] != static_cast<std::int32_t>(i)) return false;
  }
  return true;
}

/// Checks the parts of one type.
class TypeChecker {
 public:
  TypeChecker(const Type& type, const VerifyOptions& options, LocationId where, Report& report)
      : type_(type), options_(options), where_(where), report_(report) {}

  bool operator()(ElementKind) { return fail("type_c12"); }
  bool operator()(const PointerType&) { return fail("type_c12"); }
  bool operator()(const FunctionType&) { return fail("type_c12"); }
  bool operator()(TokenType) { return true; }

  bool operator()(const TileType& type) {
    if (!type.holds_pointers()) return tile(type.kind(), type.shape) && element(type.kind());
    const auto& pointer = std::get<PointerType>(type.element);
    if (!tile(std::nullopt, type.shape) || !pointee(pointer.pointee, pointer.attribute)) {
      return false;
    }
    const bool shares_bytes = pointer.pointee == ElementKind::f4e2m1 && !type.shape.empty();
    return !shares_bytes || options_.tool < Version{13, 5} || fail("type_c15");
  }

  bool operator()(const TensorViewType& type) {
    if (type.shape.size() != type.strides.size()) return fail("type_c5");
    const auto is_extent = [](std::int64_t each) { return each == dynamic || each > 0; };
    if (!std::ranges::all_of(type.shape, is_extent) ||
        !std::ranges::all_of(type.strides, is_extent)) {
      return fail("type_c6");
    }
    return pointee(type.element, type.attribute);
  }

  bool operator()(const PartitionViewType& type) {
    return view(type) && (mapped(type.dim_map, type.tile) || fail("type_c8"));
  }

  bool operator()(const StridedViewType& type) {
    if (!view(type)) return false;
    if (!mapped(type.dim_map, type.tile)) return fail("type_c8");
    const auto& steps = type.traversal_strides;
    const bool positive = std::ranges::all_of(steps, [](std::int32_t each) { return each > 0; });
    if (steps.size() != type.tile.size() || !positive) return fail("type_c9");
    return options_.tool >= Version{13, 3} || fail("type_c13");
  }

  bool operator()(const GatherScatterViewType& type) {
    if (!view(type)) return false;
    if (type.sparse_dim < 0 || type.sparse_dim >= std::ssize(type.tile)) return fail("type_c10");
    return options_.tool >= Version{13, 3} || fail("type_c13");
  }

 private:
  bool fail(Rule rule) {
    return report_.fail(rule, where_, fmt::format("there is a {}", to_string(type_)));
  }

  static bool mapped(const std::vector<std::int32_t>& dim_map, const Shape& tile) {
    return dim_map.size() == tile.size() && is_permutation(dim_map);
  }

  bool tile(std::optional<ElementKind> kind, const Shape& shape) {
    if (!std::ranges::all_of(shape, is_power_of_two)) return fail("type_c1");
    if (checked_product(shape).value_or(largest_tile + 1) > largest_tile) return fail("type_c2");
    const bool needs_pairs = kind == ElementKind::f4e2m1;
    const bool has_pairs = std::ranges::any_of(shape, [](std::int64_t each) { return each > 1; });
    return !needs_pairs || has_pairs || fail("type_c3");
  }

  bool pointee(ElementKind kind, std::optional<PointerAttribute> attribute) {
    if (!is_number(kind)) return fail("type_c4");
    if (attribute && options_.tool < Version{13, 4}) return fail("type_c13");
    return element(kind);
  }

  bool element(ElementKind kind) {
    if (since(kind) > options_.tool) return fail("type_c13");
    return !options_.architecture || is_supported(kind) || fail("type_c14");
  }

  bool is_supported(ElementKind kind) const {
    const int architecture = *options_.architecture;
    switch (kind) {
      case ElementKind::f8e4m3:
      case ElementKind::f8e5m2:
        if (options_.tool < Version{13, 3}) return architecture >= 100;
        return architecture >= (options_.tool < Version{13, 5} ? 90 : 89);
      case ElementKind::f8e8m0:
      case ElementKind::f4e2m1:
        return architecture >= 100;
      case ElementKind::f8e5m3:
        return architecture == 107;
      default:
        return true;
    }
  }

  template <class View>
  bool view(const View& type) {
    if (type.tile.empty() || type.tile.size() != type.tensor.shape.size()) return fail("type_c7");
    if (!(*this)(type.tensor) || !tile(type.tensor.element, type.tile)) return false;
    return type.padding.value_or(Padding::zero) == Padding::zero || is_float(type.tensor.element) ||
           fail("type_c11");
  }

  const Type& type_;
  const VerifyOptions& options_;
  LocationId where_;
  Report& report_;
};

}  // namespace

bool check_type(const Type& type, const VerifyOptions& options, LocationId where, Report& report) {
  return std::visit(TypeChecker(type, options, where, report), type.node());
}

}  // namespace tw::inline v0::ir
