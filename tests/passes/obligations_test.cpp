// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdint>
#include <vector>

#include <gmock/gmock.h>

#include <tilewright/passes/cse.hpp>
#include <tilewright/passes/obligations.hpp>

#include "tests/support/ops.hpp"
#include "traced_kernel.hpp"

namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using tw::ElementKind;
using tw::ir::AbiKind;
using tw::ir::ComparisonPredicate;
using tw::ir::Opcode;
using tw::ir::Signedness;
using tw::ir::Value;
using tw::passes::ObligationReport;
using tw::passes::Verdict;
using tw::test::TracedKernel;
using tw::tests::count_ops;

using Blocks = std::array<std::int64_t, 3>;
using Arguments = std::vector<std::int64_t>;

ObligationReport analysed(TracedKernel& kernel) { return tw::passes::analyse(kernel.finish()); }

std::vector<Verdict> verdicts(const ObligationReport& report) {
  std::vector<Verdict> result;
  for (const auto& each : report.obligations) result.push_back(each.verdict);
  return result;
}

TEST(Obligations, ConstantsAgainstConstantsAreFolded) {
  TracedKernel k;
  k.check(k.constant(3), k.constant(4));
  EXPECT_THAT(verdicts(analysed(k)), ElementsAre(Verdict::folded));
}

TEST(Obligations, AConstantOutsideIsRefutedWithItsPlace) {
  TracedKernel k;
  k.check(k.constant(5), k.constant(4), 42);
  const ObligationReport report = analysed(k);
  EXPECT_THAT(verdicts(report), ElementsAre(Verdict::refuted));
  ASSERT_EQ(report.refuted.size(), 1u);
  EXPECT_EQ(to_string(report.refuted[0]),
            "kernel.cpp:42: load of argument 3 along axis 0: index 5 is outside 0 to 3");
}

TEST(Obligations, RangesOutsideAreNamedByTheirEnds) {
  TracedKernel k;
  k.loop(k.constant(8), k.constant(10), k.constant(1), [&](Value i) { k.check(i, k.constant(4)); });
  const ObligationReport report = analysed(k);
  ASSERT_EQ(report.refuted.size(), 1u);
  EXPECT_EQ(
      to_string(report.refuted[0]),
      "kernel.cpp:1: load of argument 3 along axis 0: an index from 8 to 9 is outside 0 to 3");
}

TEST(Obligations, LoopIndicesLieBelowTheLoopsOwnBound) {
  TracedKernel k;
  const Value count = k.ceil_div(k.extent(), k.constant(32));
  k.loop(k.constant(0), count, k.constant(1), [&](Value i) { k.check(i, count); });
  EXPECT_THAT(verdicts(analysed(k)), ElementsAre(Verdict::folded));
}

TEST(Obligations, EqualCountsAreOneValueWhereverTheyAreComputed) {
  TracedKernel k;
  const Value extent = k.extent();
  const Value left = k.ceil_div(extent, k.constant(32));
  const Value right = k.ceil_div(extent, k.constant(32));
  k.loop(k.constant(0), left, k.constant(1), [&](Value i) { k.check(i, right); });
  EXPECT_THAT(verdicts(analysed(k)), ElementsAre(Verdict::folded));
}

TEST(Obligations, AMinimumWithTheBoundStaysBelowIt) {
  TracedKernel k;
  const Value count = k.extent();
  const Value high = k.binary(Opcode::mini, k.scalar(), count);
  k.loop(k.constant(0), high, k.constant(2), [&](Value i) { k.check(i, count); });
  EXPECT_THAT(verdicts(analysed(k)), ElementsAre(Verdict::folded));
}

TEST(Obligations, NegativeLowerBoundsAreNotTakenForProofs) {
  TracedKernel k;
  const Value count = k.extent();
  k.loop(k.scalar(), count, k.constant(1), [&](Value i) { k.check(i, count); });
  const ObligationReport report = analysed(k);
  EXPECT_THAT(verdicts(report), ElementsAre(Verdict::launch));
  // Arguments: extent, scalar.
  EXPECT_TRUE(report.predicate.holds(Arguments{10, 0}, Blocks{1, 1, 1}));
  EXPECT_FALSE(report.predicate.holds(Arguments{10, -1}, Blocks{1, 1, 1}));
  EXPECT_FALSE(report.predicate.holds(Arguments{10, 0xffffffff}, Blocks{1, 1, 1}))
      << "a negative i32 in a word with zeros above";
}

