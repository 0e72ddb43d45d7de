// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <tilewright/core/error.hpp>
#include <tilewright/core/fault_record.hpp>
#include <tilewright/ir/builder.hpp>
#include <tilewright/passes/lower_checks.hpp>
#include <tilewright/passes/obligations.hpp>

#include "passes/integer.hpp"
#include "passes/sites.hpp"

namespace tw::inline v0::passes {
namespace {

using ir::AttributeName;
using ir::MemoryOrdering;
using ir::MemoryScope;
using ir::Opcode;
using ir::OpDraft;
using ir::Value;

bool reports(const ir::Module& module, const ir::Op& op) {
  return op.code == Opcode::print || (op.code == Opcode::check && !is_silent(module, op));
}

bool any_reports(const ir::Kernel& kernel) {
  bool found = false;
  ir::walk(kernel.entry().body,
           [&](const ir::Op& op) { found = found || reports(kernel.module, op); });
  return found;
}

/// The entry's argument of this kind; no value when it has none.
Value argument_of(const ir::Kernel& kernel, ir::AbiKind kind) {
  const auto slot = std::ranges::find(kernel.abi, kind, &ir::AbiSlot::kind);
  if (slot == kernel.abi.end()) return {};
  return kernel.entry().body.arguments[static_cast<std::size_t>(slot - kernel.abi.begin())];
}

/// Writes the code that reports failed checks to the fault record.
class Reporter {
 public:
  Reporter(ir::Builder& builder, Value record, Value serial)
      : build_(builder), record_(record), serial_(serial) {}

  /// Appends what stands for a check.
  void append(const ir::Op& check) {
    build_.at(check.location);
    const Value failed = negated(flat(check.operands[0]));
    const bool scalar = build_.type(failed).tile().shape.empty();
    branch(scalar ? failed : reduced(Opcode::ori, failed, 0), [&] {
      count_fault();
      const auto [state, token] = claim();
      const Value first = build_.compare_int(ir::ComparisonPredicate::equal, state, i32(0),
                                             ir::Signedness::unsigned_);
      branch(first, [&] { fill(check, failed, token); });
    });
  }

 private:
  struct Claim {
    Value state;
    Value token;
  };
  Value i32(std::int64_t value) { return build_.integer(ElementKind::i32, value); }

  template <class Contents>
  void branch(Value condition, Contents&& contents) {
    ir::Block block;
    build_.enter(block);
    contents();
    OpDraft end(Opcode::yield);
    build_.append(end, {});
    build_.leave();
    OpDraft draft(Opcode::if_);
    draft.operand(condition).region(std::move(block));
    build_.append(draft, {});
  }

  /// A tile as a row of elements; scalars stay.
  Value flat(Value value) {
    const Shape& shape = build_.type(value).tile().shape;
    return shape.empty() ? value : build_.reshape(value, {product(shape)});
  }

  Value negated(Value condition) {
    const ir::Type type = build_.type(condition);
    const Value all = build_.constant(ElementKind::i1, 1, type.tile().shape);
    return build_.simple(Opcode::xori, type, {condition, all});
  }

  /// Combines a row of integers into one.
  Value reduced(Opcode code, Value row, std::uint64_t identity) {
    const ElementKind kind = build_.type(row).tile().kind();
    const ir::Type element = ir::tile_type(kind);
    ir::Function& function = build_.function();
    ir::Block body;
    body.arguments = {function.fresh(element), function.fresh(element)};
    build_.enter(body);
    OpDraft combine(code);
    combine.operand(body.arguments[0]).operand(body.arguments[1]);
    if (code == Opcode::mini) combine.set(AttributeName::signedness, ir::Signedness::signed_);
    OpDraft end(Opcode::yield);
    end.group({build_.append(combine, {element})});
    build_.append(end, {});
    build_.leave();
    OpDraft reduce(Opcode::reduce);
    reduce.group({row}).region(std::move(body));
    reduce.set(AttributeName::dim, ir::Attribute(std::int64_t{0}));
    reduce.set(AttributeName::identities, ir::Attribute(ir::ScalarArray{{kind, identity}}));
    return build_.append(reduce, {element});
  }

  Value field(std::size_t offset) {
    if (offset == 0) return record_;
    return build_.simple(Opcode::offset, build_.type(record_),
                         {record_, i32(static_cast<std::int64_t>(offset / sizeof(std::int32_t)))});
  }
  Value long_field(std::size_t offset) {
    const ir::Type type = ir::pointer_tile_type(ElementKind::i64);
    const Value base = build_.simple(Opcode::ptr_to_ptr, type, {record_});
    return build_.simple(Opcode::offset, type,
                         {base, i32(static_cast<std::int64_t>(offset / sizeof(std::int64_t)))});
  }

  void count_fault() {
    OpDraft draft(Opcode::atomic_rmw_tko);
    draft.operand(field(offsetof(FaultRecord, count))).operand(i32(1));
    draft.set(AttributeName::memory_ordering, MemoryOrdering::relaxed);
    draft.set(AttributeName::memory_scope, MemoryScope::sys);
    draft.set(AttributeName::mode, ir::AtomicMode::add);
    build_.append(draft, {ir::tile_type(ElementKind::i32), ir::token_type()});
  }

  Claim claim() {
    OpDraft draft(Opcode::atomic_cas_tko);
    const Value state = field(offsetof(FaultRecord, state));
    draft.operand(state).operand(i32(FaultRecord::empty)).operand(i32(FaultRecord::writing));
    draft.set(AttributeName::memory_ordering, MemoryOrdering::acq_rel);
    draft.set(AttributeName::memory_scope, MemoryScope::sys);
    const ir::Op& op = build_.append(
        draft.finish(build_.function(), {ir::tile_type(ElementKind::i32), ir::token_type()}));
    return {op.results[0], op.results[1]};
  }

