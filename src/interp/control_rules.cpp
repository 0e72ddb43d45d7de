// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "interp/integers.hpp"
#include "interp/preparation.hpp"
#include "interp/rules.hpp"

namespace tw::inline v0::interp {
namespace {

using ir::AttributeName;

/// Redirects one kind of exit while a region is prepared.
class ExitScope {
 public:
  ExitScope(std::vector<Slot>& exit, std::vector<Slot> slots)
      : exit_(exit), outer_(std::exchange(exit, std::move(slots))) {}
  ~ExitScope() { exit_ = std::move(outer_); }
  ExitScope(const ExitScope&) = delete;
  ExitScope& operator=(const ExitScope&) = delete;

 private:
  std::vector<Slot>& exit_;
  std::vector<Slot> outer_;
};

/// How often a loop from `first` to before `last` runs; never if `step` is not positive.
template <class I, bool Signed>
std::uint64_t trip_count(typename I::Storage first, typename I::Storage last,
                         typename I::Storage step) {
  const bool empty = Signed ? I::to_signed(first) >= I::to_signed(last) : first >= last;
  if (empty || step == 0 || (Signed && I::to_signed(step) < 0)) return 0;
  const std::uint64_t distance = I::wrap(static_cast<typename I::Work>(last) - first);
  return (distance - 1) / step + 1;
}

struct ForSlots {
  Slot first;
  Slot last;
  Slot step;
  Slot index;
};

template <class I, bool Signed>
void add_for(Preparation& preparation, const ForSlots& slots, Steps body) {
  preparation.add([slots, body = std::move(body)](Frame& frame) {
    using S = typename I::Storage;
    const S step = *frame.at<const S>(slots.step);
    S index = *frame.at<const S>(slots.first);
    std::uint64_t trips = trip_count<I, Signed>(index, *frame.at<const S>(slots.last), step);
    for (; trips > 0; --trips) {
      *frame.at<S>(slots.index) = index;
      if (run(body, frame) == Flow::return_) return Flow::return_;
      index = I::wrap(static_cast<typename I::Work>(index) + step);
    }
    return Flow::next;
  });
}

/// The results of a `for` are its carried values: one place serves both.
void counted_loop(Preparation& preparation, const ir::Op& op) {
  const ir::Block& body = op.regions[0];
  const std::vector<Slot> carried = preparation.slots(op.results);
  preparation.move(op.group(3), carried);
  const ForSlots slots{preparation.slot(op.operands[0]), preparation.slot(op.operands[1]),
                       preparation.slot(op.operands[2]),
                       preparation.scratch(preparation.bytes(op.operands[0]))};
  preparation.place(body.arguments[0], slots.index);
  for (std::size_t k = 0; k < carried.size(); ++k) {
    preparation.place(body.arguments[k + 1], carried[k]);
  }
  const ExitScope continued(preparation.exits().continued, carried);
  Steps steps = preparation.steps_of(body, carried);
  const bool is_unsigned = op.integer(AttributeName::unsigned_comparison) != 0;
  with_integer(preparation.tile(op.operands[0]).kind(), [&]<class I>() {
    if (is_unsigned) {
      add_for<I, false>(preparation, slots, std::move(steps));
    } else {
      add_for<I, true>(preparation, slots, std::move(steps));
    }
  });
}

void endless_loop(Preparation& preparation, const ir::Op& op) {
  const ir::Block& body = op.regions[0];
  std::vector<Slot> carried;
  for (const ir::Value argument : body.arguments) {
    const std::size_t bytes = preparation.bytes(argument);
    carried.push_back(bytes == 0 ? Slot{} : preparation.scratch(bytes));
    preparation.place(argument, carried.back());
  }
  preparation.move(op.operands, carried);
  const ExitScope continued(preparation.exits().continued, carried);
  const ExitScope broken(preparation.exits().broken, preparation.slots(op.results));
  preparation.add([body = preparation.steps_of(body, carried)](Frame& frame) {
    for (;;) {
      const Flow flow = run(body, frame);
      if (flow == Flow::break_) return Flow::next;
      if (flow == Flow::return_) return Flow::return_;
    }
  });
}

/// Leaves through a branch what `break`, `continue` or `return` say; a `yield` goes on behind it.
void branch(Preparation& preparation, const ir::Op& op) {
  const std::vector<Slot> results = preparation.slots(op.results);
  const ExitScope yielded(preparation.exits().yielded, results);
  const Slot condition = preparation.slot(op.operands[0]);
  const ir::Block& otherwise = op.regions[1];
  preparation.add(
      [=, taken = preparation.steps_of(op.regions[0], results),
       other = otherwise.ops.empty() ? Steps{} : preparation.steps_of(otherwise, results)](
          Frame& frame) { return run(*frame.at<const bool>(condition) ? taken : other, frame); });
}

void leave(Preparation& preparation, Flow flow) {
  preparation.add([flow](Frame&) { return flow; });
}

void break_out(Preparation& preparation, const ir::Op& op) {
  preparation.move(op.operands, preparation.exits().broken);
  leave(preparation, Flow::break_);
}

void continue_with(Preparation& preparation, const ir::Op& op) {
  preparation.move(op.operands, preparation.exits().continued);
  leave(preparation, Flow::continue_);
}

void return_from(Preparation& preparation, const ir::Op&) { leave(preparation, Flow::return_); }

void yield_values(Preparation& preparation, const ir::Op& op) {
  preparation.move(op.operands, preparation.exits().yielded);
}

using enum ir::Opcode;

constexpr std::array rules{
    OpRule{break_, break_out},
    OpRule{continue_, continue_with},
    OpRule{for_, counted_loop, Sharing::carried},
    OpRule{if_, branch},
    OpRule{loop, endless_loop},
    OpRule{return_, return_from},
    OpRule{yield, yield_values},
};

}  // namespace

std::span<const OpRule> control_rules() { return rules; }

}  // namespace tw::inline v0::interp
