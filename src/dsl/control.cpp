// SPDX-License-Identifier: Apache-2.0
#include <exception>

#include <fmt/format.h>

#include <tilewright/dsl/control.hpp>

#include "dsl/trace.hpp"

namespace tw::inline v0 {
namespace detail {
namespace {

using ir::Opcode;

/// Replaces values throughout a block; `to[v]` is the replacement of value v, if it has one.
void replace(ir::Block& block, const std::vector<ir::Value>& to) {
  ir::walk(block, [&](ir::Op& op) {
    for (ir::Value& operand : op.operands) {
      if (operand.index < to.size() && to[operand.index]) operand = to[operand.index];
    }
  });
}

/// Calls `visit` for the ops that end an iteration of this loop early, not of a loop inside it.
template <class Visit>
void early_ends(ir::Block& block, Visit&& visit) {
  for (ir::Op& op : block.ops) {
    if (op.code == Opcode::break_ || op.code == Opcode::continue_) visit(op);
    if (op.code != Opcode::if_) continue;
    for (ir::Block& side : op.regions) early_ends(side, visit);
  }
}

/// The tile of a variable that a loop or branch carries; it must outlive the body.
TileRef* living_variable(Trace& trace, std::uint32_t variable, Location where) {
  TileRef* tile = trace.slots().tile(variable);
  if (tile == nullptr) {
    trace.error("a variable from outside this loop or branch was destroyed inside it", where);
  }
  return tile;
}

/// Not only numbers: addresses and tokens are carried, too.
ir::Type type_of(Trace& trace, const TileRef& variable) {
  return trace.function().type(ir::Value{variable.value});
}

ir::Op terminator(Trace& trace, Opcode code, std::span<const ir::Value> values, Location where) {
  ir::OpDraft draft(code, trace.at(where).location());
  draft.group(values);
  return draft.finish(trace.function(), {});
}

}  // namespace

/// A loop while its body is being traced.
class OpenLoop {
 public:
  OpenLoop(Opcode code, std::vector<TileRef> bounds, Location where)
      : code_(code), bounds_(std::move(bounds)), where_(where) {}

  [[nodiscard]] bool is_open() const { return open_; }
  [[nodiscard]] Location where() const { return where_; }
  /// Whether an exception is leaving it.
  [[nodiscard]] bool is_unwinding() const { return std::uncaught_exceptions() > exceptions_; }

  /// Opens the body and makes every variable alive an argument of it. Gives the induction variable.
  TileRef enter() {
    Trace& trace = Trace::current(where_);
    trace.refuse_in_combiner("a loop", where_);
    region_ = trace.open_region(body_, RegionKind::loop);
    open_ = true;
    TileRef induction;
    if (code_ == Opcode::for_) induction = argument(trace, bounds_.front());
    for (const std::uint32_t variable : trace.slots().alive()) {
      TileRef& tile = *trace.slots().tile(variable);
      const TileRef inside = argument(trace, tile);
      carried_.push_back({variable, tile, inside});
      tile = inside;
    }
    return induction;
  }

  void refuse_second_walk() const {
    Trace::current(where_).error("a device loop is walked once: make another one", where_);
  }

  /// Ends the iteration by `code` where the condition holds.
  void end_if(Opcode code, const TileRef& condition, Location where) {
    Trace& trace = Trace::current(where);
    const ir::Value holds = trace.use(condition, where);
    if (!open_ || !trace.only_branches_inside(region_)) {
      trace.error("only the innermost loop can be ended here", where, {{"not this one", where_}});
      return;
    }
    ir::Block then;
    then.ops.push_back(terminator(trace, code, values(trace), where));
    ir::OpDraft branch(Opcode::if_, trace.at(where).location());
    branch.operand(holds).region(std::move(then)).region({});
    trace.at(where).append(branch, {});
  }

  /// Closes the body and appends the loop. Every terminator is complete before unchanged variables
  /// are pruned: a variable may become another one that never changes.
  void leave() {
    Trace& trace = Trace::current(where_);
    body_.ops.push_back(terminator(trace, Opcode::continue_, values(trace), where_));
    trace.close_region();
    open_ = false;
    std::vector<bool> changes = changing();
    prune(trace, changes);
    append(trace, changes);
  }

  /// Closes the body without appending anything, as when the loop is left by an exception.
  void abandon() {
    Trace& trace = Trace::current(where_);
    trace.close_region();
    open_ = false;
    for (const Carried& carried : carried_) {
      if (TileRef* tile = trace.slots().tile(carried.variable)) *tile = carried.before;
    }
  }

 private:
  struct Carried {
    std::uint32_t variable;
    TileRef before;
    TileRef inside;
  };

  TileRef argument(Trace& trace, const TileRef& like) {
    const ir::Value value = trace.function().fresh(type_of(trace, like));
    body_.arguments.push_back(value);
    return trace.make(value, like.dtype, like.shape, where_);
  }