  Value store(Value pointer, Value value, Value token, MemoryOrdering ordering) {
    OpDraft draft(Opcode::store_ptr_tko);
    draft.operand(pointer).operand(value).optional({}).optional(token);
    draft.set(AttributeName::memory_ordering, ordering);
    if (ordering != MemoryOrdering::weak) draft.set(AttributeName::memory_scope, MemoryScope::sys);
    return build_.append(draft, {ir::token_type()});
  }

  /// The truth values of a row that single out the first true one of `failed`.
  Value first_of(Value failed) {
    const Shape shape = build_.type(failed).tile().shape;
    const ir::Type lanes_type = ir::tile_type(ElementKind::i32, shape);
    OpDraft iota(Opcode::iota);
    const Value lanes = build_.append(iota, {lanes_type});
    const auto past = static_cast<std::uint64_t>(shape[0]);
    const Value beyond = build_.constant(ElementKind::i32, past, shape);
    const Value first = reduced(Opcode::mini, build_.select(failed, lanes, beyond), past);
    return build_.compare_int(ir::ComparisonPredicate::equal, lanes, build_.spread(first, shape),
                              ir::Signedness::signed_);
  }

  /// The element of `value` that `lane` singles out, as i64; a scalar is every element.
  Value picked(Value value, Value lane) {
    Value row = flat(value);
    if (!build_.type(row).tile().shape.empty()) {
      const ir::TileType type = build_.type(row).tile();
      const Value zero = build_.constant(type.kind(), 0, type.shape);
      row = reduced(Opcode::ori, build_.select(lane, row, zero), 0);
    }
    if (integer_width(build_.type(row)) == 64) return row;
    OpDraft widen(Opcode::exti);
    widen.operand(row).set(AttributeName::signedness, ir::Signedness::signed_);
    return build_.append(widen, {ir::tile_type(ElementKind::i64)});
  }

  void fill(const ir::Op& check, Value failed, Value token) {
    const bool scalar = build_.type(failed).tile().shape.empty();
    const Value lane = scalar ? Value{} : first_of(failed);
    std::vector<Value> done;
    // Pointers come after values in every compiler: the order of arguments is not fixed.
    const auto put = [&](std::size_t offset, Value value) {
      done.push_back(store(field(offset), value, token, MemoryOrdering::weak));
    };
    const auto put_long = [&](std::size_t offset, Value value) {
      done.push_back(store(long_field(offset), value, token, MemoryOrdering::weak));
    };
    put(offsetof(FaultRecord, serial), serial_);
    put(offsetof(FaultRecord, site), i32(check.integer(AttributeName::site)));
    put_long(offsetof(FaultRecord, index), picked(check.operands[1], lane));
    put_long(offsetof(FaultRecord, bound), picked(check.operands[2], lane));
    const auto ids = build_.block_ids();
    for (std::size_t axis = 0; axis < ids.size(); ++axis) {
      put(offsetof(FaultRecord, block) + axis * sizeof(std::uint32_t), ids[axis]);
    }
    OpDraft join(Opcode::join_tokens);
    join.group(done);
    const Value all = build_.append(join, {ir::token_type()});
    const Value written = i32(FaultRecord::written);
    store(field(offsetof(FaultRecord, state)), written, all, MemoryOrdering::release);
  }

  ir::Builder& build_;
  Value record_;
  Value serial_;
};

void lower(const ir::Module& module, ir::Block& block, ir::Builder& builder, Reporter& reporter) {
  std::vector<ir::Op> ops = std::exchange(block.ops, {});
  builder.enter(block);
  for (ir::Op& op : ops) {
    if (op.code == Opcode::check) {
      if (!is_silent(module, op)) reporter.append(op);
      continue;
    }
    for (ir::Block& region : op.regions) lower(module, region, builder, reporter);
    builder.append(std::move(op));
  }
  builder.leave();
}

void refuse_prints(const ir::Kernel& kernel) {
  std::vector<Diagnostic> diagnostics;
  ir::walk(kernel.entry().body, [&](const ir::Op& op) {
    if (op.code != Opcode::print) return;
    diagnostics.push_back(
        {"print is not available on GPUs: the assembler's own print writes to the standard output "
         "of the process; run the kernel on the CPU, or remove the print",
         kernel.module.locations[op.location],
         {}});
  });
  if (!diagnostics.empty()) throw CompilerError(std::move(diagnostics));
}

}  // namespace

ir::Kernel add_fault_parameters(ir::Kernel kernel) {
  if (argument_of(kernel, ir::AbiKind::fault_block) || !any_reports(kernel)) return kernel;
  ir::Function& entry = kernel.entry();
  const auto add = [&](ir::AbiKind kind, const ir::Type& type) {
    entry.body.arguments.push_back(entry.fresh(type));
    kernel.abi.push_back({.kind = kind, .element = ElementKind::i32});
  };
  add(ir::AbiKind::fault_block, ir::pointer_tile_type(ElementKind::i32));
  add(ir::AbiKind::serial, ir::tile_type(ElementKind::i32));
  return kernel;
}

ir::Kernel lower_checks(ir::Kernel kernel) {
  refuse_prints(kernel);
  if (!any_reports(kernel)) return keep_checks(std::move(kernel));
  const Value record = argument_of(kernel, ir::AbiKind::fault_block);
  const Value serial = argument_of(kernel, ir::AbiKind::serial);
  if (!record || !serial) {
    throw BugError("checks are lowered in a kernel without fault parameters", Location::current());
  }
  ir::Builder builder(kernel.entry());
  Reporter reporter(builder, record, serial);
  lower(kernel.module, kernel.entry().body, builder, reporter);
  return kernel;
}

}  // namespace tw::inline v0::passes
