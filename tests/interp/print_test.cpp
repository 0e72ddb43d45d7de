// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <gtest/gtest.h>

#include "tests/interp/test_kernel.hpp"

namespace tw::interp_test {
namespace {

using enum ElementKind;

std::string printed(const std::string& format, const std::vector<Elements>& operands) {
  TestKernel k;
  std::vector<Value> values;
  for (const Elements& operand : operands) {
    values.push_back(
        k.build().append(OpDraft(Opcode::constant)
                             .set(AttributeName::value, ir::dense(operand.kind, operand.patterns)),
                         {ir::tile_type(operand.kind, operand.shape)}));
  }
  OpDraft draft(Opcode::print_tko);
  draft.group(values).set(AttributeName::format, ir::Attribute(format));
  k.build().append(draft, {ir::token_type()});
  std::string text;
  k.finish().run({}, {}, {.print = [&](std::string_view piece) { text += piece; }});
  return text;
}

TEST(Print, FormatsNumbersAsTheirConversionsSay) {
  EXPECT_EQ(printed("i=%d u=%u x=%04x 100%%\n",
                    {{i32, {}, {0xffffffff}}, {i8, {}, {0xff}}, {i16, {}, {0xabc}}}),
            "i=-1 u=255 x=0abc 100%\n");
  EXPECT_EQ(printed("%.2f %g %e",
                    {{f32, {}, {bits(1.255f)}}, {f16, {}, {0x3800}}, {f64, {}, {bits(1500.0)}}}),
            "1.25 0.5 1.500000e+03");
  EXPECT_EQ(printed("%lld|%5d|%-4d|", {{i64, {}, {1ull << 40}}, {i32, {}, {42}}, {i32, {}, {7}}}),
            "1099511627776|   42|7   |");
  EXPECT_EQ(printed("no operands", {}), "no operands");
}

TEST(Print, AdaptsConversionsToTheType) {
  EXPECT_EQ(
      printed("%d %f %s %s",
              {{f32, {}, {bits(-2.75f)}}, {i32, {}, {3}}, {bf16, {}, {0x3fc0}}, {i1, {}, {1}}}),
      "-2 3.000000 1.5 1");
}

TEST(Print, ListsTheElementsOfTiles) {
  EXPECT_EQ(printed("t = %d;", {{i32, {2, 2}, {1, 2, 3, 0xfffffffc}}}), "t = [[1, 2], [3, -4]];");
  EXPECT_EQ(printed("%.1f", {{f8e4m3, {4}, {0x38, 0x40, 0xb8, 0x00}}}), "[1.0, 2.0, -1.0, 0.0]");
}

TEST(Print, OfASiteUsesItsText) {
  TestKernel k;
  k.module().sites.push_back({.kind = "print", .text = "block %d of %d\n"});
  const auto id = k.build().block_ids();
  const auto count = k.build().block_counts();
  OpDraft draft(Opcode::print);
  draft.group({id[0], count[0]}).set(AttributeName::site, ir::Attribute(std::int64_t{0}));
  k.build().append(draft, {});
  const interp::Program program = k.finish();
  EXPECT_TRUE(program.sequential());
  std::string text;
  program.run({3}, {}, {.threads = 4, .print = [&](std::string_view piece) { text += piece; }});
  EXPECT_EQ(text, "block 0 of 3\nblock 1 of 3\nblock 2 of 3\n");
  EXPECT_NO_THROW(program.run({3}, {}));
}

}  // namespace
}  // namespace tw::interp_test