  [[nodiscard]] std::vector<ir::Value> values(Trace& trace) const {
    std::vector<ir::Value> values;
    for (const Carried& carried : carried_) {
      const TileRef* tile = living_variable(trace, carried.variable, where_);
      values.push_back(ir::Value{tile != nullptr ? tile->value : carried.inside.value});
    }
    return values;
  }

  std::vector<bool> changing() {
    std::vector<bool> changes(carried_.size(), false);
    early_ends(body_, [&](ir::Op& end) {
      for (std::size_t i = 0; i < carried_.size(); ++i) {
        if (end.operands[i].index != carried_[i].inside.value) changes[i] = true;
      }
    });
    return changes;
  }

  void prune(Trace& trace, const std::vector<bool>& changes) {
    early_ends(body_, [&](ir::Op& end) {
      std::vector<ir::Value> kept;
      for (std::size_t i = 0; i < changes.size(); ++i) {
        if (changes[i]) kept.push_back(end.operands[i]);
      }
      end.group_sizes[0] = static_cast<std::uint16_t>(kept.size());
      end.operands = std::move(kept);
    });
    std::vector<ir::Value> outside(trace.function().types.size());
    const std::size_t first = code_ == Opcode::for_ ? 1 : 0;
    std::vector<ir::Value> arguments(body_.arguments.begin(),
                                     body_.arguments.begin() + static_cast<std::ptrdiff_t>(first));
    for (std::size_t i = 0; i < carried_.size(); ++i) {
      if (changes[i]) {
        arguments.push_back(ir::Value{carried_[i].inside.value});
      } else {
        outside[carried_[i].inside.value] = ir::Value{carried_[i].before.value};
      }
    }
    body_.arguments = std::move(arguments);
    replace(body_, outside);
  }

  void append(Trace& trace, const std::vector<bool>& changes) {
    ir::Builder& builder = trace.at(where_);
    ir::OpDraft draft(code_, builder.location());
    for (const TileRef& bound : bounds_) draft.operand(ir::Value{bound.value});
    std::vector<ir::Value> starts;
    std::vector<ir::Type> types;
    for (std::size_t i = 0; i < carried_.size(); ++i) {
      if (!changes[i]) continue;
      starts.push_back(ir::Value{carried_[i].before.value});
      types.push_back(type_of(trace, carried_[i].before));
    }
    draft.group(starts).region(std::move(body_));
    const ir::Op& loop = builder.append(draft.finish(builder.function(), types));
    std::size_t next = 0;
    for (std::size_t i = 0; i < carried_.size(); ++i) {
      const TileRef& before = carried_[i].before;
      const TileRef after =
          changes[i] ? trace.make(loop.results[next++], before.dtype, before.shape, where_)
                     : before;
      if (TileRef* tile = trace.slots().tile(carried_[i].variable)) *tile = after;
    }
  }

  Opcode code_;
  std::vector<TileRef> bounds_;
  Location where_;
  ir::Block body_;
  std::vector<Carried> carried_;
  std::uint32_t region_ = 0;
  bool open_ = false;
  int exceptions_ = std::uncaught_exceptions();
};

/// A branch while one of its sides is being traced.
class OpenBranches {
 public:
  OpenBranches(const TileRef& condition, Location where)
      : condition_(Trace::current(where).use(condition, where)), where_(where) {
    Trace& trace = Trace::current(where_);
    trace.refuse_in_combiner("a branch", where_);
    for (const std::uint32_t variable : trace.slots().alive()) {
      const TileRef& tile = *trace.slots().tile(variable);
      merged_.push_back({variable, tile, tile, tile});
    }
    trace.open_region(sides_[0], RegionKind::branch);
    open_ = true;
  }

  [[nodiscard]] bool is_open() const { return open_; }
  [[nodiscard]] Location where() const { return where_; }
  /// Whether an exception is leaving it.
  [[nodiscard]] bool is_unwinding() const { return std::uncaught_exceptions() > exceptions_; }

  void begin_else() {
    Trace& trace = Trace::current(where_);
    trace.close_region();
    for (Merged& merged : merged_) merged.after_then = leave_side(trace, merged);
    std::erase_if(merged_, [&](const Merged& merged) {
      return trace.slots().tile(merged.variable) == nullptr;
    });
    trace.open_region(sides_[1], RegionKind::branch);
  }

  void finish() {
    Trace& trace = Trace::current(where_);
    trace.close_region();
    open_ = false;
    for (Merged& merged : merged_) merged.after_else = leave_side(trace, merged);
    std::erase_if(merged_, [](const Merged& merged) {
      return merged.after_then.value == merged.after_else.value;
    });
    append(trace);
  }

  /// Closes the side without appending anything, as when the branch is left by an exception.
  void abandon() {
    Trace& trace = Trace::current(where_);
    trace.close_region();
    open_ = false;
    for (const Merged& merged : merged_) {
      if (TileRef* tile = trace.slots().tile(merged.variable)) *tile = merged.before;
    }
  }

 private:
  struct Merged {
    std::uint32_t variable;
    TileRef before;
    TileRef after_then;
    TileRef after_else;
  };

