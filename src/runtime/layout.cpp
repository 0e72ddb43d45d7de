// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bitset>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <tilewright/core/error.hpp>
#include <tilewright/runtime/layout.hpp>

namespace tw::inline v0::runtime {
namespace {

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

std::int64_t memory_bits(DType dtype) noexcept { return info(element_kind(dtype)).memory_bits; }

/// `a * b + c` of numbers that are not negative, unless it is beyond 64 bits.
std::optional<std::int64_t> checked_multiply_add(std::int64_t a, std::int64_t b, std::int64_t c) {
  if (b != 0 && a > (largest - c) / b) return std::nullopt;
  return a * b + c;
}

void refuse_negative(const Shape& values, const char* what, const char* advice, Location where) {
  if (std::ranges::all_of(values, [](std::int64_t value) { return value >= 0; })) return;
  throw LaunchError(fmt::format("{} {} are negative in part{}", what, to_string(values), advice),
                    where);
}

/// Throws unless the number of bits of `elements` in a row fits in 64 bits.
void refuse_too_many(std::optional<std::int64_t> elements, DType dtype, const Shape& extents,
                     Location where) {
  if (elements && *elements <= largest / memory_bits(dtype)) return;
  throw LaunchError(fmt::format("a {} tensor of {} does not fit in 64 bits", to_string(extents),
                                info(dtype).name),
                    where);
}

/// The offset of the last element from the first; nothing beyond 64 bits.
std::optional<std::int64_t> last_element(const Shape& extents, const Shape& strides) {
  std::optional<std::int64_t> last = 0;
  for (std::size_t axis = 0; axis < extents.size() && last; ++axis) {
    last = checked_multiply_add(std::max<std::int64_t>(extents[axis] - 1, 0), strides[axis], *last);
  }
  return last;
}

bool has_no_elements(const Shape& extents) noexcept {
  return std::ranges::find(extents, 0) != extents.end();
}

/// Row-major strides, as if empty axes had one element; nothing beyond 64 bits.
std::optional<Shape> row_major_strides(const Shape& extents) {
  Shape strides = Shape::filled(extents.size(), 1);
  for (std::size_t axis = extents.size(); axis-- > 1;) {
    const auto stride =
        checked_multiply_add(std::max<std::int64_t>(extents[axis], 1), strides[axis], 0);
    if (!stride) return std::nullopt;
    strides[axis - 1] = *stride;
  }
  return strides;
}

/// What is wrong with a layout in which two elements share a byte; empty when nothing is.
std::string divided_bytes(const Layout& layout) {
  if (layout.extents.empty()) return "a tensor has at least one axis";
  const std::size_t last = layout.extents.size() - 1;
  if (layout.strides[last] != 1) return "the last axis stays the last, with stride 1";
  if (layout.extents[last] % 2 != 0) {
    return fmt::format("its extent is even, not {}", layout.extents[last]);
  }
  for (std::size_t axis = 0; axis < last; ++axis) {
    if (layout.strides[axis] % 2 == 0) continue;
    return fmt::format("the strides of other axes are even, not {}", layout.strides[axis]);
  }
  return {};
}

/// A layout whose elements of four bits fill their bytes; throws for any other.
Layout of_whole_bytes(Layout layout, Location where) {
  if (!shares_bytes(layout.dtype) || has_no_elements(layout.extents)) return layout;
  const std::string wrong = divided_bytes(layout);
  if (wrong.empty()) return layout;
  throw LaunchError(fmt::format("two elements of {} share a byte along the last axis: {}",
                                info(layout.dtype).name, wrong),
                    where);
}

}  // namespace

Layout row_major(DType dtype, Shape extents, Location where) {
  refuse_negative(extents, "the extents", "", where);
  std::optional<Shape> strides = row_major_strides(extents);
  const std::optional<std::int64_t> elements =
      strides && !extents.empty()
          ? checked_multiply_add(std::max<std::int64_t>(extents[0], 1), (*strides)[0], 0)
          : 1;
  refuse_too_many(strides ? elements : std::nullopt, dtype, extents, where);
  return of_whole_bytes({dtype, std::move(extents), *std::move(strides), 0}, where);
}

Layout strided(DType dtype, Shape extents, Shape strides, Location where) {
  if (extents.size() != strides.size()) {
    throw LaunchError(fmt::format("{} extents and {} strides do not make a tensor", extents.size(),
                                  strides.size()),
                      where);
  }
  refuse_negative(extents, "the extents", "", where);
  refuse_negative(strides, "the strides", ": copy the tensor into another order", where);
  refuse_too_many(checked_product(extents), dtype, extents, where);
  std::optional<std::int64_t> last = last_element(extents, strides);
  refuse_too_many(last ? checked_multiply_add(1, *last, 1) : last, dtype, extents, where);
  return of_whole_bytes({dtype, std::move(extents), std::move(strides), 0}, where);
}

std::int64_t packed_bytes(DType dtype, std::int64_t elements) noexcept {
  return (elements * memory_bits(dtype) + 7) / 8;
}

std::int64_t end_in_bytes(const Layout& layout) noexcept {
  if (has_no_elements(layout.extents)) return layout.offset;
  return layout.offset +
         packed_bytes(layout.dtype, *last_element(layout.extents, layout.strides) + 1);
}

bool is_row_major(const Layout& layout) noexcept {
  if (has_no_elements(layout.extents)) return true;
  std::int64_t expected = 1;
  for (std::size_t axis = layout.extents.size(); axis-- > 0;) {
    const std::int64_t extent = layout.extents[axis];
    if (extent == 1) continue;
    if (layout.strides[axis] != expected) return false;
    expected *= extent;
  }
  return true;
}

Layout permuted(const Layout& layout, std::span<const int> axes, Location where) {
  Layout result = layout;
  std::bitset<Shape::inline_capacity> seen;
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    const auto from = static_cast<std::size_t>(axes[axis]);
    if (axes[axis] < 0 || from >= axes.size() || seen.test(from)) {
      throw LaunchError(fmt::format("the axes {{{}}} are no permutation of 0 to {}",
                                    fmt::join(axes, ", "), axes.size() - 1),
                        where);
    }
    seen.set(from);
    result.extents[axis] = layout.extents[from];
    result.strides[axis] = layout.strides[from];
  }
  return of_whole_bytes(std::move(result), where);
}

