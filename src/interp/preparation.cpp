// SPDX-License-Identifier: Apache-2.0
#include "interp/preparation.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include <tilewright/core/error.hpp>

#include "interp/rules.hpp"

namespace tw::inline v0::interp {
namespace {

struct Transfer {
  Slot from;
  Slot to;
  std::size_t bytes;

  void run(Frame& frame) const {
    std::memcpy(frame.at<std::byte>(to), frame.at<std::byte>(from), bytes);
  }
};

bool overlap(Slot a, std::size_t a_bytes, Slot b, std::size_t b_bytes) {
  return a.offset < b.offset + static_cast<std::ptrdiff_t>(b_bytes) &&
         b.offset < a.offset + static_cast<std::ptrdiff_t>(a_bytes);
}

/// Whether some transfer writes what a later one still has to read.
bool entangled(std::span<const Transfer> transfers) {
  for (std::size_t writer = 0; writer < transfers.size(); ++writer) {
    for (std::size_t reader = writer + 1; reader < transfers.size(); ++reader) {
      if (overlap(transfers[writer].to, transfers[writer].bytes, transfers[reader].from,
                  transfers[reader].bytes)) {
        return true;
      }
    }
  }
  return false;
}

bool is_within(const ir::Block& block, const ir::Op* op) {
  return op && op >= block.ops.data() && op < block.ops.data() + block.ops.size();
}

constexpr auto first_of = [](const auto& pair) { return pair.first; };

/// Bytes of a run-time view: base, extents and strides, 64 bits each.
std::size_t view_bytes(const ir::TensorViewType& tensor) {
  return (1 + 2 * tensor.shape.size()) * 8;
}

}  // namespace

Preparation::Preparation(const ir::Module& module, const ir::Function& function,
                         const Globals& globals)
    : module_(module),
      function_(function),
      globals_(globals),
      lifetimes_(function),
      placements_(function.types.size()) {}

Steps Preparation::body() {
  for (const ir::Value argument : function_.body.arguments) {
    place(argument, permanent(bytes(argument)));
  }
  return steps_of(function_.body);
}

std::size_t Preparation::count(ir::Value value) const {
  return static_cast<std::size_t>(product(tile(value).shape)) * lanes_;
}

std::size_t Preparation::element_bytes(ir::Value value) const {
  const ir::TileType& type = tile(value);
  return type.holds_pointers() ? 8 : info(type.kind()).storage_bytes();
}

std::size_t Preparation::bytes(ir::Value value) const {
  const ir::Type& of = type(value);
  if (of.is_token()) return 0;
  if (const auto* tensor = of.as<ir::TensorViewType>()) return view_bytes(*tensor);
  if (of.is_view()) return view_bytes(ir::viewed_tensor(of));
  return count(value) * element_bytes(value);
}

Slot Preparation::slot(ir::Value value) const {
  return placements_[lifetimes_.root(value).index].slot;
}

std::vector<Slot> Preparation::slots(std::span<const ir::Value> values) const {
  std::vector<Slot> result;
  for (const ir::Value value : values) result.push_back(slot(value));
  return result;
}

CodePlace Preparation::where(const ir::Op& op) const { return module_.locations[op.location]; }

Slot Preparation::scratch(std::size_t bytes) {
  scratch_.push_back(allocator_.allocate(bytes));
  return scratch_.back();
}

void Preparation::preset(ir::Value value, std::vector<std::byte> bytes) {
  Placement& storage = placement(value);
  if (storage.owned) allocator_.release(storage.slot);
  storage = {permanent(bytes.size()), true, false};
  presets_.push_back({storage.slot, std::move(bytes)});
}

void Preparation::place(ir::Value argument, Slot slot) {
  placement(argument) = {slot, true, false};
}

Steps Preparation::steps_of(const ir::Block& block, std::span<const Slot> handed_on) {
  Steps outer = std::exchange(steps_, {});
  if (!handed_on.empty()) place_handed_on(block, handed_on);
  for (const ir::Op& op : block.ops) prepare(op);
  return std::exchange(steps_, std::move(outer));
}

Preparation::Combiner Preparation::combiner(const ir::Block& block, std::size_t lanes) {
  std::vector<std::pair<ir::Value, Placement>> captured;
  Steps outer = std::exchange(steps_, {});
  for (const ir::Op& op : block.ops) {
    for (const ir::Value operand : op.operands) {
      const ir::Value root = lifetimes_.root(operand);
      const bool inside = std::ranges::find(block.arguments, root) != block.arguments.end() ||
                          is_within(block, lifetimes_.definition(root));
      if (inside || lanes == 1 || std::ranges::find(captured, root, first_of) != captured.end()) {
        continue;
      }
      captured.emplace_back(root, placement(root));
      spread(root, lanes);
    }
  }
  Combiner result{.captured = std::exchange(steps_, {})};
  lanes_ = lanes;
  result.combine = steps_of(block, exits_.yielded);
  lanes_ = 1;
  for (const auto& [value, where] : captured) placement(value) = where;
  steps_ = std::move(outer);
  return result;
}

/// Repeats a rank-0 value for every lane.
void Preparation::spread(ir::Value captured, std::size_t lanes) {
  const std::size_t size = element_bytes(captured);
  const Slot from = slot(captured);
  const Slot to = scratch(size * lanes);
  add([=](Frame& frame) {
    const auto* element = frame.at<std::byte>(from);
    auto* lane = frame.at<std::byte>(to);
    for (std::size_t k = 0; k < lanes; ++k) std::memcpy(lane + k * size, element, size);
  });
  place(captured, to);
}

void Preparation::prepare(const ir::Op& op) {
  const OpRule& how = rule(op.code);
  const std::size_t scratch_before = scratch_.size();
  if (how.sharing != Sharing::alias) place_results(op);
  if (how.prepare) how.prepare(*this, op);
  while (scratch_.size() > scratch_before) {
    allocator_.release(scratch_.back());
    scratch_.pop_back();
  }
  for (const ir::Value ended : lifetimes_.ending_with(op)) {
    Placement& storage = placements_[ended.index];
    if (storage.owned) allocator_.release(storage.slot);
    storage.owned = false;
  }
}

void Preparation::place_results(const ir::Op& op) {
  for (std::size_t result = 0; result < op.results.size(); ++result) {
    Placement& storage = placement(op.results[result]);
    const std::size_t size = bytes(op.results[result]);
    if (storage.placed || size == 0 || place_on_operand(op, result)) continue;
    storage = {allocator_.allocate(size), true, true};
  }
}

bool Preparation::place_on_operand(const ir::Op& op, std::size_t result) {
  for (std::size_t operand = 0; operand < op.operands.size(); ++operand) {
    Placement& storage = placement(op.operands[operand]);
    if (!storage.owned || lifetimes_.last_use(lifetimes_.root(op.operands[operand])) != &op ||
        !may_share(op, operand, result)) {
      continue;
    }
    storage.owned = false;
    placement(op.results[result]) = {storage.slot, true, true};
    return true;
  }
  return false;
}

bool Preparation::may_share(const ir::Op& op, std::size_t operand, std::size_t result) const {
  const ir::Value value = op.operands[operand];
  if (bytes(value) != bytes(op.results[result])) return false;
  const auto only_use = [&] { return lifetimes_.uses(op, lifetimes_.root(value)) == 1; };
  switch (rule(op.code).sharing) {
    case Sharing::elementwise:
      return true;
    case Sharing::accumulator:
      return operand == 2 && only_use();
    case Sharing::carried:
      return operand == 3 + result && only_use();
    default:
      return false;
  }
}

void Preparation::place_handed_on(const ir::Block& block, std::span<const Slot> handed_on) {
  const ir::Op& last = block.ops.back();
  if (last.code != ir::Opcode::continue_ && last.code != ir::Opcode::yield) return;
  for (std::size_t k = 0; k < handed_on.size(); ++k) {
    const ir::Value value = lifetimes_.root(last.operands[k]);
    const ir::Op* writer = lifetimes_.definition(value);
    if (!is_within(block, writer) || bytes(value) == 0 || lifetimes_.uses(last, value) != 1) {
      continue;
    }
    const auto result = std::ranges::find(writer->results, value) - writer->results.begin();
    if (still_read(block, handed_on[k], *writer, static_cast<std::size_t>(result))) continue;
    placement(value) = {handed_on[k], true, false};
  }
}

/// Whether an argument of the block lies at `slot` and is needed when `writer` gives its result.
bool Preparation::still_read(const ir::Block& block, Slot slot, const ir::Op& writer,
                             std::size_t result) {
  const auto lies_there = [&](ir::Value argument) {
    return bytes(argument) != 0 && placement(argument).slot == slot;
  };
  const auto argument = std::ranges::find_if(block.arguments, lies_there);
  if (argument == block.arguments.end()) return false;
  const ir::Op* last_use = lifetimes_.last_use(*argument);
  if (!last_use || last_use < &writer) return false;
  if (last_use > &writer) return true;
  for (std::size_t operand = 0; operand < writer.operands.size(); ++operand) {
    if (lifetimes_.root(writer.operands[operand]) == *argument &&
        may_share(writer, operand, result)) {
      return false;
    }
  }
  return true;
}

void Preparation::move(std::span<const ir::Value> sources, std::span<const Slot> destinations) {
  std::vector<Transfer> transfers;
  for (std::size_t k = 0; k < sources.size(); ++k) {
    const Transfer transfer{slot(sources[k]), destinations[k], bytes(sources[k])};
    if (transfer.bytes != 0 && transfer.from != transfer.to) transfers.push_back(transfer);
  }
  if (entangled(transfers)) {
    for (Transfer& transfer : transfers) {
      const Transfer aside{transfer.from, scratch(transfer.bytes), transfer.bytes};
      add([=](Frame& frame) { aside.run(frame); });
      transfer.from = aside.to;
    }
  }
  for (const Transfer& transfer : transfers) {
    add([=](Frame& frame) { transfer.run(frame); });
  }
}

}  // namespace tw::inline v0::interp
