// SPDX-License-Identifier: Apache-2.0
#include <exception>
#include <memory>

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

enum class Stage : std::uint8_t { made, open, closed };

/// What the user's object of a loop or branch says when it goes.
struct Farewell {
  const char* left_by_jump;
  const char* left_by_exception;
};

/// A loop: made, then open while its body is being traced.
class TracedLoop final : public Construct {
 public:
  static constexpr const char* name = "loop";

  TracedLoop(Trace& trace, Opcode code, std::vector<TileRef> bounds, Location where)
      : code_(code), bounds_(std::move(bounds)), where_(where), made_in_(trace.region()) {}

  [[nodiscard]] Stage stage() const { return stage_; }
  [[nodiscard]] Location where() const { return where_; }
  /// Whether an exception is leaving it.
  [[nodiscard]] bool is_unwinding() const { return std::uncaught_exceptions() > exceptions_; }

  /// Opens the body and makes every variable alive an argument of it. Gives the induction variable.
  TileRef enter(Trace& trace) {
    if (stage_ != Stage::made) trace.fail(walked_once, where_);
    trace.refuse_in_combiner("a loop", where_);
    if (!trace.is_open(made_in_)) {
      trace.fail(
          "this loop was made inside a loop or branch that has ended: make it where it is "
          "walked",
          where_);
    }
    region_ = trace.open_region(body_, RegionKind::loop, where_);
    stage_ = Stage::open;
    TileRef induction;
    if (code_ == Opcode::for_) induction = argument(trace, bounds_.front());
    for (const std::uint32_t variable : trace.variables()) {
      TileRef& tile = *trace.slots().tile(variable);
      const TileRef inside = argument(trace, tile);
      carried_.push_back({variable, tile, inside});
      tile = inside;
    }
    return induction;
  }

  void walk(Trace& trace) const {
    if (stage_ == Stage::closed) trace.error(walked_once, where_);
  }

