// SPDX-License-Identifier: Apache-2.0
#include "runtime/grid.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace tw::inline v0::detail {
namespace {

std::int64_t axis_blocks(const Cut& cut, std::int64_t extent) noexcept {
  if (cut.kind == CutKind::tile) {
    if (extent <= cut.size) return extent > 0 ? 1 : 0;
    return extent / cut.size + (extent % cut.size != 0);
  }
  // A tile of extent zero cannot be traced; a streamed axis may well be empty.
  return cut.kind == CutKind::all && extent == 0 ? 0 : 1;
}

bool counts_blocks(ParameterKind kind) noexcept {
  return kind == ParameterKind::out || kind == ParameterKind::in_out || kind == ParameterKind::grid;
}

bool is_dealt(ParameterKind kind) noexcept {
  return kind == ParameterKind::outs || kind == ParameterKind::in_outs;
}

/// The outputs of one launch, tensor by tensor.
class Outputs {
 public:
  Outputs(std::span<const HostArgument> arguments, std::span<const TensorUse> tensors) noexcept
      : arguments_(arguments), tensors_(tensors) {}

  /// The places of tensor `index` of an output; of the whole Grid for a Grid.
  [[nodiscard]] BlockCounts places(std::size_t parameter, std::uint32_t index) const noexcept {
    const HostArgument& argument = arguments_[parameter];
    if (argument.kind == ParameterKind::grid) {
      return block_counts(argument, nullptr, nullptr).squeezed();
    }
    const TensorGeometry* ids = argument.ids == HostArgument::no_ids
                                    ? nullptr
                                    : &tensors_[static_cast<std::size_t>(argument.ids)];
    return block_counts(argument, &tensors_[argument.first_tensor + index], ids).squeezed();
  }

  /// The places of all tensors of an output.
  [[nodiscard]] BlockCounts all_places(std::size_t parameter) const noexcept {
    if (!arguments_[parameter].list) return places(parameter, 0);
    BlockCounts all{.axes = {0}, .rank = 1};
    for (std::uint32_t i = 0; i < arguments_[parameter].tensor_count; ++i) {
      all.axes[0] += places(parameter, i).product();
    }
    return all.squeezed();
  }

  /// The most axes that a tensor of an output cuts into several blocks.
  [[nodiscard]] int cut_axes(std::size_t parameter) const noexcept {
    if (!arguments_[parameter].list) return places(parameter, 0).rank;
    int axes = 0;
    for (std::uint32_t i = 0; i < arguments_[parameter].tensor_count; ++i) {
      axes = std::max(axes, places(parameter, i).rank);
    }
    return axes;
  }

  /// Whether two outputs cut their work alike.
  [[nodiscard]] bool agree(std::size_t a, std::size_t b, GridConflict& conflict) const noexcept {
    if (arguments_[a].list != arguments_[b].list ||
        (arguments_[a].list && arguments_[a].tensor_count != arguments_[b].tensor_count)) {
      conflict = {a, b, all_places(a), all_places(b)};
      return false;
    }
    const std::uint32_t count = arguments_[a].list ? arguments_[a].tensor_count : 1;
    for (std::uint32_t i = 0; i < count; ++i) {
      const BlockCounts first = places(a, i);
      const BlockCounts second = places(b, i);
      if (!(first == second)) {
        conflict = {a, b, first, second};
        return false;
      }
    }
    return true;
  }

 private:
  std::span<const HostArgument> arguments_;
  std::span<const TensorUse> tensors_;
};

// The last axis is x, which is the only one that GPUs let grow beyond 16 bits.
bool any_axis_too_long(const BlockCounts& counts) noexcept {
  for (int axis = 0; axis < counts.rank; ++axis) {
    const bool is_x = axis + 1 == counts.rank;
    if (counts.axes[axis] > (is_x ? max_blocks_per_axis : max_blocks_along_yz)) return true;
  }
  return false;
}

}  // namespace

