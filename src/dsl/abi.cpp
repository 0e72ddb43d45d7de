// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>

#include <tilewright/dsl/specialisation.hpp>

namespace tw::inline v0 {
namespace {

using ir::AbiKind;
using ir::AbiSlot;

/// A power of two of bytes, as one of elements; no fewer than one.
int elements_log2(int bytes_log2, ElementKind element) {
  constexpr int byte_log2 = 3;
  const int bits_log2 = std::countr_zero(info(element).memory_bits);
  return std::max(0, bytes_log2 + byte_log2 - bits_log2);
}

class AbiList {
 public:
  explicit AbiList(const Specialisation& specialisation) : specialisation_(specialisation) {}

  void add_parameter(int position, const ParameterFacts& facts) {
    if (!facts.present) return;
    switch (facts.kind) {
      case ParameterKind::constant:
        return;
      case ParameterKind::scalar:
        add(AbiKind::scalar, position, -1, element_kind(facts.dtype));
        return;
      case ParameterKind::grid:
        for (int axis = 0; axis < facts.rank; ++axis) {
          add(AbiKind::grid, position, axis, ElementKind::i32);
        }
        return;
      default:
        facts.list ? add_list(position) : add_tensor(position, facts);
        if (facts.rows != RowList::none) {
          add(AbiKind::ids, position, -1, ElementKind::i32);
          add(AbiKind::ids_count, position, -1, index_kind());
        }
    }
  }

  void add_grid() {
    if (!specialisation_.linear_grid) return;
    for (int axis = 0; axis < specialisation_.grid_rank; ++axis) {
      add(AbiKind::common_grid, -1, axis, ElementKind::i32);
    }
  }

  std::vector<AbiSlot> take() { return std::move(slots_); }

 private:
  void add(AbiKind kind, int parameter, int axis, ElementKind element, int divisor_log2 = 0) {
    slots_.push_back({kind, static_cast<std::int16_t>(parameter), static_cast<std::int16_t>(axis),
                      element, std::int32_t{1} << divisor_log2});
  }
  [[nodiscard]] ElementKind index_kind() const {
    return specialisation_.wide_index ? ElementKind::i64 : ElementKind::i32;
  }

  void add_tensor(int position, const ParameterFacts& facts) {
    const ElementKind element = element_kind(facts.dtype);
    add(AbiKind::base, position, -1, element, facts.alignment_log2);
    for (int axis = 0; axis < facts.rank; ++axis) {
      const bool known = takes_partition(facts.kind) &&
                         facts.cuts[static_cast<std::size_t>(axis)].kind == CutKind::all;
      const AxisFacts& of_axis = facts.axes[static_cast<std::size_t>(axis)];
      if (!known) {
        add(AbiKind::extent, position, axis, index_kind(), of_axis.extent_divisor_log2);
      }
    }
    for (int axis = 0; axis < facts.rank; ++axis) {
      const AxisFacts& of_axis = facts.axes[static_cast<std::size_t>(axis)];
      if (of_axis.unit_stride) continue;
      add(AbiKind::stride, position, axis, index_kind(),
          elements_log2(of_axis.stride_divisor_log2, element));
    }
  }

  void add_list(int position) {
    add(AbiKind::rows, position, -1, ElementKind::i64);
    add(AbiKind::rows_count, position, -1, ElementKind::i32);
  }

  const Specialisation& specialisation_;
  std::vector<AbiSlot> slots_;
};

}  // namespace

std::vector<ir::AbiSlot> abi_of(const Specialisation& specialisation) {
  AbiList list(specialisation);
  for (std::size_t i = 0; i < specialisation.parameters.size(); ++i) {
    list.add_parameter(static_cast<int>(i), specialisation.parameters[i]);
  }
  list.add_grid();
  return list.take();
}

}  // namespace tw::inline v0