  /// Ends the iteration by `code` where the condition holds.
  void end_if(Trace& trace, Opcode code, const TileRef& condition, Location where) {
    const ir::Value holds = trace.use(condition, where);
    if (stage_ != Stage::open || !trace.only_branches_inside(region_)) {
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
  void leave(Trace& trace) {
    if (stage_ != Stage::open) {
      trace.fail("a device loop is closed that is not open: walk it by a range-based for", where_);
    }
    const std::vector<ir::Value> next = values(trace);
    trace.close_region(region_);
    stage_ = Stage::closed;
    body_.ops.push_back(terminator(trace, Opcode::continue_, next, where_));
    std::vector<bool> changes = changing();
    prune(trace, changes);
    append(trace, changes);
  }

  /// Closes the body without appending anything, as when the loop is left by an exception.
  void abandon(Trace& trace) {
    if (stage_ == Stage::open) trace.abandon_region(region_);
    stage_ = Stage::closed;
    for (const Carried& carried : carried_) {
      if (TileRef* tile = trace.slots().tile(carried.variable)) *tile = carried.before;
    }
  }

 private:
  static constexpr const char* walked_once = "a device loop is walked once: make another one";

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
      decltype(end.operands) kept;
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
  std::uint32_t made_in_;  ///< the region that the bounds are of
  ir::Block body_;
  std::vector<Carried> carried_;
  std::uint32_t region_ = 0;
  Stage stage_ = Stage::made;
  int exceptions_ = std::uncaught_exceptions();
};

/// A branch, one of whose sides is being traced.
class TracedBranches final : public Construct {
 public:
  static constexpr const char* name = "branch";

  TracedBranches(Trace& trace, const TileRef& condition, Location where)
      : condition_(trace.use(condition, where)), where_(where) {
    trace.refuse_in_combiner("a branch", where_);
    for (const std::uint32_t variable : trace.variables()) {
      const TileRef& tile = *trace.slots().tile(variable);
      merged_.push_back({variable, tile, tile, tile});
    }
    region_ = trace.open_region(sides_[0], RegionKind::branch, where_);
  }

  [[nodiscard]] Stage stage() const { return side_ < 2 ? Stage::open : Stage::closed; }
  [[nodiscard]] int side() const { return side_; }
  [[nodiscard]] Location where() const { return where_; }
  /// Whether an exception is leaving it.
  [[nodiscard]] bool is_unwinding() const { return std::uncaught_exceptions() > exceptions_; }

  void advance(Trace& trace) {
    if (stage() != Stage::open) {
      trace.fail("a device branch is closed that is not open: spell it TW_IF", where_);
    }
    trace.close_region(region_);
    if (side_++ == 0) {
      begin_else(trace);
    } else {
      finish(trace);
    }
  }

  /// Closes the side without appending anything, as when the branch is left by an exception.
  void abandon(Trace& trace) {
    if (stage() == Stage::open) trace.abandon_region(region_);
    side_ = 2;
    for (const Merged& merged : merged_) {
      if (TileRef* tile = trace.slots().tile(merged.variable)) *tile = merged.before;
    }
  }

 private:
  void begin_else(Trace& trace) {
    for (Merged& merged : merged_) merged.after_then = leave_side(trace, merged);
    std::erase_if(merged_, [&](const Merged& merged) {
      return trace.slots().tile(merged.variable) == nullptr;
    });
    region_ = trace.open_region(sides_[1], RegionKind::branch, where_);
  }

  void finish(Trace& trace) {
    for (Merged& merged : merged_) merged.after_else = leave_side(trace, merged);
    std::erase_if(merged_, [](const Merged& merged) {
      return merged.after_then.value == merged.after_else.value;
    });
    append(trace);
  }

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
  std::uint32_t region_ = 0;
  int side_ = 0;
  int exceptions_ = std::uncaught_exceptions();
};

/// A new loop or branch, kept by the trace.
template <class C, class... A>
ControlRef keep(Location where, A&&... arguments) {
  Trace& trace = Trace::current(where);
  return {trace.keep(std::make_unique<C>(trace, std::forward<A>(arguments)..., where)),
          trace.number(), where};
}

/// What a handle names; fails when it belongs to another kernel.
template <class C>
C& kept(Trace& trace, const ControlRef& ref) {
  if (ref.trace != trace.number()) {
    trace.fail(fmt::format("this {} belongs to another kernel", C::name), ref.where);
  }
  return static_cast<C&>(trace.construct(ref.index));
}
TracedLoop& loop_of(Trace& trace, const ControlRef& ref) { return kept<TracedLoop>(trace, ref); }
TracedBranches& branches_of(Trace& trace, const ControlRef& ref) {
  return kept<TracedBranches>(trace, ref);
}

/// What the destructor of the user's object does: `break`, `return` or an exception may have left
/// it. In another kernel than its own it does nothing: its own complains of what is left open.
template <class C>
void drop(const ControlRef& ref, const Farewell& farewell) {
  Trace* trace = Trace::active();
  if (trace == nullptr || trace->number() != ref.trace) return;
  C& construct = kept<C>(*trace, ref);
  const bool was_open = construct.stage() == Stage::open;
  if (construct.stage() != Stage::closed) construct.abandon(*trace);
  if (!was_open) return;
  if (construct.is_unwinding()) {
    trace->left_by_exception(farewell.left_by_exception, construct.where());
  } else {
    trace->error(farewell.left_by_jump, construct.where());
  }
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

void walk_loop(const ControlRef& ref) {
  Trace& trace = Trace::current(ref.where);
  loop_of(trace, ref).walk(trace);
}

TileRef enter_loop(const ControlRef& ref) {
  Trace& trace = Trace::current(ref.where);
  return loop_of(trace, ref).enter(trace);
}

void leave_loop(const ControlRef& ref) {
  Trace& trace = Trace::current(ref.where);
  loop_of(trace, ref).leave(trace);
}

bool is_traced(const ControlRef& ref) {
  return loop_of(Trace::current(ref.where), ref).stage() == Stage::closed;
}

int side_of(const ControlRef& ref) { return branches_of(Trace::current(ref.where), ref).side(); }

void next_side(const ControlRef& ref) {
  Trace& trace = Trace::current(ref.where);
  branches_of(trace, ref).advance(trace);
}

}  // namespace detail

Range::Range(const Int& from, const Int& to, const Int& step, Location where)
    : loop_(detail::keep<detail::TracedLoop>(where, ir::Opcode::for_,
                                             detail::checked_bounds(from, to, step, where))) {}

Range::~Range() {
  detail::drop<detail::TracedLoop>(
      loop_, {"a device loop cannot be left by break or return: use loop() and break_if",
              "a device loop cannot be left by an exception"});
}

Loop::Loop(Location where)
    : loop_(detail::keep<detail::TracedLoop>(where, ir::Opcode::loop,
                                             std::vector<detail::TileRef>())) {}

Loop::~Loop() {
  detail::drop<detail::TracedLoop>(loop_,
                                   {"a device loop cannot be left by break or return: use break_if",
                                    "a device loop cannot be left by an exception"});
}

void Loop::break_if(const Bool& condition, Location where) {
  detail::Trace& trace = detail::Trace::current(where);
  detail::loop_of(trace, loop_).end_if(trace, ir::Opcode::break_, condition.ref(), where);
}

void Loop::continue_if(const Bool& condition, Location where) {
  detail::Trace& trace = detail::Trace::current(where);
  detail::loop_of(trace, loop_).end_if(trace, ir::Opcode::continue_, condition.ref(), where);
}

Branches::Branches(const Bool& condition, Location where)
    : branches_(detail::keep<detail::TracedBranches>(where, condition.ref())) {}

Branches::~Branches() {
  detail::drop<detail::TracedBranches>(
      branches_,
      {"a device branch cannot be left by break, continue or return: use break_if or continue_if "
       "of the loop",
       "a device branch cannot be left by an exception"});
}

}  // namespace tw::inline v0
