// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <tilewright/ir/builder.hpp>
#include <tilewright/ir/kernel.hpp>

namespace tw::test {

/// A kernel under construction, as a trace would leave it.
class TracedKernel {
 public:
  TracedKernel() : builder_(entry(kernel_)) {}

  [[nodiscard]] ir::Builder& build() { return builder_; }

  /// A further parameter of the entry, given to every launch.
  ir::Value argument(ir::AbiKind kind, ElementKind element = ElementKind::i32) {
    const auto position = static_cast<std::int16_t>(kernel_.abi.size());
    kernel_.abi.push_back({kind, position, 0, element});
    const bool address = kind == ir::AbiKind::base || kind == ir::AbiKind::rows;
    ir::Function& function = kernel_.entry();
    const ir::Value value =
        function.fresh(address ? ir::pointer_tile_type(element) : ir::tile_type(element));
    function.body.arguments.push_back(value);
    return value;
  }
  ir::Value extent() { return argument(ir::AbiKind::extent); }
  ir::Value scalar() { return argument(ir::AbiKind::scalar); }
  ir::Value base(ElementKind element = ElementKind::f32) {
    return argument(ir::AbiKind::base, element);
  }

  ir::Value constant(std::int64_t value) { return builder_.integer(ElementKind::i32, value); }
  ir::Value binary(ir::Opcode code, ir::Value a, ir::Value b) {
    ir::OpDraft draft(code);
    draft.operand(a).operand(b);
    if (ir::attribute_index(ir::row(code), ir::AttributeName::signedness) >= 0) {
      draft.set(ir::AttributeName::signedness, ir::Signedness::signed_);
    }
    return builder_.append(draft, {builder_.type(a)});
  }
  ir::Value ceil_div(ir::Value a, ir::Value b) {
    ir::OpDraft draft(ir::Opcode::divi);
    draft.operand(a).operand(b);
    draft.set(ir::AttributeName::signedness, ir::Signedness::signed_);
    draft.set(ir::AttributeName::rounding, ir::RoundingMode::positive_inf);
    return builder_.append(draft, {builder_.type(a)});
  }
  /// 0 <= index < bound.
  ir::Value inside(ir::Value index, ir::Value bound) {
    const auto compare = [&](ir::ComparisonPredicate predicate, ir::Value a, ir::Value b) {
      return builder_.compare_int(predicate, a, b, ir::Signedness::signed_);
    };
    const ir::Value zero = constant(0);
    return binary(ir::Opcode::andi,
                  compare(ir::ComparisonPredicate::greater_than_or_equal, index, zero),
                  compare(ir::ComparisonPredicate::less_than, index, bound));
  }

  /// The check of one access, at a site of its own, and its condition.
  ir::Value check(ir::Value index, ir::Value bound, std::uint32_t line = 1) {
    const ir::Value condition = inside(index, bound);
    check_condition(condition, index, bound, line);
    return condition;
  }
  void check_condition(ir::Value condition, ir::Value index, ir::Value bound,
                       std::uint32_t line = 1, const char* kind = "load") {
    ir::Module& module = kernel_.module;
    const auto location = module.locations.add(ir::SourcePlace{"kernel.cpp", line, 1});
    ir::Site& site = module.sites.emplace_back();
    site = {location, kind, 2, 0, ""};
    site.silent = site.kind == "edge";
    ir::OpDraft draft(ir::Opcode::check);
    draft.operand(condition).operand(index).operand(bound);
    draft.set(ir::AttributeName::site,
              ir::Attribute(static_cast<std::int64_t>(module.sites.size() - 1)));
    builder_.append(draft, {});
  }

