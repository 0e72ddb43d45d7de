// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tilewright/ir/parser.hpp>
#include <tilewright/ir/summary.hpp>

#include "tests/ir/sample_module.hpp"

namespace tw::ir {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

TEST(Summary, CountsOpsOfAllBlocks) {
  const auto summaries = summarise(SampleModule::build());
  ASSERT_EQ(summaries.size(), 1u);
  EXPECT_EQ(summaries[0].name, "k");
  EXPECT_THAT(summaries[0].ops, Contains(Pair("continue", 2u)));
  EXPECT_THAT(summaries[0].ops, Contains(Pair("yield", 4u)));
  EXPECT_THAT(summaries[0].ops, Contains(Pair("constant", 5u)));
  EXPECT_THAT(summaries[0].accesses, ElementsAre(Pair("atomic_rmw_tko acq_rel ptr<f32>", 1u),
                                                 Pair("store_ptr_tko release ptr<f32>", 1u)));
  EXPECT_THAT(summaries[0].hints, ElementsAre(Pair("entry default occupancy = 4", 1u),
                                              Pair("entry sm_90 num_cta_in_cga = 2", 1u),
                                              Pair("store_ptr_tko sm_90 latency = 3", 1u)));
  EXPECT_THAT(summaries[0].products, IsEmpty());
  EXPECT_THAT(
      summaries[0].flags,
      ElementsAre(Pair("addf flush_to_zero", 1u), Pair("addf rounding_mode zero", 1u),
                  Pair("addi overflow no_wrap", 1u), Pair("divi rounding_mode negative_inf", 1u),
                  Pair("exp rounding_mode approx", 1u), Pair("for unsigned", 1u),
                  Pair("maxf flush_to_zero", 1u), Pair("maxf propagate_nan", 1u),
                  Pair("sqrt rounding_mode approx", 1u)));
}

TEST(Summary, TellsShapesOfAccessesAndProducts) {
  const auto summaries = summarise(
      parse("entry @k(%p: tile<ptr<f16>>, %i: tile<i32>) {\n"
            "  %t = make_tensor_view %p, shape = [64, 32], strides = [32, 1] "
            ": tensor_view<64x32xf16, strides=[32,1]>\n"
            "  %v = make_partition_view %t : partition_view<tile=(16x32), tensor_view<64x32xf16, "
            "strides=[32,1]>>\n"
            "  %a, %t0 = load_view_tko weak %v[%i, %i] : partition_view<tile=(16x32), "
            "tensor_view<64x32xf16, strides=[32,1]>>, tile<i32> -> tile<16x32xf16>, token\n"
            "  %b = permute %a [1, 0] : tile<16x32xf16> -> tile<32x16xf16>\n"
            "  %c = constant <f32: 0.0> : tile<16x16xf32>\n"
            "  %d = mmaf %a, %b, %c : tile<16x32xf16>, tile<32x16xf16>, tile<16x16xf32>\n"
            "}\n"));
  EXPECT_THAT(summaries[0].accesses,
              ElementsAre(Pair("load_view_tko weak 16x32xf16 of partition_view<tile=(16x32), "
                               "tensor_view<64x32xf16, strides=[32,1]>>",
                               1u)));
  EXPECT_THAT(summaries[0].products, ElementsAre(Pair("mmaf 16x16x32 f16 -> f32", 1u)));
}

}  // namespace
}  // namespace tw::ir
