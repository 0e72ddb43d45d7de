// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include "wrong_kernel.hpp"

namespace tw::tests {
namespace {

void negative_step(Out<float, dyn> c, int step) {
  Var x = zeros<float>(dim<0>(c));
  next_line_is_wrong();
  for (Int i : range(0, 8, step)) x = x + as<float>(i);
  c.store(x);
}

void zero_step(Out<float, dyn> c, int step) {
  Var x = zeros<float>(dim<0>(c));
  next_line_is_wrong();
  for (Int i : range(0, 8, step)) x = x + as<float>(i);
  c.store(x);
}

void loop_left_by_break(Out<float, dyn> c) {
  Var x = zeros<float>(dim<0>(c));
  next_line_is_wrong();
  for (Int i : range(8)) {
    x = x + as<float>(i);
    break;
  }
  c.store(x);
}

void loop_left_by_return(Out<float, dyn> c, bool early) {
  Var x = zeros<float>(dim<0>(c));
  next_line_is_wrong();
  for (Int i : range(8)) {
    x = x + as<float>(i);
    if (early) return;
  }
  c.store(x);
}

void open_loop_left_by_break(Out<float, dyn> c) {
  Var x = zeros<float>(dim<0>(c));
  next_line_is_wrong();
  for (auto& l : loop()) {
    l.break_if(item(sum<0>(x)) > 1.f);
    x = x + 1.f;
    break;
  }
  c.store(x);
}

void open_loop_left_by_return(Out<float, dyn> c, bool early) {
  Var n = Int(0);
  next_line_is_wrong();
  for (auto& l : loop()) {
    l.break_if(n > 4);
    n = n + 1;
    if (early) return;
  }
  c.store(zeros<float>(dim<0>(c)) + as<float>(n));
}

void places_left_by_break(Outs<float, dyn> cs) {
  next_line_is_wrong();
  for (auto c : places(cs)) {
    c.store(zeros<float>(dim<0>(c)));
    break;
  }
}

void branch_left_by_break(Out<float, dyn> c, Int n) {
  Var x = zeros<float>(dim<0>(c));
  for (Int i : range(8)) {
    next_line_is_wrong();
    TW_IF(i > n) { break; }
    x = x + 1.f;
  }
  c.store(x);
}

void branch_left_by_return(Out<float, dyn> c, Int n) {
  next_line_is_wrong();
  TW_IF(n > 4) { return; }
  c.store(zeros<float>(dim<0>(c)));
}

void other_side_left_by_return(Out<float, dyn> c, Int n) {
  Var x = zeros<float>(dim<0>(c));
  next_line_is_wrong();
  TW_IF(n > 4) { x = x + 1.f; }
  else {
    return;
  }
  c.store(x);
}

void outer_loop_ended_inside(Out<float, dyn> c, Int n) {
  Var x = zeros<float>(dim<0>(c));
  next_line_is_noted();
  for (auto& outer : loop()) {
    outer.break_if(n > 4);
    for (Int i : range(8)) {
      x = x + as<float>(i);
      next_line_is_wrong();
      outer.break_if(i > n);
    }
  }
  c.store(x);
}

void outer_loop_continued_inside(Out<float, dyn> c, Int n) {
  Var x = zeros<float>(dim<0>(c));
  next_line_is_noted();
  for (auto& outer : loop()) {
    outer.break_if(n > 4);
    for (auto& inner : loop()) {
      inner.break_if(n > 3);
      next_line_is_wrong();
      TW_IF(n > 2) outer.continue_if(n > 1);
      x = x + 1.f;
    }
  }
  c.store(x);
}

void range_walked_twice(Out<float, dyn> c) {
  Var x = zeros<float>(dim<0>(c));
  next_line_is_wrong();
  auto steps = range(8);
  for (Int i : steps) x = x + as<float>(i);
  for (Int i : steps) x = x - as<float>(i);
  c.store(x);
}

void tile_escaping_a_loop(Out<float, dyn> c, In1<float> a) {
  std::optional<Tile<float, dyn>> kept;
  for (Int i : range(4)) {
    next_line_is_noted();
    kept.emplace(a.tiles(dim<0>(c))(i));
  }
  next_line_is_wrong();
  c.store(*kept);
}

void tile_escaping_a_branch(Out<float, dyn> c, In1<float> a, Int n) {
  std::optional<Tile<float, dyn>> kept;
  TW_IF(n > 4) {
    next_line_is_noted();
    kept.emplace(a.load_like(c) + 1.f);
  }
  Var x = zeros<float>(dim<0>(c));
  next_line_is_wrong();
  x = *kept;
  c.store(x);
}

void tile_escaping_to_the_other_side(Out<float, dyn> c, In1<float> a, Int n) {
  std::optional<Tile<float, dyn>> kept;
  Var x = zeros<float>(dim<0>(c));
  TW_IF(n > 4) {
    next_line_is_noted();
    kept.emplace(a.load_like(c));
  }
  else {
    next_line_is_wrong();
    x = x + *kept;
  }
  c.store(x);
}

void variable_changing_shape(Out<float, dyn, dyn> c, In2<float> a) {
  Var x = a.tiles(4, 4)(0, 0);
  for (Int i : range(4)) {
    next_line_is_wrong();
    x = a.tiles(4, 8)(0, i);
  }
  c.store(x);
}

void variable_becoming_an_older_tile(Out<float, dyn> c, In1<float> a, int n) {
  auto short_one = a.tiles(n)(0);
  Var x = a.load_like(c);
  next_line_is_wrong();
  x = short_one;
  c.store(x);
}

void variable_becoming_another_variable(Out<float, dyn> c, In1<float> a, int n) {
  Var y = a.tiles(n)(0);
  Var x = a.load_like(c);
  next_line_is_wrong();
  x = y;
  c.store(x);
}

void variable_becoming_a_large_number(Out<std::int8_t, 1> c, Scalar<std::int8_t> n) {
  Var x = n;
  next_line_is_wrong();
  x = 200;
  c.store(zeros<std::int8_t>(dim<0>(c)) + x);
}

void variable_destroyed_in_a_loop(Out<float, dyn> c, In1<float> a) {
  std::optional<Var<Tile<float, dyn>>> x;
  x.emplace(a.load_like(c));
  next_line_is_wrong();
  for (Int i : range(4)) {
    *x = *x + as<float>(i);
    x.reset();
  }
  c.store(zeros<float>(dim<0>(c)));
}

void variable_destroyed_in_a_branch(Out<float, dyn> c, In1<float> a, Int n) {
  std::optional<Var<Tile<float, dyn>>> x;
  x.emplace(a.load_like(c));
  next_line_is_wrong();
  TW_IF(n > 4) { x.reset(); }
  c.store(zeros<float>(dim<0>(c)));
}

void variable_read_behind_its_branch(Out<float, dyn> c, In1<float> a, Int n) {
  auto one = a.load_like(c);
  std::optional<Var<Tile<float, dyn>>> x;
  TW_IF(n > 4) { x.emplace(one); }
  else {
    next_line_is_noted();
    x.emplace(one * 2.f);
  }
  next_line_is_wrong();
  c.store(*x);
}

void variable_of_an_older_tile_read_behind_its_branch(Out<float, dyn> c, In1<float> a, Int n) {
  auto one = a.load_like(c);
  next_line_is_noted();
  auto two = one * 2.f;
  std::optional<Var<Tile<float, dyn>>> x;
  TW_IF(n > 4) { x.emplace(one); }
  else {
    x.emplace(two);
  }
  next_line_is_wrong();
  c.store(*x);
}

void variable_left_behind_twice(Out<float, dyn> c, In1<float> a, Int n) {
  next_line_is_noted();
  auto one = a.load_like(c);
  std::optional<Var<Tile<float, dyn>>> x;
  for (Int i : range(n)) x.emplace(one * as<float>(i));
  for (Int i : range(n)) {
    *x = one;
    c.store(*x * as<float>(i));
  }
  next_line_is_wrong();
  c.store(*x);
}

void combiner_assigning_outside(Out<float, 1> c, In1<float> a) {
  Var count = Float(0);
  auto counted = [&](Float sum, Float x) {
    next_line_is_wrong();
    count = count + 1.f;
    return sum + x;
  };
  auto total = reduce<0>(a.tiles<8>()(0), 0.f, counted);
  c.store(total / count);
}

void combiner_loading(Out<float, 1> c, In1<float> a, In1<float> weights) {
  auto weighted = [&](Float sum, Float x) {
    next_line_is_wrong();
    auto weight = weights.at(0);
    return sum + x * weight;
  };
  c.store(reduce<0>(a.tiles<8>()(0), 0.f, weighted));
}

void combiner_branching(Out<float, 1> c, In1<float> a) {
  auto larger = [](Float best, Float x) {
    Var next = best;
    next_line_is_wrong();
    TW_IF(x > best) next = x;
    return next;
  };
  c.store(reduce<0>(a.tiles<8>()(0), 0.f, larger));
}

void combiner_looping(Out<float, dyn> c, In1<float> a) {
  auto squared = [](Float product, Float x) {
    Var next = product * x;
    next_line_is_wrong();
    for (Int i : range(2)) next = next * as<float>(i);
    return next;
  };
  c.store(scan<0>(a.load_like(c), 1.f, squared));
}

void combiner_dividing(Out<int, 1> c, In1<int> a) {
  auto halved = [](Int sum, Int x) {
    next_line_is_wrong();
    return sum + x / 2;
  };
  c.store(reduce<0>(a.tiles<8>()(0), 0, halved));
}

void combiner_reducing(Out<float, 1> c, In1<float> a) {
  auto nested = [](Float total, Float x) {
    auto row = x + zeros<float>(4);
    next_line_is_wrong();
    return total + item(sum<0>(row));
  };
  c.store(reduce<0>(a.tiles<8>()(0), 0.f, nested));
}

void combiner_printing(Out<float, 1> c, In1<float> a) {
  auto shown = [](Float sum, Float x) {
    next_line_is_wrong();
    print("%f", x);
    return sum + x;
  };
  c.store(reduce<0>(a.tiles<8>()(0), 0.f, shown));
}

void combiner_checking(Out<float, 1> c, In1<float> a) {
  auto checked = [](Float sum, Float x) {
    next_line_is_wrong();
    check(x > 0.f, "positive");
    return sum + x;
  };
  c.store(reduce<0>(a.tiles<8>()(0), 0.f, checked));
}

void combiner_ending_a_loop(Out<float, 1> c, In1<float> a) {
  Var total = zeros<float>(1);
  next_line_is_noted();
  for (auto& l : loop()) {
    auto ending = [&](Float sum, Float x) {
      next_line_is_wrong();
      l.break_if(x > 4.f);
      return sum + x;
    };
    total = total + reduce<0>(a.tiles<8>()(0), 0.f, ending);
    l.break_if(item(total) > 1.f);
  }
  c.store(total);
}

void everything_at_once(Out<std::int8_t, dyn> c, In1<std::int8_t> a, int n) {
  auto x = a.load_like(c);
  next_line_is_wrong();
  auto large = x + 300;
  Var sum = large;
  next_line_is_wrong();
  for (Int i : range(0, 8, -n)) {
    next_line_is_wrong();
    sum = sum + a.tiles(n)(i);
  }
  next_line_is_wrong();
  auto y = reshape(sum, 3);
  next_line_is_wrong();
  c.store(y);
}

const WrongKernel control[] = {
    wrong<&negative_step>("NegativeStep", {{cut(8)}},
                          {"a device loop needs a positive step, not -1"}, -1),
    wrong<&zero_step>("ZeroStep", {{cut(8)}}, {"a device loop needs a positive step, not 0"}, 0),
    wrong<&loop_left_by_break>(
        "LoopLeftByBreak", {{cut(8)}},
        {"a device loop cannot be left by break or return: use loop() and break_if"}),
    wrong<&loop_left_by_return>(
        "LoopLeftByReturn", {{cut(8)}},
        {"a device loop cannot be left by break or return: use loop() and break_if"}, true),
    wrong<&open_loop_left_by_break>(
        "OpenLoopLeftByBreak", {{cut(8)}},
        {"a device loop cannot be left by break or return: use break_if"}),
    wrong<&open_loop_left_by_return>(
        "OpenLoopLeftByReturn", {{cut(8)}},
        {"a device loop cannot be left by break or return: use break_if"}, true),
    wrong<&places_left_by_break>(
        "PlacesLeftByBreak", {{cut(8)}},
        {"a device loop cannot be left by break or return: use loop() and break_if"}),
    wrong<&branch_left_by_break>("BranchLeftByBreak", {{cut(8)}},
                                 {"a device branch cannot be left by break, continue or return: "
                                  "use break_if or continue_if of the loop"}),
    wrong<&branch_left_by_return>("BranchLeftByReturn", {{cut(8)}},
                                  {"a device branch cannot be left by break, continue or return"}),
    wrong<&other_side_left_by_return>(
        "OtherSideLeftByReturn", {{cut(8)}},
        {"a device branch cannot be left by break, continue or return"}),
    wrong<&outer_loop_ended_inside>("OuterLoopEndedInside", {{cut(8)}},
                                    {"only the innermost loop can be ended here"}),
    wrong<&outer_loop_continued_inside>("OuterLoopContinuedInside", {{cut(8)}},
                                        {"only the innermost loop can be ended here"}),
    wrong<&range_walked_twice>("RangeWalkedTwice", {{cut(8)}},
                               {"a device loop is walked once: make another one"}),
    wrong<&tile_escaping_a_loop>(
        "TileEscapingALoop", {{cut(8)}},
        {"this tile was made inside a loop or branch that has ended: carry it out in a tw::Var"}),
    wrong<&tile_escaping_a_branch>(
        "TileEscapingABranch", {{cut(8)}},
        {"this tile was made inside a loop or branch that has ended: carry it out in a tw::Var"}),
    wrong<&tile_escaping_to_the_other_side>(
        "TileEscapingToTheOtherSide", {{cut(8)}},
        {"this tile was made inside a loop or branch that has ended: carry it out in a tw::Var"}),
    wrong<&variable_changing_shape>("VariableChangingShape", {{cut(4), cut(4)}},
                                    {"a variable of shape 4x4 cannot become 4x8"}),
    wrong<&variable_becoming_an_older_tile>("VariableBecomingAnOlderTile", {{cut(8)}},
                                            {"a variable of shape 8 cannot become 4"}, 4),
    wrong<&variable_becoming_another_variable>("VariableBecomingAnotherVariable", {{cut(8)}},
                                               {"a variable of shape 8 cannot become 4"}, 4),
    wrong<&variable_becoming_a_large_number>("VariableBecomingALargeNumber", {{cut(1)}},
                                             {"200 does not fit into int8_t"}),
    wrong<&variable_destroyed_in_a_loop>(
        "VariableDestroyedInALoop", {{cut(8)}},
        {"a variable from outside this loop or branch was destroyed inside it"}),
    wrong<&variable_destroyed_in_a_branch>(
        "VariableDestroyedInABranch", {{cut(8)}},
        {"a variable from outside this loop or branch was destroyed inside it"}),
    wrong<&variable_read_behind_its_branch>(
        "VariableReadBehindItsBranch", {{cut(8)}},
        {"this tile was made inside a loop or branch that has ended: carry it out in a tw::Var"}),
    wrong<&variable_of_an_older_tile_read_behind_its_branch>(
        "VariableOfAnOlderTileReadBehindItsBranch", {{cut(8)}},
        {"this tile was made inside a loop or branch that has ended: carry it out in a tw::Var"}),
    wrong<&variable_left_behind_twice>(
        "VariableLeftBehindTwice", {{cut(8)}},
        {"this tile was made inside a loop or branch that has ended: carry it out in a tw::Var"}),
    wrong<&combiner_assigning_outside>("CombinerAssigningOutside", {{cut(1)}},
                                       {"a combiner must not assign a variable from outside"}),
    wrong<&combiner_loading>(
        "CombinerLoading", {{cut(1)}},
        {"a combiner is pure scalar code: an access to memory cannot be part of it"}),
    wrong<&combiner_branching>("CombinerBranching", {{cut(1)}},
                               {"a combiner is pure scalar code: a branch cannot be part of it"}),
    wrong<&combiner_looping>("CombinerLooping", {{cut(8)}},
                             {"a combiner is pure scalar code: a loop cannot be part of it"}),
    wrong<&combiner_dividing>(
        "CombinerDividing", {{cut(1)}},
        {"a combiner is pure scalar code: a division of integers cannot be part of it"}),
    wrong<&combiner_reducing>(
        "CombinerReducing", {{cut(1)}},
        {"a combiner is pure scalar code: a reduction or scan cannot be part of it"}),
    wrong<&combiner_printing>("CombinerPrinting", {{cut(1)}},
                              {"a combiner is pure scalar code: a print cannot be part of it"}),
    wrong<&combiner_checking>("CombinerChecking", {{cut(1)}},
                              {"a combiner is pure scalar code: a check cannot be part of it"}),
    wrong<&combiner_ending_a_loop>("CombinerEndingALoop", {{cut(1)}},
                                   {"only the innermost loop can be ended here"}),
    wrong<&everything_at_once>(
        "EverythingAtOnce", {{cut(8)}},
        {"300 does not fit into int8_t", "a device loop needs a positive step, not -4",
         "tile shapes 8 and 4 do not broadcast",
         "reshape of 8 into 3 changes the number of elements",
         "store into argument 1: the tile of int8_t has the shape 3, the output 8"},
        4),
};

INSTANTIATE_TEST_SUITE_P(Control, MustThrow, testing::ValuesIn(control),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace tw::tests
