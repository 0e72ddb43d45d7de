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

  /// Opens the body and makes every variable alive an argument of it. Gives the induction variable.
  TileRef enter() {
    Trace& trace = Trace::current(where_);
    trace.open_region(body_, where_);
    open_ = true;
    TileRef induction;
    if (code_ == Opcode::for_) induction = argument(trace, bounds_.front());
    for (TileRef* variable : trace.slots().tiles()) {
      const TileRef inside = argument(trace, *variable);
      carried_.push_back({variable, *variable, inside});
      *variable = inside;
    }
    return induction;
  }

  /// Ends the iteration by `code` where the condition holds.
  void end_if(Opcode code, const TileRef& condition, Location where) {
    Trace& trace = Trace::current(where);
    const ir::Value holds = trace.use(condition, where);
    ir::Block then;
    then.ops.push_back(terminator(trace, code, values(), where));
    ir::OpDraft branch(Opcode::if_, trace.at(where).location());
    branch.operand(holds).region(std::move(then)).region({});
    trace.at(where).append(branch, {});
  }

  /// Closes the body and appends the loop. Every terminator is complete before unchanged variables
  /// are pruned: a variable may become another one that never changes.
  void leave() {
    Trace& trace = Trace::current(where_);
    body_.ops.push_back(terminator(trace, Opcode::continue_, values(), where_));
    abandon();
    std::vector<bool> changes = changing();
    prune(trace, changes);
    append(trace, changes);
  }

  /// Closes the body without appending anything, as when the loop is left by an exception.
  void abandon() {
    Trace::current(where_).close_region();
    open_ = false;
  }

 private:
  struct Carried {
    TileRef* variable;
    TileRef before;
    TileRef inside;
  };

  TileRef argument(Trace& trace, const TileRef& like) {
    const ir::Value value = trace.function().fresh(stored_type(like.dtype, like.shape));
    body_.arguments.push_back(value);
    return trace.make(value, like.dtype, like.shape, where_);
  }

  [[nodiscard]] std::vector<ir::Value> values() const {
    std::vector<ir::Value> values;
    for (const Carried& carried : carried_) values.push_back(ir::Value{carried.variable->value});
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
      types.push_back(stored_type(carried_[i].before.dtype, carried_[i].before.shape));
    }
    draft.group(starts).region(std::move(body_));
    const ir::Op& loop = builder.append(draft.finish(builder.function(), types));
    std::size_t next = 0;
    for (std::size_t i = 0; i < carried_.size(); ++i) {
      const Carried& carried = carried_[i];
      *carried.variable = changes[i] ? trace.make(loop.results[next++], carried.before.dtype,
                                                  carried.before.shape, where_)
                                     : carried.before;
    }
  }

  Opcode code_;
  std::vector<TileRef> bounds_;
  Location where_;
  ir::Block body_;
  std::vector<Carried> carried_;
  bool open_ = false;
};

/// A branch while one of its sides is being traced.
class OpenBranches {
 public:
  OpenBranches(const TileRef& condition, Location where)
      : condition_(Trace::current(where).use(condition, where)), where_(where) {
    Trace& trace = Trace::current(where_);
    for (TileRef* variable : trace.slots().tiles()) {
      variables_.push_back({variable, *variable, *variable});
    }
    trace.open_region(sides_[0], where_);
    open_ = true;
  }

  [[nodiscard]] bool is_open() const { return open_; }
  [[nodiscard]] Location where() const { return where_; }

  void begin_else() {
    Trace& trace = Trace::current(where_);
    trace.close_region();
    for (Variable& variable : variables_) {
      variable.after_then = *variable.tile;
      *variable.tile = variable.before;
    }
    trace.open_region(sides_[1], where_);
  }

  void finish() {
    Trace& trace = Trace::current(where_);
    abandon();
    std::vector<ir::Value> then_values;
    std::vector<ir::Value> else_values;
    std::vector<ir::Type> types;
    std::vector<Variable*> merged;
    for (Variable& variable : variables_) {
      if (variable.after_then.value == variable.tile->value) continue;
      then_values.push_back(ir::Value{variable.after_then.value});
      else_values.push_back(ir::Value{variable.tile->value});
      types.push_back(stored_type(variable.before.dtype, variable.before.shape));
      merged.push_back(&variable);
    }
    sides_[0].ops.push_back(terminator(trace, Opcode::yield, then_values, where_));
    if (!sides_[1].ops.empty() || !merged.empty()) {
      sides_[1].ops.push_back(terminator(trace, Opcode::yield, else_values, where_));
    }
    ir::Builder& builder = trace.at(where_);
    ir::OpDraft draft(Opcode::if_, builder.location());
    draft.operand(condition_).region(std::move(sides_[0])).region(std::move(sides_[1]));
    const ir::Op& branch = builder.append(draft.finish(builder.function(), types));
    for (std::size_t i = 0; i < merged.size(); ++i) {
      *merged[i]->tile =
          trace.make(branch.results[i], merged[i]->before.dtype, merged[i]->before.shape, where_);
    }
  }

  void abandon() {
    Trace::current(where_).close_region();
    open_ = false;
  }

 private:
  struct Variable {
    TileRef* tile;
    TileRef before;
    TileRef after_then;
  };

  ir::Value condition_;
  Location where_;
  ir::Block sides_[2];
  std::vector<Variable> variables_;
  bool open_ = false;
};

namespace {

/// What the destructor of an open region does: `break`, `return` or an exception left it.
template <class Region>
void close(Region* region, const char* complaint) {
  if (region->is_open() && Trace::active() != nullptr) {
    region->abandon();
    if (std::uncaught_exceptions() == 0) {
      Trace::active()->error(complaint, region->where());
    }
  }
  delete region;
}

/// Bounds of a loop whose step is proved or checked to be positive; a step that is not makes it
/// empty.
std::vector<TileRef> checked_bounds(const Int& from, const Int& to, const Int& step,
                                    Location where) {
  Trace& trace = Trace::current(where);
  const ir::Value value = trace.use(step.ref(), where);
  trace.use(from.ref(), where);
  trace.use(to.ref(), where);
  if (const std::optional<std::int64_t> known = trace.known_integer(value)) {
    if (*known > 0) return {from.ref(), to.ref(), step.ref()};
    trace.error(fmt::format("a device loop needs a positive step, not {}", *known), where);
    return {from.ref(), to.ref(), constant(1, DType::int32, where)};
  }
  const TileRef one = constant(1, DType::int32, where);
  const TileRef positive = compare(Compare::ge, step.ref(), one, where);
  trace.check_bounds({.kind = "step", .text = "a device loop needs a positive step"},
                     ir::Value{positive.value}, value, ir::Value{one.value}, where);
  return {from.ref(), detail::where(positive, to.ref(), from.ref(), where),
          detail::where(positive, step.ref(), one, where)};
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
