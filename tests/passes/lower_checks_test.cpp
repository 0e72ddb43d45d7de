// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <tilewright/core/error.hpp>
#include <tilewright/ir/printer.hpp>
#include <tilewright/passes/canonical.hpp>
#include <tilewright/passes/lower_checks.hpp>

#include "traced_kernel.hpp"

namespace {

using namespace tw;
using ir::Opcode;
using ir::Value;
using test::TracedKernel;

std::string lowered(TracedKernel& k) {
  return ir::print(
      passes::canonical(passes::lower_checks(passes::add_fault_parameters(k.finish())).module));
}

TEST(LowerChecks, AScalarCheckClaimsTheRecordAndFillsIt) {
  TracedKernel k;
  const Value i = k.scalar();
  const Value n = k.extent();
  const Value inside =
      k.build().compare_int(ir::ComparisonPredicate::less_than, i, n, ir::Signedness::unsigned_);
  k.check_condition(inside, i, n);
  EXPECT_EQ(
      lowered(k),
      R"(entry @k(%arg0: tile<i32>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>, %arg3: tile<i32>) {
  %0 = cmpi less_than %arg0, %arg1, unsigned : tile<i32> -> tile<i1>
  %true = constant <i1: true> : tile<i1>
  %1 = xori %0, %true : tile<i1>
  if %1 {
    %cst_11_i32 = constant <i32: 11> : tile<i32>
    %2 = offset %arg2, %cst_11_i32 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %cst_1_i32 = constant <i32: 1> : tile<i32>
    %result, %result_token = atomic_rmw_tko relaxed sys %2, add, %cst_1_i32 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %cst_1_i32_0 = constant <i32: 1> : tile<i32>
    %result_1, %result_token_2 = atomic_cas_tko acq_rel sys %arg2, %cst_0_i32, %cst_1_i32_0 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %cst_0_i32_3 = constant <i32: 0> : tile<i32>
    %3 = cmpi equal %result_1, %cst_0_i32_3, unsigned : tile<i32> -> tile<i1>
    if %3 {
      %cst_1_i32_4 = constant <i32: 1> : tile<i32>
      %4 = offset %arg2, %cst_1_i32_4 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
      %5 = store_ptr_tko weak %4, %arg3 token=%result_token_2 : tile<ptr<i32>>, tile<i32> -> token
      %cst_2_i32 = constant <i32: 2> : tile<i32>
      %6 = offset %arg2, %cst_2_i32 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
      %cst_0_i32_5 = constant <i32: 0> : tile<i32>
      %7 = store_ptr_tko weak %6, %cst_0_i32_5 token=%result_token_2 : tile<ptr<i32>>, tile<i32> -> token
      %8 = ptr_to_ptr %arg2 : tile<ptr<i32>> -> tile<ptr<i64>>
      %cst_2_i32_6 = constant <i32: 2> : tile<i32>
      %9 = offset %8, %cst_2_i32_6 : tile<ptr<i64>>, tile<i32> -> tile<ptr<i64>>
      %10 = exti %arg0 signed : tile<i32> -> tile<i64>
      %11 = store_ptr_tko weak %9, %10 token=%result_token_2 : tile<ptr<i64>>, tile<i64> -> token
      %12 = ptr_to_ptr %arg2 : tile<ptr<i32>> -> tile<ptr<i64>>
      %cst_3_i32 = constant <i32: 3> : tile<i32>
      %13 = offset %12, %cst_3_i32 : tile<ptr<i64>>, tile<i32> -> tile<ptr<i64>>
      %14 = exti %arg1 signed : tile<i32> -> tile<i64>
      %15 = store_ptr_tko weak %13, %14 token=%result_token_2 : tile<ptr<i64>>, tile<i64> -> token
      %cst_8_i32 = constant <i32: 8> : tile<i32>
      %16 = offset %arg2, %cst_8_i32 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
      %blockId_x, %blockId_y, %blockId_z = get_tile_block_id : tile<i32>
      %17 = store_ptr_tko weak %16, %blockId_x token=%result_token_2 : tile<ptr<i32>>, tile<i32> -> token
      %cst_9_i32 = constant <i32: 9> : tile<i32>
      %18 = offset %arg2, %cst_9_i32 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
      %19 = store_ptr_tko weak %18, %blockId_y token=%result_token_2 : tile<ptr<i32>>, tile<i32> -> token
      %cst_10_i32 = constant <i32: 10> : tile<i32>
      %20 = offset %arg2, %cst_10_i32 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
      %21 = store_ptr_tko weak %20, %blockId_z token=%result_token_2 : tile<ptr<i32>>, tile<i32> -> token
      %cst_2_i32_7 = constant <i32: 2> : tile<i32>
      %22 = join_tokens %5, %7, %11, %15, %17, %19, %21 : token
      %23 = store_ptr_tko release sys %arg2, %cst_2_i32_7 token=%22 : tile<ptr<i32>>, tile<i32> -> token
    }
  }
  return
}
)");
}

