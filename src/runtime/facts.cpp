// SPDX-License-Identifier: Apache-2.0
#include "runtime/facts.hpp"

#include <algorithm>
#include <bit>

#include <tilewright/runtime/storage.hpp>

namespace tw::inline v0::detail {
namespace {

constexpr int max_extent_log2 = 4;
constexpr int max_stride_log2 = 7;
/// What every allocation has: more would depend on chance and make specialisations in vain.
constexpr int max_alignment_log2 = std::countr_zero(runtime::Storage::alignment);

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
  // The bits of an element are a power of two from 4 up.
  const int bits_log2 = std::countr_zero(info(element_kind(tensor.dtype)).memory_bits);
  constexpr int byte_log2 = 3;
  std::uint64_t word = divisor_log2(address_of(tensor), max_alignment_log2);
  int begin = FactsWord::axes_begin;
  for (int axis = 0; axis < tensor.rank; ++axis, begin += FactsWord::axis_bits) {
    const auto extent = static_cast<std::uint64_t>(tensor.extents[axis]);
    const auto stride = static_cast<std::uint64_t>(tensor.strides[axis]);
    // A stride of packed elements that is no whole number of bytes counts as one of one byte.
    const std::uint64_t stride_log2 =
        divisor_log2(stride << bits_log2 >> byte_log2, max_stride_log2);
    word |= (divisor_log2(extent, max_extent_log2) | stride_log2 << FactsWord::divisor_bits |
             std::uint64_t{stride == 1} << (2 * FactsWord::divisor_bits))
            << begin;
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

/// The axes of an output or a Grid along which each of the tensors has one block.
std::uint64_t single_block_axes(const ArgumentTable& table, const HostArgument& argument) noexcept {
  const TensorUse* ids = table.ids_of(argument);
  std::uint64_t axes = 0;
  for (int axis = 0; axis < argument.rank; ++axis) {
    const Cut& cut = argument.cuts[axis];
    const auto is_one_block = [&](std::int64_t extent) { return extent > 0 && extent <= cut.size; };
    bool single = true;
    if (argument.kind == ParameterKind::grid) {
      single = cut.size == 1;
    } else if (cut.kind == CutKind::tile && axis == 0 && ids != nullptr) {
      single = is_one_block(ids->extents[0]);
    } else if (cut.kind == CutKind::tile) {
      for (const TensorUse& tensor : table.tensors_of(argument)) {
        single &= is_one_block(tensor.extents[axis]);
      }
    }
    axes |= std::uint64_t{single} << axis;
  }
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
    if (takes_partition(argument.kind) || argument.kind == ParameterKind::grid) {
      word |= single_block_axes(table, argument) << FactsWord::single_block_begin;
    }
    key.push_back(word);
    if (!takes_partition(argument.kind)) continue;
    std::uint64_t kinds = 0;
    for (int axis = 0; axis < argument.rank; ++axis) {
      kinds |= static_cast<std::uint64_t>(argument.cuts[axis].kind) << axis * cut_kind_bits;
    }
    key.push_back(kinds);
    for (int axis = 0; axis < argument.rank; ++axis) {
      key.push_back(static_cast<std::uint64_t>(argument.cuts[axis].size));
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
    const std::uint64_t kinds = takes_partition(argument.kind) ? *next++ : 0;
    for (int axis = 0; axis < argument.rank; ++axis) {
      const int begin = FactsWord::axis_begin(axis);
      AxisFacts& of_axis = facts.axes[static_cast<std::size_t>(axis)];
      of_axis.extent_divisor_log2 = field(begin, FactsWord::divisor_bits);
      of_axis.stride_divisor_log2 = field(begin + FactsWord::divisor_bits, FactsWord::divisor_bits);
      of_axis.unit_stride = field(begin + 2 * FactsWord::divisor_bits, 1) != 0;
      if (!takes_partition(argument.kind)) continue;
      facts.cuts[static_cast<std::size_t>(axis)] = {
          static_cast<CutKind>(kinds >> axis * cut_kind_bits &
                               ((std::uint64_t{1} << cut_kind_bits) - 1)),
          static_cast<std::int64_t>(*next++)};
    }
  }
  return result;
}

}  // namespace tw::inline v0::detail
