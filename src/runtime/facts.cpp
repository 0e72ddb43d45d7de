// SPDX-License-Identifier: Apache-2.0
#include "runtime/facts.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace tw::inline v0::detail {
namespace {

constexpr int max_extent_log2 = 4;
constexpr int max_bytes_log2 = 7;

/// The largest power of two, up to a limit, that divides `value`; zero is divided by all.
constexpr std::uint64_t divisor_log2(std::uint64_t value, int limit) noexcept {
  return static_cast<std::uint64_t>(std::countr_zero(value | std::uint64_t{1} << limit));
}

/// The word of a parameter, from the low bits: the alignment, then for each axis the two divisors
/// and whether its stride is one, then the rest.
struct FactsWord {
  static constexpr int divisor_bits = 3;
  static constexpr int axis_bits = 2 * divisor_bits + 1;
  static constexpr int axes_begin = divisor_bits;
  static constexpr int single_block_begin = axes_begin + max_rank * axis_bits;
  static constexpr int list_bit = single_block_begin + max_rank;
  static constexpr int rows_begin = list_bit + 1;
  static_assert(rows_begin + 2 <= 64);

  static constexpr int axis_begin(int axis) { return axes_begin + axis * axis_bits; }
};

std::uint64_t geometry_word(const TensorGeometry& tensor) noexcept {
  const std::uint64_t bits = info(element_kind(tensor.dtype)).memory_bits;
  std::uint64_t word =
      divisor_log2(reinterpret_cast<std::uintptr_t>(tensor.address), max_bytes_log2);
  for (int axis = 0; axis < tensor.rank; ++axis) {
    const auto extent = static_cast<std::uint64_t>(tensor.extents[axis]);
    const auto stride = static_cast<std::uint64_t>(tensor.strides[axis]);
    // A stride of packed elements that is no whole number of bytes counts as one of one byte.
    const std::uint64_t fields = divisor_log2(extent, max_extent_log2) |
                                 divisor_log2(stride * bits / 8, max_bytes_log2)
                                     << FactsWord::divisor_bits |
                                 std::uint64_t{stride == 1} << (2 * FactsWord::divisor_bits);
    word |= fields << FactsWord::axis_begin(axis);
  }
  return word;
}

/// What holds of two tensors of one list.
std::uint64_t weaker(std::uint64_t a, std::uint64_t b, int rank) noexcept {
  std::uint64_t word = 0;
  const auto keep_smaller = [&](int begin, int bits) {
    const std::uint64_t mask = ((std::uint64_t{1} << bits) - 1) << begin;
    word |= std::min(a & mask, b & mask);
  };
  keep_smaller(0, FactsWord::divisor_bits);
  for (int axis = 0; axis < rank; ++axis) {
    const int begin = FactsWord::axis_begin(axis);
    keep_smaller(begin, FactsWord::divisor_bits);
    keep_smaller(begin + FactsWord::divisor_bits, FactsWord::divisor_bits);
    keep_smaller(begin + 2 * FactsWord::divisor_bits, 1);
  }
  return word;
}

bool has_facts(const HostArgument& argument) noexcept {
  return argument.present && argument.kind != ParameterKind::constant &&
         argument.kind != ParameterKind::scalar;
}

bool is_output(ParameterKind kind) noexcept {
  return kind == ParameterKind::out || kind == ParameterKind::in_out ||
         kind == ParameterKind::outs || kind == ParameterKind::in_outs;
}

/// The axes along which each of the tensors has one block.
std::uint64_t single_block_axes(const ArgumentTable& table, const HostArgument& argument) noexcept {
  const auto single = [&](const TensorGeometry* tensor) {
    const BlockCounts counts = block_counts(argument, tensor, table.ids_of(argument));
    std::uint64_t axes = 0;
    for (int axis = 0; axis < counts.rank; ++axis) {
      axes |= std::uint64_t{counts.axes[axis] == 1} << axis;
    }
    return axes;
  };
  if (argument.kind == ParameterKind::grid) return single(nullptr);
  std::uint64_t axes = (std::uint64_t{1} << argument.rank) - 1;
  for (const TensorUse& tensor : table.tensors_of(argument)) axes &= single(&tensor);
  return axes;
}

constexpr int cut_kind_bits = 2;

}  // namespace