  /// What a variable names at the end of a side; it then names again what it did before.
  TileRef leave_side(Trace& trace, const Merged& merged) {
    TileRef* tile = living_variable(trace, merged.variable, where_);
    return tile != nullptr ? std::exchange(*tile, merged.before) : merged.before;
  }

  void append(Trace& trace) {
    std::vector<ir::Value> then_values;
    std::vector<ir::Value> else_values;
    std::vector<ir::Type> types;
    for (const Merged& merged : merged_) {
      then_values.push_back(ir::Value{merged.after_then.value});
      else_values.push_back(ir::Value{merged.after_else.value});
      types.push_back(type_of(trace, merged.before));
    }
    sides_[0].ops.push_back(terminator(trace, Opcode::yield, then_values, where_));
    if (!sides_[1].ops.empty() || !merged_.empty()) {
      sides_[1].ops.push_back(terminator(trace, Opcode::yield, else_values, where_));
    }
    ir::Builder& builder = trace.at(where_);
    ir::OpDraft draft(Opcode::if_, builder.location());
    draft.operand(condition_).region(std::move(sides_[0])).region(std::move(sides_[1]));
    const ir::Op& branch = builder.append(draft.finish(builder.function(), types));
    for (std::size_t i = 0; i < merged_.size(); ++i) {
      const TileRef& before = merged_[i].before;
      if (TileRef* tile = trace.slots().tile(merged_[i].variable)) {
        *tile = trace.make(branch.results[i], before.dtype, before.shape, where_);
      }
    }
  }

  ir::Value condition_;
  Location where_;
  ir::Block sides_[2];
  std::vector<Merged> merged_;
  bool open_ = false;
  int exceptions_ = std::uncaught_exceptions();
};

namespace {

/// What the destructor of an open region does: `break`, `return` or an exception left it.
template <class Region>
void close(Region* region, const char* complaint) {
  if (region->is_open() && Trace::active() != nullptr) {
    region->abandon();
    if (!region->is_unwinding()) Trace::active()->error(complaint, region->where());
  }
  delete region;
}

/// Bounds of a loop whose step is proved or checked to be positive; a step that is not makes it
/// empty.
std::vector<TileRef> checked_bounds(const Int& from, const Int& to, const Int& step,
                                    Location where) {
  Trace& trace = Trace::current(where);
  const TileRef first = trace.usable(from.ref(), where);
  const TileRef last = trace.usable(to.ref(), where);
  const TileRef stride = trace.usable(step.ref(), where);
  const ir::Value value{stride.value};
  if (const std::optional<std::int64_t> known = trace.known_integer(value)) {
    if (*known > 0) return {first, last, stride};
    trace.error(fmt::format("a device loop needs a positive step, not {}", *known), where);
    return {first, last, constant(1, DType::int32, where)};
  }
  const TileRef one = constant(1, DType::int32, where);
  const TileRef positive = compare(Compare::ge, stride, one, where);
  trace.check_bounds({.kind = "step", .text = "a device loop needs a positive step"},
                     ir::Value{positive.value}, value, ir::Value{one.value}, where);
  return {first, detail::where(positive, last, first, where),
          detail::where(positive, stride, one, where)};
}

}  // namespace
}  // namespace detail

Range::Range(const Int& from, const Int& to, const Int& step, Location where)
    : loop_(new detail::OpenLoop(ir::Opcode::for_, detail::checked_bounds(from, to, step, where),
                                 where)) {}

Range::~Range() {
  detail::close(loop_, "a device loop cannot be left by break or return: use loop() and break_if");
}

detail::TileRef Range::open() { return loop_->enter(); }

Range::Iterator Range::begin() {
  if (traced_) loop_->refuse_second_walk();
  return Iterator(*this);
}

void Range::close() {
  loop_->leave();
  traced_ = true;
}

Loop::Loop(Location where) : loop_(new detail::OpenLoop(ir::Opcode::loop, {}, where)) {}

Loop::~Loop() {
  detail::close(loop_, "a device loop cannot be left by break or return: use break_if");
}

void Loop::break_if(const Bool& condition, Location where) {
  loop_->end_if(ir::Opcode::break_, condition.ref(), where);
}

void Loop::continue_if(const Bool& condition, Location where) {
  loop_->end_if(ir::Opcode::continue_, condition.ref(), where);
}

void Loop::open() { loop_->enter(); }

Loop::Iterator Loop::begin() {
  if (traced_) loop_->refuse_second_walk();
  return Iterator(*this);
}

void Loop::close() {
  loop_->leave();
  traced_ = true;
}

Branches::Branches(const Bool& condition, Location where)
    : branches_(new detail::OpenBranches(condition.ref(), where)) {}

Branches::~Branches() {
  detail::close(branches_,
                "a device branch cannot be left by break, continue or return: use break_if or "
                "continue_if of the loop");
}

void Branches::advance() {
  if (side_++ == 0) {
    branches_->begin_else();
  } else {
    branches_->finish();
  }
}

}  // namespace tw::inline v0