TEST(Obligations, TwoLoopsWithTheSameBoundsHaveTwoIndices) {
  TracedKernel k;
  const Value count = k.extent();
  k.loop(k.constant(0), count, k.constant(1), [&](Value i) {
    k.loop(k.constant(0), count, k.constant(1), [&](Value j) {
      const Value same =
          k.build().compare_int(ComparisonPredicate::equal, i, j, Signedness::signed_);
      k.check_condition(same, i, j);
    });
  });
  const auto found = verdicts(analysed(k));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0], Verdict::folded);
  EXPECT_NE(found[0], Verdict::refuted);
}

TEST(Obligations, RemaindersLieBelowAPositiveDivisor) {
  TracedKernel k;
  const Value grid = k.argument(AbiKind::grid);
  const Value x = k.build().block_ids()[0];
  k.check(k.binary(Opcode::remi, x, grid), grid);
  EXPECT_THAT(verdicts(analysed(k)), ElementsAre(Verdict::folded));
}

TEST(Obligations, BlockIdsLieBelowTheBlockCount) {
  TracedKernel k;
  const Value x = k.build().block_ids()[0];
  k.check(x, k.build().block_counts()[0]);
  k.check(x, k.build().block_counts()[1]);
  EXPECT_THAT(verdicts(analysed(k)), ElementsAre(Verdict::folded, Verdict::launch));
}

TEST(Obligations, BlockIdsAgainstATensorAreDecidedByTheLaunch) {
  TracedKernel k;
  const Value tiles = k.ceil_div(k.extent(), k.constant(128));
  k.check(k.build().block_ids()[0], tiles);
  const ObligationReport report = analysed(k);
  EXPECT_THAT(verdicts(report), ElementsAre(Verdict::launch));
  // 1000 elements are 8 tiles of 128.
  EXPECT_TRUE(report.predicate.holds(Arguments{1000}, Blocks{8, 1, 1}));
  EXPECT_FALSE(report.predicate.holds(Arguments{1000}, Blocks{9, 1, 1}));
  EXPECT_EQ(report.predicate.first_failure(Arguments{1000}, Blocks{9, 1, 1}), 0u);
}

TEST(Obligations, CountsOfAnotherTensorAreDecidedByTheLaunch) {
  TracedKernel k;
  const Value left = k.ceil_div(k.extent(), k.constant(64));
  const Value right = k.ceil_div(k.extent(), k.constant(64));
  k.loop(k.constant(0), left, k.constant(1), [&](Value i) { k.check(i, right); });
  const ObligationReport report = analysed(k);
  EXPECT_THAT(verdicts(report), ElementsAre(Verdict::launch));
  EXPECT_TRUE(report.predicate.holds(Arguments{100, 128}, Blocks{1, 1, 1}));
  EXPECT_FALSE(report.predicate.holds(Arguments{129, 128}, Blocks{1, 1, 1}));
  EXPECT_FALSE(report.predicate.holds(Arguments{0, 0}, Blocks{1, 1, 1}))
      << "no iteration proves nothing: the access may be moved out of the loop";
}

TEST(Obligations, IndexSpacesOfViewsAreCountsOfTiles) {
  TracedKernel k;
  const Value base = k.base();
  const Value size = k.extent();
  const Value view = k.tiles(base, size, 64);
  tw::ir::OpDraft draft(Opcode::get_index_space_shape);
  draft.operand(view);
  const Value space = k.build().append(draft, {k.build().type(size)});
  const Value count = k.ceil_div(size, k.constant(64));
  k.loop(k.constant(0), space, k.constant(1), [&](Value i) { k.check(i, count); });
  EXPECT_THAT(verdicts(analysed(k)), ElementsAre(Verdict::folded));
}

TEST(Obligations, ClampsIntoATensorNeedItToHaveElements) {
  TracedKernel k;
  const Value count = k.extent();
  const Value last = k.binary(Opcode::subi, count, k.constant(1));
  const Value low = k.binary(Opcode::maxi, k.scalar(), k.constant(0));
  k.check(k.binary(Opcode::mini, low, last), count);
  const ObligationReport report = analysed(k);
  EXPECT_THAT(verdicts(report), ElementsAre(Verdict::launch));
  EXPECT_TRUE(report.predicate.holds(Arguments{7, 100}, Blocks{1, 1, 1}));
  EXPECT_FALSE(report.predicate.holds(Arguments{0, 100}, Blocks{1, 1, 1}));
}