void append_facts(const ArgumentTable& table, KeyWords& key) {
  std::uint64_t present = 0;
  for (std::size_t i = 0; i < table.arguments.size(); ++i) {
    present |= std::uint64_t{table.arguments[i].present} << i;
  }
  key.push_back(present);
  for (const HostArgument& argument : table.arguments) {
    if (!has_facts(argument)) continue;
    std::uint64_t word = 0;
    const std::span<const TensorUse> tensors = table.tensors_of(argument);
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      const std::uint64_t next = geometry_word(tensors[i]);
      word = i == 0 ? next : weaker(word, next, argument.rank);
    }
    word |= std::uint64_t{argument.list} << FactsWord::list_bit;
    word |= static_cast<std::uint64_t>(argument.rows) << FactsWord::rows_begin;
    if (is_output(argument.kind) || argument.kind == ParameterKind::grid) {
      word |= single_block_axes(table, argument) << FactsWord::single_block_begin;
    }
    key.push_back(word);
    if (!is_output(argument.kind)) continue;
    for (int axis = 0; axis < argument.rank; ++axis) {
      const Cut& cut = argument.cuts[axis];
      key.push_back(static_cast<std::uint64_t>(cut.size) << cut_kind_bits |
                    static_cast<std::uint64_t>(cut.kind));
    }
  }
}

std::vector<ParameterFacts> facts_from(std::span<const HostArgument> arguments,
                                       std::span<const std::uint64_t> words) {
  std::vector<ParameterFacts> result;
  auto next = words.begin() + 1;
  for (const HostArgument& argument : arguments) {
    ParameterFacts& facts = result.emplace_back();
    facts.kind = argument.kind;
    facts.dtype = argument.dtype;
    facts.rank = argument.rank;
    facts.present = (words.front() >> (result.size() - 1) & 1) != 0;
    if (!has_facts(argument)) continue;
    const std::uint64_t word = *next++;
    const auto field = [&](int begin, int bits) {
      return static_cast<std::uint8_t>(word >> begin & ((std::uint64_t{1} << bits) - 1));
    };
    facts.list = field(FactsWord::list_bit, 1) != 0;
    facts.rows = static_cast<RowList>(field(FactsWord::rows_begin, 2));
    facts.alignment_log2 = field(0, FactsWord::divisor_bits);
    facts.single_block_axes = field(FactsWord::single_block_begin, max_rank);
    for (int axis = 0; axis < argument.rank; ++axis) {
      const int begin = FactsWord::axis_begin(axis);
      AxisFacts& of_axis = facts.axes[static_cast<std::size_t>(axis)];
      of_axis.extent_divisor_log2 = field(begin, FactsWord::divisor_bits);
      of_axis.stride_divisor_log2 = field(begin + FactsWord::divisor_bits, FactsWord::divisor_bits);
      of_axis.unit_stride = field(begin + 2 * FactsWord::divisor_bits, 1) != 0;
      if (!is_output(argument.kind)) continue;
      const std::uint64_t cut = *next++;
      facts.cuts[static_cast<std::size_t>(axis)] = {
          static_cast<CutKind>(cut & ((std::uint64_t{1} << cut_kind_bits) - 1)),
          static_cast<std::int64_t>(cut >> cut_kind_bits)};
    }
  }
  return result;
}

bool needs_wide_index(std::span<const TensorUse> tensors) noexcept {
  // The last tile of an axis may reach this far beyond the tensor.
  constexpr std::int64_t largest_tile = std::int64_t{1} << 24;
  constexpr std::int64_t limit = std::numeric_limits<std::int32_t>::max() - largest_tile;
  return std::ranges::any_of(tensors, [](const TensorUse& tensor) {
    for (int axis = 0; axis < tensor.rank; ++axis) {
      if (tensor.extents[axis] > limit || tensor.strides[axis] > limit) return true;
    }
    return last_offset(tensor) > limit;
  });
}

}  // namespace tw::inline v0::detail
