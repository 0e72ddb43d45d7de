// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <tilewright/core/export.hpp>
#include <tilewright/ir/op.hpp>

namespace tw::inline v0::passes {

/// The memory that an address or a view leads to. Different roots never overlap, but `unknown` may
/// be any of them.
struct Root {
  enum class Kind : std::uint8_t {
    none,       ///< no address
    parameter,  ///< what parameter `index` of the entry points to
    rows,       ///< what the rows of the table behind parameter `index` point to
    local,      ///< the memory of the `alloca` whose result is value `index`
    global,     ///< global `index` of the module
    unknown,
  };
  Kind kind = Kind::none;
  std::uint32_t index = 0;

  bool operator==(const Root&) const = default;
};

/// The operand of a memory op that holds the address or the view; no value for other ops.
[[nodiscard]] TILEWRIGHT_API ir::Value address_of(const ir::Op& op);
/// Whether an op writes memory: stores and read-modify-writes.
[[nodiscard]] TILEWRIGHT_API bool writes_memory(const ir::Op& op);

/// Where every address of a function comes from, through offsets, views, promises, control flow,
/// and addresses read from a table; and which memory the function writes.
class TILEWRIGHT_API Roots {
 public:
  Roots(const ir::Module& module, const ir::Function& function);

  /// The memory behind a pointer, a tile of pointers, a view, or an integer holding an address.
  [[nodiscard]] Root of(ir::Value value) const { return roots_[value.index]; }
  [[nodiscard]] bool written(const Root& root) const;
  /// Whether an op is a plain load of memory that nothing in the function writes and no op of the
  /// function waits for: it gives the same wherever it stands.
  [[nodiscard]] bool constant_load(const ir::Op& op) const;

 private:
  friend class RootFinder;

  std::vector<Root> roots_;  ///< by value
  std::vector<Root> written_;
  bool waits_ = false;  ///< some op makes the writes of others visible
};

}  // namespace tw::inline v0::passes
