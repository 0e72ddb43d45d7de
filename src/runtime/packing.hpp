// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include <tilewright/ir/kernel.hpp>

#include "runtime/facts.hpp"
#include "runtime/grid.hpp"

namespace tw::inline v0::detail {

/// Where the tables of the launch's lists lie on the device, by parameter; null when it has no
/// lists.
using ListTables = const std::byte* const*;

/// Fills the arguments of a kernel's entry, one word a slot, integers sign-extended. Those that
/// only the running launch knows, the fault block and the serial, are left zero.
TILEWRIGHT_API void pack(const ArgumentTable& table, const Schedule& schedule, ListTables lists,
                         std::span<const ir::AbiSlot> slots,
                         std::span<std::uint64_t> words) noexcept;

/// The table of a list, as kernels read it: for each tensor the address, the extents and the
/// strides.
[[nodiscard]] TILEWRIGHT_API std::vector<std::uint64_t> list_rows(
    std::span<const TensorUse> tensors);

}  // namespace tw::inline v0::detail
