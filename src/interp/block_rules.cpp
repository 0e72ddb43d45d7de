// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <bit>
#include <cstring>

#include "interp/preparation.hpp"
#include "interp/rules.hpp"

// What a block knows without asking its operands: its place in the grid and memory of its own.

namespace tw::inline v0::interp {
namespace {

using ir::AttributeName;

void block_id(Preparation& preparation, const ir::Op& op) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const Slot to = preparation.slot(op.results[axis]);
    preparation.add([=](Frame& frame) { *frame.at<std::uint32_t>(to) = frame.block[axis]; });
  }
}

void block_counts(Preparation& preparation, const ir::Op& op) {
  const auto add = [&](std::size_t axis, std::uint32_t Grid::* extent) {
    const Slot to = preparation.slot(op.results[axis]);
    preparation.add(
        [=](Frame& frame) { *frame.at<std::uint32_t>(to) = frame.launch().grid.*extent; });
  };
  add(0, &Grid::x);
  add(1, &Grid::y);
  add(2, &Grid::z);
}

void add_address(Preparation& preparation, ir::Value result, const std::byte* address) {
  std::vector<std::byte> bytes(sizeof(address));
  std::memcpy(bytes.data(), &address, sizeof(address));
  preparation.preset(result, std::move(bytes));
}

void global_address(Preparation& preparation, const ir::Op& op) {
  add_address(preparation, op.result(),
              preparation.globals().address(op.get<std::string>(AttributeName::name)));
}

/// The memory lies in the arena, the same each time that the op is met, and is not cleared.
void allocate_in_block(Preparation& preparation, const ir::Op& op) {
  const ElementKind kind = preparation.tile(op.result()).kind();
  const auto alignment = static_cast<std::size_t>(op.integer(AttributeName::alignment));
  const auto elements = static_cast<std::size_t>(op.integer(AttributeName::num_elem));
  const std::size_t bytes = (elements * info(kind).memory_bits + 7) / 8;
  const Slot memory = preparation.permanent(bytes + alignment);
  const Slot to = preparation.slot(op.result());
  preparation.add([=](Frame& frame) {
    const auto address = std::bit_cast<std::uint64_t>(frame.at<std::byte>(memory));
    *frame.at<std::uint64_t>(to) = (address + alignment - 1) / alignment * alignment;
  });
}

using enum ir::Opcode;

constexpr std::array rules{
    OpRule{alloca_, allocate_in_block},
    OpRule{get_global, global_address},
    OpRule{get_num_tile_blocks, block_counts},
    OpRule{get_tile_block_id, block_id},
};

}  // namespace

std::span<const OpRule> block_rules() { return rules; }

}  // namespace tw::inline v0::interp
