// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <optional>

#include "interp/elementwise.hpp"
#include "interp/integers.hpp"
#include "interp/memory_access.hpp"
#include "interp/order.hpp"
#include "interp/rules.hpp"

namespace tw::inline v0::interp {
namespace {

/// Elements of four bits are addressed in pairs: an odd offset names the byte of the even one.
template <class I, unsigned ElementBits>
struct Offset {
  TILEWRIGHT_INLINE static std::uint64_t apply(std::uint64_t address, typename I::Storage offset) {
    const auto elements = static_cast<std::int64_t>(I::to_signed(offset));
    if constexpr (ElementBits < 8) {
      return address + static_cast<std::uint64_t>(elements >> 1);
    } else {
      return address + static_cast<std::uint64_t>(elements) * (ElementBits / 8);
    }
  }
};

template <unsigned ElementBits>
void add_offset(Preparation& preparation, const ir::Op& op) {
  with_integer(preparation.tile(op.operands[1]).kind(), [&]<class I>() {
    add_elementwise<Offset<I, ElementBits>, std::uint64_t, std::uint64_t, typename I::Storage>(
        preparation, op);
  });
}

void offset_pointers(Preparation& preparation, const ir::Op& op) {
  switch (info(preparation.tile(op.result()).kind()).memory_bits) {
    case 4:
      return add_offset<4>(preparation, op);
    case 8:
      return add_offset<8>(preparation, op);
    case 16:
      return add_offset<16>(preparation, op);
    case 32:
      return add_offset<32>(preparation, op);
    default:
      return add_offset<64>(preparation, op);
  }
}

/// The place of an operand that may be missing.
std::optional<Slot> optional_slot(const Preparation& preparation, ir::Value value) {
  return value ? std::optional(preparation.slot(value)) : std::nullopt;
}

/// Lanes whose mask is false give the padding, or zero, and touch no memory.
void load_pointers(Preparation& preparation, const ir::Op& op) {
  const std::size_t count = preparation.count(op.result());
  const Slot pointers = preparation.slot(op.operands[0]);
  const auto mask = optional_slot(preparation, op.optional(1));
  const auto padding = optional_slot(preparation, op.optional(2));
  const Slot to = preparation.slot(op.result());
  with_access(preparation.tile(op.result()).kind(), is_ordered_access(op), [&]<class Access>() {
    using Storage = typename Access::Storage;
    preparation.add([=](Frame& frame) {
      const auto* address = frame.at<const std::uint64_t>(pointers);
      const auto* taken = mask ? frame.at<const bool>(*mask) : nullptr;
      const auto* other = padding ? frame.at<const Storage>(*padding) : nullptr;
      auto* element = frame.at<Storage>(to);
      for (std::size_t k = 0; k < count; ++k) {
        if (!taken || taken[k]) {
          element[k] = Access::load(address[k], 0);
        } else {
          element[k] = other ? other[k] : Storage{0};
        }
      }
    });
  });
}

void store_pointers(Preparation& preparation, const ir::Op& op) {
  const std::size_t count = preparation.count(op.operands[1]);
  const Slot pointers = preparation.slot(op.operands[0]);
  const Slot from = preparation.slot(op.operands[1]);
  const auto mask = optional_slot(preparation, op.optional(2));
  with_access(preparation.tile(op.operands[1]).kind(), is_ordered_access(op), [&]<class Access>() {
    preparation.add([=](Frame& frame) {
      const auto* address = frame.at<const std::uint64_t>(pointers);
      const auto* taken = mask ? frame.at<const bool>(*mask) : nullptr;
      const auto* element = frame.at<const typename Access::Storage>(from);
      for (std::size_t k = 0; k < count; ++k) {
        if (!taken || taken[k]) Access::store(address[k], 0, element[k]);
      }
    });
  });
}

using enum ir::Opcode;

constexpr std::array rules{
    OpRule{load_ptr_tko, load_pointers},
    OpRule{offset, offset_pointers, Sharing::elementwise},
    OpRule{store_ptr_tko, store_pointers},
};

}  // namespace

std::span<const OpRule> pointer_rules() { return rules; }

}  // namespace tw::inline v0::interp
