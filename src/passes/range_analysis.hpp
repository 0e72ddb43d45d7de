// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <tilewright/ir/kernel.hpp>

#include "passes/range_graph.hpp"

namespace tw::inline v0::passes {

/// A check op with the nodes of its operands.
struct AnalysedCheck {
  const ir::Op* op;
  RangeGraph::Id condition;
  RangeGraph::Id index;
  RangeGraph::Id bound;
};

/// Gives every integer value of a kernel its node. A tile has one node for all its elements: two
/// tiles with the same node are equal element by element.
class RangeAnalysis {
 public:
  explicit RangeAnalysis(const ir::Kernel& kernel);

  [[nodiscard]] const RangeGraph& graph() const noexcept { return graph_; }
  /// In the order of the ops, an op before its regions.
  [[nodiscard]] const std::vector<AnalysedCheck>& checks() const noexcept { return checks_; }

 private:
  using Id = RangeGraph::Id;
  struct Known {
    Id id = none;
    bool uniform = false;  ///< all elements are the same
  };
  static constexpr Id none = ~Id{0};

  void enter_parameters(const ir::Kernel& kernel);
  void visit(const ir::Block& block);
  void visit(const ir::Op& op);
  void constant(const ir::Op& op);
  void iota(const ir::Op& op);
  void elementwise(const ir::Op& op, RangeNode node);
  void shuffle(const ir::Op& op);
  void join(const ir::Op& op);
  void assume(const ir::Op& op);
  void axes(const ir::Op& op);
  void index_space(const ir::Op& op, const ir::Type& view, const ir::Op& tensor);
  void grid(const ir::Op& op);
  void counted_loop(const ir::Op& op);
  void branch(const ir::Op& op);
  void reduction(const ir::Op& op);

  Id id(ir::Value value);
  /// The extent of one axis of the tensor that `make_tensor_view` describes.
  Id extent(const ir::Op& make, std::size_t axis, std::uint8_t width);
  void define(ir::Value value, Id id, bool uniform);
  [[nodiscard]] bool uniform(ir::Value value) const;
  [[nodiscard]] std::uint8_t width(ir::Value value) const;

  const ir::Function& function_;
  RangeGraph graph_;
  std::vector<Known> known_;           ///< by value
  std::vector<const ir::Op*> makers_;  ///< by value: the op that made a view
  std::vector<AnalysedCheck> checks_;
};

}  // namespace tw::inline v0::passes