  /// `for index in (low to high, step step)` around what `body` appends.
  void loop(ir::Value low, ir::Value high, ir::Value step,
            const std::function<void(ir::Value)>& body) {
    carrying(low, high, step, {}, [&](ir::Value index, const std::vector<ir::Value>&) {
      body(index);
      return std::vector<ir::Value>{};
    });
  }
  /// The same with carried values; `body` gives the next ones.
  std::vector<ir::Value> carrying(
      ir::Value low, ir::Value high, ir::Value step, const std::vector<ir::Value>& initial,
      const std::function<std::vector<ir::Value>(ir::Value, const std::vector<ir::Value>&)>& body) {
    ir::Function& function = kernel_.entry();
    ir::Block block;
    const ir::Value index = function.fresh(function.type(low));
    block.arguments.push_back(index);
    std::vector<ir::Value> carried;
    std::vector<ir::Type> types;
    for (const ir::Value each : initial) {
      types.push_back(function.type(each));
      carried.push_back(function.fresh(types.back()));
      block.arguments.push_back(carried.back());
    }
    builder_.enter(block);
    end(ir::Opcode::continue_, body(index, carried));
    builder_.leave();
    ir::OpDraft draft(ir::Opcode::for_);
    draft.operand(low).operand(high).operand(step).group(initial).region(std::move(block));
    return appended(draft, types);
  }

  /// `if condition` with what the two functions append and yield; no second one: no else.
  using Branch = std::function<std::vector<ir::Value>()>;
  std::vector<ir::Value> branch(ir::Value condition, const Branch& then,
                                const Branch& otherwise = nullptr) {
    ir::Function& function = kernel_.entry();
    std::vector<ir::Type> types;
    const auto fill = [&](const Branch& contents) {
      ir::Block block;
      if (!contents) return block;
      builder_.enter(block);
      const std::vector<ir::Value> values = contents();
      types.clear();
      for (const ir::Value each : values) types.push_back(function.type(each));
      end(ir::Opcode::yield, values);
      builder_.leave();
      return block;
    };
    ir::OpDraft draft(ir::Opcode::if_);
    draft.operand(condition).region(fill(then)).region(fill(otherwise));
    return appended(draft, types);
  }

  /// A one-dimensional view of dynamic extent over `pointer`, cut into tiles of `tile`.
  ir::Value tiles(ir::Value pointer, ir::Value size, std::int64_t tile) {
    const ElementKind element = builder_.type(pointer).tile().kind();
    const ir::TensorViewType tensor{element, {ir::dynamic}, {1}};
    const std::vector<ir::Value> shape{size};
    const ir::Value view = builder_.tensor_view(pointer, tensor, shape, {});
    return builder_.view(ir::Opcode::make_partition_view, view,
                         ir::Type(ir::PartitionViewType{{tile}, tensor, {0}, ir::Padding::zero}));
  }
  ir::Value load(ir::Value view, ir::Value index) {
    const std::vector<ir::Value> indices{index};
    return builder_.load_view(view, indices);
  }
  void store(ir::Value tile, ir::Value view, ir::Value index) {
    const std::vector<ir::Value> indices{index};
    builder_.store_view(tile, view, indices);
  }

  ir::Value load_pointer(ir::Value pointer) { return builder_.load_pointer(pointer, {}, {}); }
  /// A use of a rank-0 value that no pass may drop: a store through a pointer to one element.
  void keep(ir::Value value, ir::Value pointer) {
    builder_.store_pointer(pointer, value, {}, ir::MemoryOrdering::weak, ir::MemoryScope::tl_blk);
  }

  void end(ir::Opcode code, const std::vector<ir::Value>& values = {}) {
    ir::OpDraft draft(code);
    draft.group(values);
    builder_.append(draft, {});
  }
  /// Ends the entry and gives the kernel away.
  ir::Kernel finish() {
    end(ir::Opcode::return_);
    return std::move(kernel_);
  }

 private:
  std::vector<ir::Value> appended(ir::OpDraft& draft, const std::vector<ir::Type>& types) {
    const auto& results = builder_.append(draft.finish(kernel_.entry(), types)).results;
    return {results.begin(), results.end()};
  }

  static ir::Function& entry(ir::Kernel& kernel) {
    kernel.module.functions.emplace_back().name = "k";
    return kernel.module.functions.front();
  }

  ir::Kernel kernel_;
  ir::Builder builder_;
};

}  // namespace tw::test
