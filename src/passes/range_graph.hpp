// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <tilewright/passes/range.hpp>

namespace tw::inline v0::passes {

/// How well one side of a value's range is known. With the later ones a launch can decide claims.
enum class Bound : std::uint8_t {
  type,    ///< only what the width allows
  fixed,   ///< by the kernel itself
  launch,  ///< by the launch's arguments or grid
};

struct Bounds {
  Bound lower = Bound::type;
  Bound upper = Bound::type;
};

/// The integers of a kernel as a graph in which equal expressions are one node, each with what is
/// known of it in every launch.
class RangeGraph {
 public:
  using Id = std::uint32_t;

  RangeGraph();

  /// Something of which only the width is known; never equal to another.
  Id unknown(std::uint8_t width);
  Id constant(std::int64_t value, std::uint8_t width);
  /// Values that the kernel itself confines, such as those of a table; never equal to another.
  Id between(std::int64_t low, std::int64_t high, std::uint8_t width);
  /// An argument of the entry or a block count, which lies from `low` to `high` in every launch.
  Id launch_value(const RangeNode& node, std::int64_t low, std::int64_t high);
  /// Values within those of `source`, but not the same element by element.
  Id opaque(Id source);
  /// A step; its operands are ids of this graph.
  Id add(const RangeNode& node);

  [[nodiscard]] const RangeNode& node(Id id) const { return nodes_[id]; }
  [[nodiscard]] const Range& range(Id id) const { return facts_[id].range; }
  /// All nodes; each reads earlier ones only.
  [[nodiscard]] std::span<const RangeNode> nodes() const noexcept { return nodes_; }

  /// Whether the truth value `id` is the same in every run: true, false, or (nothing) it varies.
  /// True for one that no run computes.
  [[nodiscard]] std::optional<bool> verdict(Id id) const;
  /// Whether the values of a launch may prove that `id` is always true.
  [[nodiscard]] bool launch_decides(Id id) const;

 private:
  struct Fact {
    Range range;
    Bounds bounds;
  };
  enum class Order : std::uint8_t { below, not_above };

  Id insert(const RangeNode& node, const Fact& fact);
  [[nodiscard]] std::size_t slot_of(const RangeNode& node) const;
  [[nodiscard]] Range derived_range(const RangeNode& node) const;
  [[nodiscard]] std::optional<bool> ordered(const RangeNode& comparison) const;
  [[nodiscard]] bool proves(Id x, Order order, Id y, int depth) const;
  [[nodiscard]] bool proves_by_left(Id x, Order order, Id y, int depth) const;
  [[nodiscard]] bool proves_by_right(Id x, Order order, Id y, int depth) const;
  [[nodiscard]] Id stripped(Id id) const;
  void grow();

  std::vector<RangeNode> nodes_;
  std::vector<Fact> facts_;
  std::vector<std::uint32_t> slots_;  ///< open addressing: id + 1, or 0
};

}  // namespace tw::inline v0::passes
