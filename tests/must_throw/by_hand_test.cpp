// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <optional>

#include "wrong_kernel.hpp"

/// Loops and branches that are walked by hand, and what is kept from inside them.
namespace tw::tests {
namespace {

void loops_closed_crosswise(Out<float, dyn> c) {
  Range outer = range(3);
  auto i = outer.begin();
  Var x = zeros<float>(dim<0>(c)) + as<float>(*i);
  next_line_is_wrong();
  Range inner = range(5);
  auto j = inner.begin();
  x = x + as<float>(*j);
  ++i;
  ++j;
  c.store(x);
}

void branch_closed_around_a_loop(Out<float, dyn> c, Int n) {
  c.store(zeros<float>(dim<0>(c)));
  Branches branches(n > 0, Location::current());
  auto side = branches.begin();
  next_line_is_wrong();
  Range steps = range(5);
  auto i = steps.begin();
  static_cast<void>(*i);
  ++side;
}

void loop_never_closed(Out<float, dyn> c) {
  c.store(zeros<float>(dim<0>(c)));
  static std::unique_ptr<Range> steps;
  next_line_is_wrong();
  steps.reset(new Range(range(3)));
  static_cast<void>(*steps->begin());
}

void branch_never_closed(Out<float, dyn> c, Int n) {
  c.store(zeros<float>(dim<0>(c)));
  static std::unique_ptr<Branches> branches;
  next_line_is_wrong();
  branches = std::make_unique<Branches>(n > 0, Location::current());
}

void iterator_read_twice(Out<float, dyn> c) {
  next_line_is_wrong();
  Range steps = range(3);
  auto i = steps.begin();
  auto x = as<float>(*i) + as<float>(*i);
  ++i;
  c.store(zeros<float>(dim<0>(c)) + x);
}

void places_read_twice(Outs<float, dyn> cs) {
  next_line_is_wrong();
  auto walk = places(cs);
  auto c = walk.begin();
  (*c).store(zeros<float>(dim<0>(cs)));
  (*c).store(zeros<float>(dim<0>(cs)));
}

void loop_advanced_unread(Out<float, dyn> c) {
  c.store(zeros<float>(dim<0>(c)));
  next_line_is_wrong();
  Range steps = range(3);
  ++steps.begin();
}

void loop_advanced_twice(Out<float, dyn> c) {
  c.store(zeros<float>(dim<0>(c)));
  next_line_is_wrong();
  Loop steps = loop();
  auto round = steps.begin();
  (*round).break_if(Int(1) > 0);
  ++round;
  ++round;
}

void branch_advanced_too_often(Out<float, dyn> c, Int n) {
  c.store(zeros<float>(dim<0>(c)));
  next_line_is_wrong();
  Branches branches(n > 0, Location::current());
  auto side = branches.begin();
  ++side;
  ++side;
  ++side;
}

void iterator_outliving_its_loop(Out<float, dyn> c) {
  c.store(zeros<float>(dim<0>(c)));
  next_line_is_wrong();
  std::unique_ptr<Range> steps(new Range(range(3)));
  auto i = steps->begin();
  steps.reset();
  static_cast<void>(*i);
}

void places_outliving_their_walk(Outs<float, dyn> cs) {
  using Walk = Places<Out<float, dyn>>;
  next_line_is_wrong();
  std::unique_ptr<Walk> walk(new Walk(places(cs)));
  auto c = walk->begin();
  walk.reset();
  (*c).store(zeros<float>(dim<0>(cs)));
}

void loop_closed_in_a_combiner(Out<float, 1> c, In1<float> a) {
  Range steps = range(3);
  auto i = steps.begin();
  static_cast<void>(*i);
  const auto closing = [&](Float sum, Float x) {
    ++i;
    return sum + x;
  };
  next_line_is_wrong();
  auto total = reduce<0>(a.tiles<8>()(0), 0.f, closing);
  c.store(total);
}

void loop_left_by_an_exception(Out<float, dyn> c) {
  Var x = zeros<float>(dim<0>(c));
  try {
    next_line_is_wrong();
    for (Int i : range(4)) {
      x = x + as<float>(i);
      throw 1;
    }
  } catch (int) {
  }
  c.store(x);
}

void branch_left_by_an_exception(Out<float, dyn> c, Int n) {
  Var x = zeros<float>(dim<0>(c));
  try {
    next_line_is_wrong();
    TW_IF(n > 1) {
      x = x + 1.f;
      throw 1;
    }
  } catch (int) {
  }
  c.store(x);
}

void view_escaping_a_loop(Out<float, dyn> c, In1<float> a) {
  std::optional<In1<float>> kept;
  for (Int i : range(4)) kept.emplace(slice<0>(a, i, 8));
  next_line_is_wrong();
  c.store(kept->load_like(c));
}

void tiling_escaping_a_branch(Out<float, dyn> c, In2<float> a, Int n) {
  std::optional<Tiles<float, dyn>> kept;
  TW_IF(n > 0) { kept.emplace(select<0>(a, n).tiles(dim<0>(c))); }
  next_line_is_wrong();
  auto x = (*kept)(0);
  c.store(x);
}

void place_escaping_its_walk(Outs<float, dyn> cs) {
  std::optional<Out<float, dyn>> kept;
  for (auto c : places(cs)) kept.emplace(c);
  next_line_is_wrong();
  kept->store(zeros<float>(8));
}

void bounds_escaping_a_loop(Out<float, dyn> c) {
  c.store(zeros<float>(dim<0>(c)));
  std::unique_ptr<Range> kept;
  for (Int i : range(4)) {
    next_line_is_wrong();
    kept.reset(new Range(range(i)));
  }
  for (Int j : *kept) static_cast<void>(j);
}

/// A variable of a loop that has ended is no variable of the next one.
void variable_escaping_a_loop(Out<float, dyn> c) {
  std::optional<Var<Int>> kept;
  for (Int i : range(4)) {
    next_line_is_noted();
    kept.emplace(i + 1);
  }
  next_line_is_wrong();
  c.store(zeros<float>(dim<0>(c)) + as<float>(*kept));
}

constexpr const char* still_open = "is still open where the one around it ends";
constexpr const char* never_closed = "this loop or branch is never closed";
constexpr const char* walked_once = "a device loop is walked once";
constexpr const char* closed_unopened = "a device loop is closed that is not open";
constexpr const char* escaped = "was made inside a loop or branch that has ended";

const WrongKernel by_hand[] = {
    wrong<&loops_closed_crosswise>("LoopsClosedCrosswise", {{cut(8)}}, {still_open}),
    wrong<&branch_closed_around_a_loop>("BranchClosedAroundALoop", {{cut(8)}}, {still_open}),
    wrong<&loop_never_closed>("LoopNeverClosed", {{cut(8)}}, {never_closed}),
    wrong<&branch_never_closed>("BranchNeverClosed", {{cut(8)}}, {never_closed}),
    wrong<&iterator_read_twice>("IteratorReadTwice", {{cut(8)}}, {walked_once}),
    wrong<&places_read_twice>("PlacesReadTwice", {{cut(8)}}, {walked_once}),
    wrong<&loop_advanced_unread>("LoopAdvancedUnread", {{cut(8)}}, {closed_unopened}),
    wrong<&loop_advanced_twice>("LoopAdvancedTwice", {{cut(8)}}, {closed_unopened}),
    wrong<&branch_advanced_too_often>("BranchAdvancedTooOften", {{cut(8)}},
                                      {"a device branch is closed that is not open"}),
    wrong<&iterator_outliving_its_loop>("IteratorOutlivingItsLoop", {{cut(8)}}, {walked_once}),
    wrong<&places_outliving_their_walk>("PlacesOutlivingTheirWalk", {{cut(8)}}, {walked_once}),
    wrong<&loop_closed_in_a_combiner>("LoopClosedInACombiner", {{cut(1)}},
                                      {"the end of a loop or branch cannot be part of it"}),
    wrong<&loop_left_by_an_exception>("LoopLeftByAnException", {{cut(8)}},
                                      {"a device loop cannot be left by an exception"}),
    wrong<&branch_left_by_an_exception>("BranchLeftByAnException", {{cut(8)}},
                                        {"a device branch cannot be left by an exception"}),
    wrong<&view_escaping_a_loop>("ViewEscapingALoop", {{cut(8)}}, {escaped}),
    wrong<&tiling_escaping_a_branch>("TilingEscapingABranch", {{cut(8)}}, {escaped}),
    wrong<&place_escaping_its_walk>("PlaceEscapingItsWalk", {{cut(8)}}, {escaped}),
    wrong<&bounds_escaping_a_loop>("BoundsEscapingALoop", {{cut(8)}}, {escaped}),
    wrong<&variable_escaping_a_loop>("VariableEscapingALoop", {{cut(8)}}, {escaped}),
};

INSTANTIATE_TEST_SUITE_P(ByHand, MustThrow, testing::ValuesIn(by_hand),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace tw::tests