TEST(Obligations, LoadedIndicesAreLeftToTheDevice) {
  TracedKernel k;
  const Value base = k.base(ElementKind::i32);
  const Value loaded = k.build().load_pointer(base, {}, {});
  k.check(loaded, k.extent());
  const ObligationReport report = analysed(k);
  EXPECT_THAT(verdicts(report), ElementsAre(Verdict::device));
  EXPECT_TRUE(report.predicate.trivial());
}

TEST(Obligations, LoadedIndicesThatAreClampedAreNot) {
  TracedKernel k;
  const Value base = k.base(ElementKind::i32);
  const Value count = k.extent();
  const Value loaded = k.build().load_pointer(base, {}, {});
  const Value low = k.binary(Opcode::maxi, loaded, k.constant(0));
  k.check(k.binary(Opcode::mini, low, k.binary(Opcode::subi, count, k.constant(1))), count);
  EXPECT_THAT(verdicts(analysed(k)), ElementsAre(Verdict::launch));
}

TEST(Obligations, TilesOfBlocksAreFollowedElementByElement) {
  TracedKernel k;
  tw::ir::Builder& b = k.build();
  // block * 128 + iota(128) < extent: right where the extent is a multiple of 128.
  const Value extent = k.extent();
  const Value start = k.binary(Opcode::muli, b.block_ids()[0], k.constant(128));
  tw::ir::OpDraft iota(Opcode::iota);
  const Value lanes = b.append(iota, {tw::ir::tile_type(ElementKind::i32, {128})});
  const Value index = k.binary(Opcode::addi, b.spread(start, {128}), lanes);
  const Value bound = b.spread(extent, {128});
  const Value below =
      b.compare_int(ComparisonPredicate::less_than, index, bound, Signedness::signed_);
  k.check_condition(below, index, bound);
  const ObligationReport report = analysed(k);
  EXPECT_THAT(verdicts(report), ElementsAre(Verdict::launch));
  EXPECT_TRUE(report.predicate.holds(Arguments{1024}, Blocks{8, 1, 1}));
  EXPECT_FALSE(report.predicate.holds(Arguments{1000}, Blocks{8, 1, 1}));
}

TEST(Obligations, PromisesCount) {
  TracedKernel k;
  tw::ir::OpDraft draft(Opcode::assume);
  draft.operand(k.scalar());
  draft.set(tw::ir::AttributeName::predicate,
            tw::ir::Attribute(tw::ir::AssumePredicate(tw::ir::Bounded{0, 9})));
  const Value promised = k.build().append(draft, {tw::ir::tile_type(ElementKind::i32)});
  k.check(promised, k.constant(10));
  EXPECT_THAT(verdicts(analysed(k)), ElementsAre(Verdict::folded));
}

TEST(Obligations, UnsignedComparisonsCheckBothEnds) {
  TracedKernel k;
  const Value count = k.extent();
  const Value below_count = k.build().compare_int(ComparisonPredicate::less_than, k.scalar(), count,
                                                  Signedness::unsigned_);
  k.check_condition(below_count, count, count);
  const ObligationReport report = analysed(k);
  EXPECT_THAT(verdicts(report), ElementsAre(Verdict::launch));
  EXPECT_TRUE(report.predicate.holds(Arguments{10, 9}, Blocks{1, 1, 1}));
  EXPECT_FALSE(report.predicate.holds(Arguments{10, 10}, Blocks{1, 1, 1}));
  EXPECT_FALSE(report.predicate.holds(Arguments{10, -1}, Blocks{1, 1, 1}));
}

TEST(Obligations, ArithmeticThatMayWrapIsNotTrusted) {
  TracedKernel k;
  const Value n = k.extent();
  // n + 1 may wrap to a negative number: n < n + 1 needs the launch.
  k.check(n, k.binary(Opcode::addi, n, k.constant(1)));
  const ObligationReport report = analysed(k);
  EXPECT_THAT(verdicts(report), ElementsAre(Verdict::launch));
  EXPECT_TRUE(report.predicate.holds(Arguments{5}, Blocks{1, 1, 1}));
  EXPECT_FALSE(report.predicate.holds(Arguments{2147483647}, Blocks{1, 1, 1}));
}

