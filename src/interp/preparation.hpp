// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <tilewright/core/error.hpp>
#include <tilewright/ir/op.hpp>

#include "interp/globals.hpp"
#include "interp/lifetimes.hpp"
#include "interp/slot_allocator.hpp"
#include "interp/step.hpp"

namespace tw::inline v0::interp {

/// Bytes that lie in the arena from the beginning of a run.
struct Preset {
  Slot slot;
  std::vector<std::byte> bytes;
};

/// Where a region's terminators leave the values they hand on.
struct Exits {
  std::vector<Slot> yielded;
  std::vector<Slot> continued;
  std::vector<Slot> broken;
};

/// Turns one function into steps: places its values in the arena and asks each op's rule for the
/// steps that compute it.
class Preparation {
 public:
  Preparation(const ir::Module& module, const ir::Function& function, const Globals& globals);

  /// Prepares the whole function; its arguments keep the slots that `slot` tells for them.
  Steps body();

  // What rules ask.
  [[nodiscard]] const ir::Module& module() const noexcept { return module_; }
  [[nodiscard]] const Globals& globals() const noexcept { return globals_; }
  [[nodiscard]] const ir::Type& type(ir::Value value) const { return function_.type(value); }
  [[nodiscard]] const ir::TileType& tile(ir::Value value) const { return type(value).tile(); }
  /// Elements of a tile; inside a combiner times its lanes.
  [[nodiscard]] std::size_t count(ir::Value value) const;
  /// Bytes of one element in the arena.
  [[nodiscard]] std::size_t element_bytes(ir::Value value) const;
  /// Bytes of the whole value: a tile's elements, or a view's base, extents and strides.
  [[nodiscard]] std::size_t bytes(ir::Value value) const;
  [[nodiscard]] Slot slot(ir::Value value) const;
  [[nodiscard]] std::vector<Slot> slots(std::span<const ir::Value> values) const;
  /// The destinations of the terminators in the region being prepared.
  [[nodiscard]] Exits& exits() noexcept { return exits_; }
  [[nodiscard]] CodePlace where(const ir::Op& op) const;

  // What rules give.
  template <class Action>
  void add(Action action) {
    steps_.push_back(std::make_unique<const ActionStep<Action>>(std::move(action)));
  }
  /// Room that the steps of the current op may use among themselves.
  Slot scratch(std::size_t bytes);
  /// Room that nothing else uses during a block.
  Slot permanent(std::size_t bytes) { return allocator_.allocate_permanent(bytes); }
  /// Fixes the bytes of a value for the whole run.
  void preset(ir::Value value, std::vector<std::byte> bytes);

  /// Lets a block's argument name the storage at `slot`, which its owner keeps.
  void place(ir::Value argument, Slot slot);
  /// The steps of a region. `handed_on` says where the values of its last op go: those that can be
  /// are computed in place there.
  Steps steps_of(const ir::Block& block, std::span<const Slot> handed_on = {});
  /// The steps of a combiner, each of whose rank-0 values stands for `lanes` elements, which it
  /// leaves where `exits().yielded` says. `captured` are the steps to run before it is used.
  struct Combiner {
    Steps captured;
    Steps combine;
  };
  Combiner combiner(const ir::Block& block, std::size_t lanes);
  /// Appends a move of several values at once: no source is overwritten before it is read.
  void move(std::span<const ir::Value> sources, std::span<const Slot> destinations);

  [[nodiscard]] const SlotAllocator& allocator() const noexcept { return allocator_; }
  [[nodiscard]] std::vector<Preset> take_presets() { return std::move(presets_); }

 private:
  struct Placement {
    Slot slot;
    bool placed = false;
    bool owned = false;  ///< its room is free again after the last use
  };

  void prepare(const ir::Op& op);
  void place_results(const ir::Op& op);
  bool place_on_operand(const ir::Op& op, std::size_t result);
  [[nodiscard]] bool may_share(const ir::Op& op, std::size_t operand, std::size_t result) const;
  void place_handed_on(const ir::Block& block, std::span<const Slot> handed_on);
  [[nodiscard]] bool still_read(const ir::Block& block, Slot slot, const ir::Op& writer,
                                std::size_t result);
  void spread(ir::Value captured, std::size_t lanes);
  [[nodiscard]] Placement& placement(ir::Value value) {
    return placements_[lifetimes_.root(value).index];
  }

  const ir::Module& module_;
  const ir::Function& function_;
  const Globals& globals_;
  Lifetimes lifetimes_;
  SlotAllocator allocator_;
  std::vector<Placement> placements_;
  std::vector<Preset> presets_;
  std::vector<Slot> scratch_;
  Steps steps_;
  Exits exits_;
  std::size_t lanes_ = 1;
};

}  // namespace tw::inline v0::interp