Layout transposed(const Layout& layout, Location where) {
  Layout result = layout;
  const std::size_t last = layout.extents.size() - 1;
  std::swap(result.extents[last - 1], result.extents[last]);
  std::swap(result.strides[last - 1], result.strides[last]);
  return of_whole_bytes(std::move(result), where);
}

Layout reshaped(const Layout& layout, Shape extents, Location where) {
  Layout result = row_major(layout.dtype, std::move(extents), where);
  if (result.size() != layout.size()) {
    throw LaunchError(
        fmt::format("a {} tensor has {} elements, a {} tensor {}", to_string(layout.extents),
                    layout.size(), to_string(result.extents), result.size()),
        where);
  }
  if (!is_row_major(layout)) {
    throw LaunchError(fmt::format("a {} tensor with strides {} is not in row-major order without "
                                  "gaps and cannot be reshaped in place: reshape a clone of it",
                                  to_string(layout.extents), to_string(layout.strides)),
                      where);
  }
  result.offset = layout.offset;
  return result;
}

Layout sliced(const Layout& layout, int axis, std::int64_t start, std::int64_t count,
              Location where) {
  const std::size_t at = checked_axis(axis, layout.rank(), where);
  const std::int64_t extent = layout.extents[at];
  if (start < 0 || count < 0 || start > extent || count > extent - start) {
    throw LaunchError(fmt::format("axis {} of a {} tensor has no {} indices from {}", axis,
                                  to_string(layout.extents), count, start),
                      where);
  }
  Layout result = layout;
  result.extents[at] = count;
  if (has_no_elements(result.extents)) return result;
  const std::int64_t bits = start * layout.strides[at] * memory_bits(layout.dtype);
  if (bits % 8 != 0) {
    throw LaunchError(fmt::format("two elements of {} share a byte along the last axis: a part of "
                                  "it begins at an even index, not at {}",
                                  info(layout.dtype).name, start),
                      where);
  }
  result.offset += bits / 8;
  return of_whole_bytes(std::move(result), where);
}

std::pair<Layout, Layout> split(const Layout& layout, int axis, std::int64_t count,
                                Location where) {
  Layout first = sliced(layout, axis, 0, count, where);
  const std::int64_t extent = layout.extents[static_cast<std::size_t>(axis)];
  return {std::move(first), sliced(layout, axis, count, extent - count, where)};
}

Layout expanded(const Layout& layout, Shape extents, Location where) {
  refuse_negative(extents, "the extents", "", where);
  refuse_too_many(checked_product(extents), layout.dtype, extents, where);
  Layout result{layout.dtype, std::move(extents), {}, layout.offset};
  const std::size_t rank = result.extents.size();
  result.strides = Shape::filled(rank, 0);
  for (std::size_t from_last = 1; from_last <= layout.extents.size(); ++from_last) {
    const std::size_t from = layout.extents.size() - from_last;
    const bool kept = from_last <= rank && result.extents[rank - from_last] == layout.extents[from];
    if (kept) {
      result.strides[rank - from_last] = layout.strides[from];
    } else if (from_last > rank || layout.extents[from] != 1) {
      throw LaunchError(fmt::format("a {} tensor does not expand to {}: axes are aligned at the "
                                    "last one, and those of extent 1 can grow",
                                    to_string(layout.extents), to_string(result.extents)),
                        where);
    }
  }
  return of_whole_bytes(std::move(result), where);
}

std::size_t checked_axis(int axis, int rank, Location where) {
  if (axis >= 0 && axis < rank) return static_cast<std::size_t>(axis);
  throw LaunchError(fmt::format("a tensor of rank {} has no axis {}", rank, axis), where);
}

}  // namespace tw::inline v0::runtime