TEST(Obligations, ClaimsNameTheirObligations) {
  TracedKernel k;
  k.check(k.constant(0), k.constant(1));
  k.check(k.build().block_ids()[0], k.extent());
  k.check(k.build().block_ids()[1], k.extent());
  const ObligationReport report = analysed(k);
  EXPECT_EQ(report.count(Verdict::folded), 1u);
  EXPECT_EQ(report.count(Verdict::launch), 2u);
  const std::size_t failed = report.predicate.first_failure(Arguments{4, 4}, Blocks{4, 5, 1});
  ASSERT_EQ(failed, 1u);
  EXPECT_EQ(report.claimed(failed).site, 2u);
}

TEST(Obligations, SilentChecksAreFoldedOrGuardsButNeverClaimedOrRefuted) {
  TracedKernel k;
  const Value n = k.extent();
  const auto edge = [&](Value index, Value bound) {
    k.check_condition(k.inside(index, bound), index, bound, 1, "edge");
  };
  edge(k.constant(3), k.constant(4));
  edge(k.constant(5), k.constant(4));
  edge(k.build().block_ids()[0], n);
  const ObligationReport report = analysed(k);
  EXPECT_THAT(verdicts(report), ElementsAre(Verdict::folded, Verdict::guard, Verdict::guard));
  EXPECT_THAT(report.refuted, IsEmpty());
  EXPECT_TRUE(report.predicate.trivial());
}

TEST(Obligations, AssertionsMayBeMeantToFail) {
  TracedKernel k;
  k.check_condition(k.build().constant(ElementKind::i1, 0), k.constant(0), k.constant(0), 1,
                    "check");
  EXPECT_THAT(verdicts(analysed(k)), ElementsAre(Verdict::device));
}

/// A kernel with one access decided at launch and one on the device.
tw::ir::Kernel guarded_kernel() {
  TracedKernel k;
  const Value in = k.base();
  const Value size = k.extent();
  const Value out = k.base();
  const Value view = k.tiles(in, size, 64);
  const Value x = k.build().block_ids()[0];
  const auto guarded = [&](Value index, Value bound) {
    return k.branch(
        k.check(index, bound), [&] { return std::vector{k.load(view, index)}; },
        [&] { return std::vector{k.build().constant(ElementKind::f32, 0, {64})}; })[0];
  };
  const Value count = k.ceil_div(size, k.constant(64));
  const Value first = guarded(x, count);
  const Value table = k.base(ElementKind::i32);
  const Value second = guarded(k.build().load_pointer(table, {}, {}), count);
  const Value sum =
      k.build().float_op(Opcode::addf, first, second, tw::ir::RoundingMode::nearest_even, false);
  k.store(sum, k.tiles(out, size, 64), x);
  return k.finish();
}

TEST(Discharge, RemovesWhatTheLaunchProvesAndItsGuard) {
  const ObligationReport report = tw::passes::analyse(guarded_kernel());
  ASSERT_THAT(verdicts(report), ElementsAre(Verdict::launch, Verdict::device));
  const auto fast = tw::passes::assume_discharged(guarded_kernel(), report, true);
  EXPECT_EQ(count_ops(fast, Opcode::check), 1u);
  EXPECT_EQ(count_ops(fast, Opcode::if_), 1u);
  EXPECT_EQ(count_ops(fast, Opcode::load_view_tko), 2u);
}

TEST(Discharge, SilentChecksGoAndLeaveTheirGuards) {
  TracedKernel k;
  const Value p = k.base();
  const Value i = k.scalar();
  const Value n = k.extent();
  const Value inside = k.inside(i, n);
  k.check_condition(inside, i, n, 1, "edge");
  k.branch(inside, [&] {
    k.keep(k.build().constant(ElementKind::f32, 0), p);
    return std::vector<Value>{};
  });
  const tw::ir::Kernel kernel = k.finish();
  const ObligationReport report = tw::passes::analyse(kernel);
  for (const auto& now :
       {tw::passes::assume_discharged(kernel, report, true), tw::passes::keep_checks(kernel)}) {
    EXPECT_EQ(count_ops(now, Opcode::check), 0u);
    EXPECT_EQ(count_ops(now, Opcode::if_), 1u);
  }
}

TEST(Discharge, KeepsWhatTheLaunchDoesNotProve) {
  const ObligationReport report = tw::passes::analyse(guarded_kernel());
  const auto careful = tw::passes::assume_discharged(guarded_kernel(), report, false);
  EXPECT_EQ(count_ops(careful, Opcode::check), 2u);
  EXPECT_EQ(count_ops(careful, Opcode::if_), 2u);
}

}  // namespace
