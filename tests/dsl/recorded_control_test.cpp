// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include <gmock/gmock.h>

#include "recorded.hpp"

/// What loops, branches and variables leave in the IR.
namespace tw::tests {
namespace {

using ir::Opcode;
using testing::ElementsAreArray;

void one_changes(Out<float, dyn> c, In1<float> a) {
  Var kept = a.load_like(c);
  Var total = zeros<float>(dim<0>(c));
  Var also_kept = Int(4);
  for (Int i : range(8)) total = total + kept * as<float>(i + also_kept);
  c.store(total);
}

TEST(RecordedLoops, CarryOnlyWhatChanges) {
  const Recorded kernel = record<&one_changes>({{cut(8)}});
  const ir::Op& loop = kernel.only(Opcode::for_);
  EXPECT_EQ(loop.results.size(), 1u);
  ASSERT_EQ(loop.regions.front().arguments.size(), 2u);  // the counter and the total
  EXPECT_EQ(kernel.only(Opcode::continue_).operands.size(), 1u);
  // What is not carried is used from outside: no argument stands for it.
  const ir::Op& product = kernel.only(Opcode::mulf);
  EXPECT_NE(kernel.maker(product.operands[0]), nullptr);
}

void becomes_unchanged(Out<float, dyn> c, In1<float> a) {
  auto x = a.load_like(c);
  Var p = x;
  Var q = x + 1.f;
  for (Int i : range(3)) p = q;
  c.store(p);
}

TEST(RecordedLoops, AVariableMayBecomeOneThatNeverChanges) {
  const Recorded kernel = record<&becomes_unchanged>({{cut(8)}});
  EXPECT_EQ(kernel.only(Opcode::for_).results.size(), 1u);
  const ir::Op& end = kernel.only(Opcode::continue_);
  ASSERT_EQ(end.operands.size(), 1u);
  EXPECT_EQ(end.operands[0], kernel.only(Opcode::addf).result());
}

void back_to_itself(Out<float, dyn> c, In1<float> a) {
  Var x = a.load_like(c);
  for (Int i : range(3)) {
    Var before = x;
    x = x + as<float>(i);
    c.store(x);
    x = before;
  }
}

TEST(RecordedLoops, AVariableThatIsRestoredIsNotCarried) {
  const Recorded kernel = record<&back_to_itself>({{cut(8)}});
  EXPECT_TRUE(kernel.only(Opcode::for_).results.empty());
}

void several_ends(Out<int, 1> c, Int n) {
  Var i = Int(0);
  Var j = Int(0);
  Var constant = Int(9);
  for (auto& l : loop()) {
    l.break_if(i > n);
    i = i + 1;
    TW_IF(i > constant) { l.break_if(j > 4); }
    l.continue_if(i > 2);
    j = j + 1;
  }
  c.store(full(0, 1) + i + j + constant);
}

TEST(RecordedLoops, EveryEndCarriesTheSameVariables) {
  const Recorded kernel = record<&several_ends>({{cut(1)}});
  const ir::Op& loop = kernel.only(Opcode::loop);
  EXPECT_EQ(loop.results.size(), 2u);
  EXPECT_EQ(loop.operands.size(), 2u);
  EXPECT_EQ(loop.regions.front().arguments.size(), 2u);
  ASSERT_EQ(kernel.count(Opcode::break_), 2u);
  ASSERT_EQ(kernel.count(Opcode::continue_), 2u);
  for (const Opcode code : {Opcode::break_, Opcode::continue_}) {
    for (const ir::Op* end : kernel.ops(code)) EXPECT_EQ(end->operands.size(), 2u);
  }
  // The first break leaves with the arguments themselves.
  EXPECT_THAT(kernel.ops(Opcode::break_)[0]->operands,
              ElementsAreArray(loop.regions.front().arguments));
}

void nested(Out<int, 1> c, Int n) {
  Var total = Int(0);
  for (Int i : range(n)) {
    Var row = Int(0);
    for (Int j : range(i)) row = row + j;
    total = total + row;
  }
  c.store(full(0, 1) + total);
}

TEST(RecordedLoops, InnerVariablesStayInside) {
  const Recorded kernel = record<&nested>({{cut(1)}});
  const std::vector<const ir::Op*> loops = kernel.ops(Opcode::for_);
  ASSERT_EQ(loops.size(), 2u);
  EXPECT_EQ(loops[0]->results.size(), 1u);
  EXPECT_EQ(loops[1]->results.size(), 1u);
}

void known_step(Out<int, 1> c, Int n) {
  Var total = Int(0);
  for (Int i : range(0, n, 2)) total = total + i;
  c.store(full(0, 1) + total);
}
void unknown_step(Out<int, 1> c, Int n, Int step) {
  Var total = Int(0);
  for (Int i : range(0, n, step)) total = total + i;
  c.store(full(0, 1) + total);
}

TEST(RecordedLoops, OnlyAnUnknownStepIsChecked) {
  const Recorded known = record<&known_step>({{cut(1)}});
  EXPECT_EQ(known.count(Opcode::check), 0u);
  const Recorded unknown = record<&unknown_step>({{cut(1)}});
  const ir::Op& check = unknown.only(Opcode::check);
  const auto site = static_cast<std::size_t>(check.integer(ir::AttributeName::site));
  EXPECT_EQ(unknown.module().sites[site].kind, "step");
}

/// A variable that outlives the loop that made it is none of the next one's.
void left_behind(Out<int, 1> c) {
  std::optional<Var<Int>> kept;
  for (Int i : range(4)) kept.emplace(i);
  Var total = Int(0);
  for (Int j : range(4)) {
    *kept = j + total;
    total = total + 1;
  }
  c.store(zeros<int>(1) + total);
}

TEST(RecordedLoops, DoNotCarryWhatAnEarlierOneLeftBehind) {
  const Recorded kernel = record<&left_behind>({{cut(1)}});
  const std::vector<const ir::Op*> loops = kernel.ops(Opcode::for_);
  ASSERT_EQ(loops.size(), 2u);
  EXPECT_EQ(loops[0]->results.size(), 0u);
  EXPECT_EQ(loops[1]->results.size(), 1u);  // the total
}

void merges(Out<int, 1> c, Int n) {
  Var a = Int(1);
  Var b = Int(2);
  Var kept = Int(3);
  TW_IF(n > 0) {
    a = a + 1;
    b = b + 1;
  }
  else {
    b = b + kept;
  }
  c.store(full(0, 1) + a + b + kept);
}

TEST(RecordedBranches, MergeOnlyWhatEitherSideChanges) {
  const Recorded kernel = record<&merges>({{cut(1)}});
  const ir::Op& branch = kernel.only(Opcode::if_);
  EXPECT_EQ(branch.results.size(), 2u);
  ASSERT_EQ(kernel.count(Opcode::yield), 2u);
  for (const ir::Op* side : kernel.ops(Opcode::yield)) EXPECT_EQ(side->operands.size(), 2u);
}

void only_stores(Out<int, 1> c, Int n) {
  Var x = n;
  TW_IF(n > 0) c.store(full(0, 1) + x);
}

TEST(RecordedBranches, WithoutElseTheOtherSideIsEmpty) {
  const Recorded kernel = record<&only_stores>({{cut(1)}});
  const ir::Op& branch = kernel.only(Opcode::if_);
  EXPECT_TRUE(branch.results.empty());
  EXPECT_TRUE(branch.regions[1].ops.empty());
}

void same_on_both_sides(Out<int, 1> c, Int n) {
  auto next = n + 1;
  Var x = n;
  TW_IF(n > 0) x = next;
  else x = next;
  c.store(full(0, 1) + x);
}

TEST(RecordedBranches, WhatBothSidesAgreeOnIsNotMerged) {
  const Recorded kernel = record<&same_on_both_sides>({{cut(1)}});
  EXPECT_TRUE(kernel.only(Opcode::if_).results.empty());
}

void local_in_a_branch(Out<int, 1> c, Int n) {
  Var x = n;
  TW_IF(n > 0) {
    Var local = x * 2;
    TW_IF(n > 4) local = local + 1;
    x = local;
  }
  c.store(full(0, 1) + x);
}

TEST(RecordedBranches, LocalVariablesEndWithTheirSide) {
  const Recorded kernel = record<&local_in_a_branch>({{cut(1)}});
  const std::vector<const ir::Op*> branches = kernel.ops(Opcode::if_);
  ASSERT_EQ(branches.size(), 2u);
  EXPECT_EQ(branches[0]->results.size(), 1u);
  EXPECT_EQ(branches[1]->results.size(), 1u);
}

void combines(Out<float, 1> c, In1<float> a, Float scale) {
  c.store(reduce<0>(a.tiles<8>()(0), 0.f, [&](Float sum, Float x) { return sum + x * scale; }));
}

TEST(RecordedCombiners, TakeElementBeforeAccumulator) {
  const Recorded kernel = record<&combines>({{cut(1)}});
  const ir::Op& reduce = kernel.only(Opcode::reduce);
  const ir::Block& body = reduce.regions.front();
  ASSERT_EQ(body.arguments.size(), 2u);
  EXPECT_EQ(kernel.only(Opcode::mulf).operands[0], body.arguments[0]);  // the element
  EXPECT_EQ(kernel.only(Opcode::addf).operands[0], body.arguments[1]);  // the accumulator
}

void fails_at_first(Out<float, 1> c, In1<float> a) {
  auto x = a.tiles(8)(0);
  try {
    static_cast<void>(reduce<0>(x, 0.f, [](Float, Float) -> Float { throw 1; }));
  } catch (int) {
  }
  c.store(sum<0>(x));
}

TEST(RecordedCombiners, LeaveNothingBehindWhenTheyThrow) {
  const Recorded kernel = record<&fails_at_first>({{cut(1)}});
  EXPECT_EQ(kernel.count(Opcode::reduce), 1u);
  EXPECT_EQ(kernel.count(Opcode::store_view_tko), 1u);
}

void everything(Out<float, dyn, 1> c, In2<float> a, Int n) {
  Var best = full(-INFINITY, dim<0>(c), 1);
  for (Int j : range(n)) {
    auto x = a.tiles(dim<0>(c), 3)(block<0>(c), j);
    TW_IF(j > 0) best = max(best, max<1>(exp(x) / 2.f));
  }
  print("%f", item(max<0>(best)));
  check(best > 0.f, "positive");
  c.store(best);
}

// Every op, and so every line of a profile and every fault, belongs to the user.
TEST(RecordedPlaces, NoOpNamesTheLibrary) {
  const Recorded kernel = record<&everything>({{cut(4), cut(1)}});
  const ir::Module& module = kernel.module();
  const std::string here = __FILE__;
  const std::string fixture = "trace.hpp";  // where parameters are made: the line of the launch
  ir::walk(module.functions.front().body, [&](const ir::Op& op) {
    const std::string& file = module.locations[op.location].file;
    EXPECT_TRUE(file == here || file.ends_with(fixture)) << op.row().name << " at " << file;
  });
  for (const ir::Site& site : module.sites) {
    const std::string& file = module.locations[site.location].file;
    EXPECT_TRUE(file == here || file.ends_with(fixture)) << site.kind << " at " << file;
  }
}

}  // namespace
}  // namespace tw::tests
