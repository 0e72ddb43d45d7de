// SPDX-License-Identifier: Apache-2.0
#include "runtime/packing.hpp"

namespace tw::inline v0::detail {
namespace {

std::uint64_t address_word(const std::byte* address) noexcept {
  return reinterpret_cast<std::uintptr_t>(address);
}

std::uint64_t integer_word(std::int64_t value) noexcept {
  return static_cast<std::uint64_t>(value);
}

}  // namespace

void pack(const ArgumentTable& table, const Schedule& schedule, ListTables lists,
          std::span<const ir::AbiSlot> slots, std::span<std::uint64_t> words) noexcept {
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const ir::AbiSlot& slot = slots[i];
    const HostArgument* argument =
        slot.parameter < 0 ? nullptr : &table.arguments[static_cast<std::size_t>(slot.parameter)];
    const auto tensor = [&]() -> const TensorUse& { return table.tensors[argument->first_tensor]; };
    std::uint64_t& word = words[i];
    switch (slot.kind) {
      case ir::AbiKind::base:
        word = address_word(tensor().address);
        break;
      case ir::AbiKind::extent:
        word = integer_word(tensor().extents[slot.axis]);
        break;
      case ir::AbiKind::stride:
        word = integer_word(tensor().strides[slot.axis]);
        break;
      case ir::AbiKind::ids:
        word = address_word(table.ids_of(*argument)->address);
        break;
      case ir::AbiKind::ids_count:
        word = integer_word(table.ids_of(*argument)->extents[0]);
        break;
      case ir::AbiKind::rows:
        word = address_word(lists[slot.parameter]);
        break;
      case ir::AbiKind::rows_count:
        word = argument->tensor_count;
        break;
      case ir::AbiKind::scalar:
        word = argument->scalar;
        break;
      case ir::AbiKind::grid:
        word = integer_word(argument->cuts[slot.axis].size);
        break;
      case ir::AbiKind::common_grid:
        word = integer_word(schedule.grid.axes[slot.axis]);
        break;
      case ir::AbiKind::fault_block:
      case ir::AbiKind::serial:
        word = 0;
        break;
    }
  }
}

std::vector<std::uint64_t> list_rows(std::span<const TensorUse> tensors) {
  std::vector<std::uint64_t> rows;
  for (const TensorUse& tensor : tensors) {
    rows.push_back(address_word(tensor.address));
    for (int axis = 0; axis < tensor.rank; ++axis)
      rows.push_back(integer_word(tensor.extents[axis]));
    for (int axis = 0; axis < tensor.rank; ++axis)
      rows.push_back(integer_word(tensor.strides[axis]));
  }
  return rows;
}

}  // namespace tw::inline v0::detail
