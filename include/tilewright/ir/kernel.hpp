// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <tilewright/core/dtype.hpp>
#include <tilewright/ir/op.hpp>

namespace tw::inline v0::ir {

/// What one argument of a kernel entry carries. The order of slots is the kernel ABI, the same on
/// every device: the user's parameters from left to right, then `common_grid`, then `fault_block`
/// and `serial`.
enum class AbiKind : std::uint8_t {
  base,         ///< address of a tensor's first element
  extent,       ///< of `axis`, i32 or i64 by the launch's index width
  stride,       ///< of `axis`, in elements
  ids,          ///< address of the row ids of a row-listed output
  ids_count,    ///< their number
  rows,         ///< address of a list's rows {u64 base, i64 extent[R], i64 stride[R]}
  rows_count,   ///< i32
  scalar,       ///< an Int, Float, ... by value
  grid,         ///< i32 extent of a Grid parameter along `axis`
  common_grid,  ///< i32 extent of the launch's common grid along `axis`
  fault_block,  ///< address of the stream's fault ring
  serial,       ///< i32 number of the launch
};

struct AbiSlot {
  AbiKind kind;
  std::int16_t parameter = -1;  ///< position in the kernel's signature; -1 for what the launch adds
  std::int16_t axis = -1;
  ElementKind element = ElementKind::i32;  ///< of the pointee for addresses, else of the value
  /// Every launch passes a multiple of this: of bytes for an address, else of the number itself.
  std::int32_t divisor = 1;
  bool operator==(const AbiSlot&) const = default;
};

/// A traced kernel: one module with one entry, and how its arguments are filled.
/// `abi[i]` describes argument `i` of the entry.
struct Kernel {
  Module module;
  std::vector<AbiSlot> abi;
  /// Outputs that blocks walk together, by their positions in the signature: a launch has as many
  /// places in the one as in the other.
  std::vector<std::pair<std::int16_t, std::int16_t>> zipped = {};

  [[nodiscard]] Function& entry() { return module.functions.front(); }
  [[nodiscard]] const Function& entry() const { return module.functions.front(); }
};

}  // namespace tw::inline v0::ir