TEST(LowerChecks, ATileReportsOnceItsFirstFailingElement) {
  TracedKernel k;
  tw::ir::Builder& b = k.build();
  const Value index = b.spread(k.scalar(), {2, 2});
  const Value bound = k.extent();
  const Value inside = b.compare_int(ir::ComparisonPredicate::less_than, index,
                                     b.spread(bound, {2, 2}), ir::Signedness::unsigned_);
  k.check_condition(inside, index, bound);
  const std::string text = lowered(k);
  // Any failing element takes the branch; the least position wins; its index is taken out of the
  // tile, while the bound is the same for all.
  EXPECT_THAT(text, testing::HasSubstr("reduce %1 dim=0 identities=[false] : tile<4xi1>"));
  EXPECT_THAT(text, testing::HasSubstr("mini %reduce_lhs, %reduce_rhs signed : tile<i32>"));
  EXPECT_THAT(text, testing::HasSubstr("ori %reduce_lhs, %reduce_rhs : tile<i32>"));
  EXPECT_THAT(text, testing::HasSubstr("= exti %arg1 signed : tile<i32> -> tile<i64>"));
}

TEST(LowerChecks, KernelsWithoutChecksGetNoParameters) {
  TracedKernel k;
  const ir::Kernel kernel = passes::add_fault_parameters(k.finish());
  EXPECT_TRUE(kernel.abi.empty());
  EXPECT_TRUE(kernel.entry().body.arguments.empty());
}

TEST(LowerChecks, FaultParametersAreAppendedOnce) {
  TracedKernel k;
  k.check(k.scalar(), k.constant(1));
  const ir::Kernel kernel = passes::add_fault_parameters(passes::add_fault_parameters(k.finish()));
  ASSERT_EQ(kernel.abi.size(), 3u);
  EXPECT_EQ(kernel.abi[1].kind, ir::AbiKind::fault_block);
  EXPECT_EQ(kernel.abi[2].kind, ir::AbiKind::serial);
}

TEST(LowerChecks, PrintsAreRefusedWithTheirPlaces) {
  TracedKernel k;
  ir::OpDraft print(Opcode::print);
  print.group({k.scalar()}).set(ir::AttributeName::site, ir::Attribute(std::int64_t{0}));
  ir::Kernel kernel = k.finish();
  kernel.module.sites.push_back({ir::LocationId::unknown, "print", -1, -1, "{}"});
  ir::Op op = print.finish(kernel.entry(), {});
  op.location = kernel.module.locations.add(ir::SourcePlace{"kernel.cpp", 7, 1});
  kernel.entry().body.ops.insert(kernel.entry().body.ops.begin(), op);
  try {
    static_cast<void>(passes::lower_checks(kernel));
    FAIL() << "a print was lowered";
  } catch (const CompilerError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("kernel.cpp:7: print is not available on GPUs"));
  }
}

}  // namespace