std::int64_t BlockCounts::product() const noexcept {
  std::int64_t result = 1;
  for (int axis = 0; axis < rank; ++axis) {
    if (axes[axis] == 0) return 0;
    if (__builtin_mul_overflow(result, axes[axis], &result)) {
      result = std::numeric_limits<std::int64_t>::max();
    }
  }
  return result;
}

BlockCounts BlockCounts::squeezed() const noexcept {
  BlockCounts result;
  for (int axis = 0; axis < rank; ++axis) {
    if (axes[axis] != 1) result.axes[result.rank++] = axes[axis];
  }
  return result;
}

bool operator==(const BlockCounts& a, const BlockCounts& b) noexcept {
  return std::equal(a.axes, a.axes + a.rank, b.axes, b.axes + b.rank);
}

std::string to_string(const BlockCounts& counts) {
  if (counts.rank == 0) return "1";
  return fmt::format("{}", fmt::join(counts.axes, counts.axes + counts.rank, "x"));
}

BlockCounts block_counts(const HostArgument& argument, const TensorGeometry* tensor,
                         const TensorGeometry* ids) noexcept {
  BlockCounts counts;
  counts.rank = argument.rank;
  for (int axis = 0; axis < argument.rank; ++axis) {
    if (tensor == nullptr) {
      counts.axes[axis] = argument.cuts[axis].size;
    } else {
      const std::int64_t extent =
          axis == 0 && ids != nullptr ? ids->extents[0] : tensor->extents[axis];
      counts.axes[axis] = axis_blocks(argument.cuts[axis], extent);
    }
  }
  return counts;
}

bool find_common_grid(std::span<const HostArgument> arguments, std::span<const TensorUse> tensors,
                      CommonGrid& grid, GridConflict& conflict) {
  const Outputs outputs(arguments, tensors);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const HostArgument& argument = arguments[i];
    const bool counts = counts_blocks(argument.kind);
    if (!argument.present || !(counts || is_dealt(argument.kind))) continue;
    grid.cut_axes = std::max(grid.cut_axes, outputs.cut_axes(i));
    if (!counts) {
      grid.deals = true;
      grid.dealt = std::max(grid.dealt, outputs.all_places(i).product());
    } else if (grid.counted_by >= 0) {
      const auto first = static_cast<std::size_t>(grid.counted_by);
      if (!outputs.agree(first, i, conflict)) return false;
    } else {
      grid.counted_by = static_cast<std::int32_t>(i);
      grid.counted = outputs.all_places(i);
      grid.list = argument.list;
    }
  }
  return true;
}

Schedule schedule(const CommonGrid& common, const Hints& hints, std::int64_t resident) noexcept {
  Schedule result;
  result.grid = common.counted;
  if (common.deals && common.counted_by < 0) {
    const std::int64_t wanted =
        hints.blocks ? *hints.blocks : std::min(resident, max_blocks_per_axis);
    result.grid = BlockCounts{.axes = {std::min(wanted, common.dealt)}, .rank = 1}.squeezed();
  }
  if (common.cut_axes >= 2) result.swizzle = hints.swizzle.value_or(0);

  const std::int64_t places = result.grid.product();
  std::int64_t blocks = places;
  if (!common.deals && hints.blocks) blocks = std::min<std::int64_t>(places, *hints.blocks);
  result.linear =
      common.list || result.swizzle > 0 || result.grid.rank > 3 || any_axis_too_long(result.grid);
  if (result.linear && !common.deals) blocks = std::min(blocks, max_blocks_per_axis);
  result.persistent = !common.deals && (common.list || blocks < places);
  result.linear |= result.persistent;

  if (result.linear) {
    result.blocks[0] = static_cast<std::uint32_t>(std::min(blocks, max_places));
  } else {
    for (int i = 0; i < result.grid.rank; ++i) {
      result.blocks[static_cast<std::size_t>(i)] =
          static_cast<std::uint32_t>(result.grid.axes[result.grid.rank - 1 - i]);
    }
  }
  return result;
}

}  // namespace tw::inline v0::detail
