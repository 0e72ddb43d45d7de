// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include <tilewright/core/error.hpp>

#include "interp/integers.hpp"
#include "interp/preparation.hpp"
#include "interp/rules.hpp"

namespace tw::inline v0::interp {
namespace {

using ir::AttributeName;

void assert_all(Preparation& preparation, const ir::Op& op) {
  const Slot condition = preparation.slot(op.operands[0]);
  const std::size_t count = preparation.count(op.operands[0]);
  const Diagnostic failure{op.get<std::string>(AttributeName::message), preparation.where(op), {}};
  preparation.add([=](Frame& frame) {
    const auto* holds = frame.at<const bool>(condition);
    if (!std::all_of(holds, holds + count, [](bool element) { return element; })) {
      throw DeviceFault({failure});
    }
  });
}

/// Fills the record unless an earlier fault has it.
void record(const Frame& frame, std::uint32_t site, std::int64_t index, std::int64_t bound) {
  FaultRecord& fault = *frame.launch().fault;
  std::uint32_t expected = FaultRecord::empty;
  if (!__atomic_compare_exchange_n(&fault.state, &expected, FaultRecord::writing, false,
                                   __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
    return;
  }
  fault.serial = frame.launch().serial;
  fault.site = site;
  fault.index = index;
  fault.bound = bound;
  std::ranges::copy(frame.block, fault.block);
  __atomic_store_n(&fault.state, FaultRecord::written, __ATOMIC_RELEASE);
}

/// An integer operand of a check, signed: one for each element of the condition, or one for all.
struct Reported {
  Slot slot;
  bool single;
  std::int64_t (*read)(const std::byte* elements, std::size_t k);

  Reported(const Preparation& preparation, ir::Value value)
      : slot(preparation.slot(value)),
        single(preparation.count(value) == 1),
        read(with_integer(preparation.tile(value).kind(), []<class I>() {
          return +[](const std::byte* elements, std::size_t k) {
            const auto* element = reinterpret_cast<const typename I::Storage*>(elements);
            return std::int64_t{I::to_signed(element[k])};
          };
        })) {}

  [[nodiscard]] std::int64_t at(const Frame& frame, std::size_t k) const {
    return read(frame.at<const std::byte>(slot), single ? 0 : k);
  }
};

void check_all(Preparation& preparation, const ir::Op& op) {
  const Slot condition = preparation.slot(op.operands[0]);
  const std::size_t count = preparation.count(op.operands[0]);
  const Reported index(preparation, op.operands[1]);
  const Reported bound(preparation, op.operands[2]);
  const auto site = static_cast<std::uint32_t>(op.integer(AttributeName::site));
  preparation.add([=](Frame& frame) {
    const auto* holds = frame.at<const bool>(condition);
    const auto* first = std::find(holds, holds + count, false);
    if (first == holds + count) return;
    __atomic_fetch_add(&frame.launch().fault->count, 1, __ATOMIC_RELAXED);
    const auto k = static_cast<std::size_t>(first - holds);
    record(frame, site, index.at(frame, k), bound.at(frame, k));
  });
}

using enum ir::Opcode;

constexpr std::array rules{
    OpRule{assert_, assert_all},
    OpRule{check, check_all},
};

}  // namespace

std::span<const OpRule> fault_rules() { return rules; }

}  // namespace tw::inline v0::interp
