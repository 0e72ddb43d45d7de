// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tilewright/ir/parser.hpp>

namespace tw::ir {
namespace {

std::vector<Diagnostic> errors_of(const std::string& text) {
  try {
    (void)parse(text, "a.mlir");
  } catch (const ParseError& error) {
    return error.diagnostics();
  }
  return {};
}

/// `line:column: message` of every error.
std::vector<std::string> briefly(const std::string& text) {
  std::vector<std::string> lines;
  for (const Diagnostic& each : errors_of(text)) {
    lines.push_back(std::to_string(each.where.line()) + ":" + std::to_string(each.where.column()) +
                    ": " + each.message);
  }
  return lines;
}

struct Case {
  const char* text;
  const char* error;
};

TEST(ParserErrors, TellWhatIsWrongWithAModule) {
  const Case cases[] = {
      {"enrty @k() {}", "1:1: expected an entry or a global, found 'enrty'"},
      {"entry k() {}", "1:7: expected a symbol, found 'k'"},
      {"entry @k {}", "1:10: expected '(', found '{'"},
      {"entry @k(x: tile<f32>) {}", "1:10: expected a value, found 'x'"},
      {"entry @k(%a: tile<f32>, %a: tile<f32>) {}", "1:25: %a is already defined"},
      {"entry @k() {", "1:13: expected '}', found the end of the text"},
      {"module {", "1:9: a module is not closed"},
      {"module { module { module {", "1:19: modules are nested too deeply"},
      {"entry @\"k\n() {}", "1:7: expected a symbol, found '@\"k'"},
      {"entry @\"\\k\"() {}", "1:9: no character is written like this"},
      {"global @g <i8: 1>", "1:18: expected ':', found the end of the text"},
      {"global @g alignment = x <i8: 1> : tile<1xi8>", "1:23: expected an alignment, found 'x'"},
      {"global @g alignment = -1 <i8: 1> : tile<1xi8>", "1:23: an alignment is not negative"},
      {"entry @k() optimization_hints=<sm_90 = {occupancy = x}> {}",
       "1:53: expected an integer, found 'x'"},
      {"entry @k(%a: tile<i8> {x = 1) {}", "1:23: this brace is never closed"},
      {"}", "1:1: expected an entry or a global, found '}'"},
  };
  for (const Case& each : cases) {
    EXPECT_THAT(briefly(each.text), testing::ElementsAre(each.error)) << each.text;
  }
}

TEST(ParserErrors, TellWhatIsWrongWithAType) {
  const Case cases[] = {
      {"tile<4xf31>", "1:21: expected an element type, found 'f31'"},
      {"tile<4x?xf32>", "1:14: a tile has no extent that is not known"},
      {"tile<9223372036854775807x2xf32>", "1:14: the tile has too many elements"},
      {"tile<99999999999999999999xf32>", "1:19: the extent does not fit into 64 bits"},
      {"tile<4xf32", "1:24: expected '>', found ')'"},
      {"tensor_view<4xf32>", "1:31: 0 strides for 1 axes"},
      {"tensor_view<4xf32, strides=[1], <some>>", "1:47: expected 'none', found 'some'"},
      {"partition_view<tile=(4), padding_value = one, tensor_view<4xf32, strides=[1]>>",
       "1:55: expected a padding value, found 'one'"},
      {"partition_view<tile=(4), tile<4xf32>>", "1:39: expected a tensor view, found 'tile'"},
      {"gather_scatter_view<tile=(4), tensor_view<4xf32, strides=[1]>, sparse_dim=-1>",
       "1:88: sparse_dim is no axis"},
      {"!mine", "1:14: expected a type, found '!mine'"},
      {"tiel<f32>", "1:14: expected a type, found 'tiel'"},
  };
  for (const Case& each : cases) {
    const std::string text = "entry @k(%a: " + std::string(each.text) + ") {}";
    EXPECT_THAT(briefly(text), testing::ElementsAre(each.error)) << each.text;
  }
}

TEST(ParserErrors, TellWhatIsWrongWithAnOp) {
  const Case cases[] = {
      {"addq %x, %x : tile<f32>", "2:1: no op is called 'addq'"},
      {"tw.print site = <\"print\", parameter = 4294967296>", "2:39: no position is as high"},
      {"tw.print site = <\"print\", axis = -1>", "2:34: a position is not negative"},
      {"\"cuda_tile.absf\"(%x", "3:1: expected ')', found '}'"},
      {"%0 = absf %y : tile<f32>", "2:11: %y is not defined here"},
      {"%0 = absf %x : tile<f32> tile", "2:26: no op is called 'tile'"},
      {"%0 = absf %x tile<f32>", "2:14: expected ':', found 'tile'"},
      {"%0, %1 = absf %x : tile<f32>", "2:10: 2 names for results of absf, which has 1"},
      {"%0:0 = absf %x : tile<f32>", "2:4: no op has this many results"},
      {"%x = absf %x : tile<f32>", "2:1: %x is already defined"},
      {"%0 = absf %x#1 : tile<f32>", "2:13: there is no %x#1"},
      {"%0 = addf %x, %x rounding<up> : tile<f32>", "2:27: expected rounding_mode, found 'up'"},
      {"%0 = cmpi less %n, %n, signed : tile<i32> -> tile<i1>",
       "2:11: expected comparison_predicate, found 'less'"},
      {"%0 = itof %n signed : tile<i64> -> tile<f32>", "2:23: tile<i64> for a value of tile<i32>"},
      {"%0 = make_tensor_view %p, shape = [%n], strides = [1] : tile<i64> -> "
       "tensor_view<?xf32, strides=[1]>",
       "2:57: tile<i64> for a value of tile<i32>"},
      {"%0 = make_tensor_view %p, shape = [4], strides = [1] : tensor_view<8xf32, strides=[1]>",
       "3:1: the extents and strides of make_tensor_view are not those of tensor_view<8xf32, "
       "strides=[1]>"},
      {"%0 = get_tensor_shape", "3:1: expected a value, found '}'"},
      {"%0 = assume odd<1>, %n : tile<i32>", "2:13: no predicate is called 'odd'"},
      {"%0 = negf %x : tile<f32> loc(#here)", "2:30: no place is called #here"},
      {"%0 = negf %x : tile<f32> loc(\"f\":-1:2)", "2:34: no line or column has this number"},
      {"return loc(#cuda_tile.di_loc<unknown in unknown>)",
       "2:41: expected a scope, found 'unknown'"},
      {"return loc(#cuda_tile.di_loc<unknown in #cuda_tile.di_subprogram<size = 1>>)",
       "2:73: expected a property of a function, found '1'"},
      {"%0:2 = if %c -> (tile<f32>) { yield %x : tile<f32> } else { yield %x : tile<f32> }",
       "2:8: 2 names for results of if, which has 1"},
      {"for %i in (%n to %n step %n) : tile<i32> { }", "2:21: expected ',', found 'step'"},
      {"print_tko \"%d, %n : tile<i32>", "2:11: expected a string, found '\"%d, %n : tile<i32>'"},
  };
  for (const Case& each : cases) {
    const std::string text =
        "entry @k(%x: tile<f32>, %c: tile<i1>, %n: tile<i32>, %p: tile<ptr<f32>>) {\n" +
        std::string(each.text) + "\n}";
    EXPECT_THAT(briefly(text), testing::ElementsAre(each.error)) << each.text;
  }
}

TEST(ParserErrors, TellWhatIsWrongWithALiteral) {
  const Case cases[] = {
      {"f32: 1> : tile<f32>", "2:21: a number of a float type needs a point"},
      {"f32: 0x1FFFFFFFF> : tile<f32>", "2:21: 0x1FFFFFFFF has more bits than f32"},
      {"f8E4M3FN: 500.0> : tile<f8E4M3FN>", "2:26: 500.0 is beyond f8E4M3FN"},
      {"i8: 256> : tile<i8>", "2:20: 256 does not fit into i8"},
      {"i8: -129> : tile<i8>", "2:20: -129 does not fit into i8"},
      {"i8: 1.5> : tile<i8>", "2:20: an integer has no point"},
      {"i64: 18446744073709551616> : tile<i64>", "2:21: the number does not fit into 64 bits"},
      {"i8: 1> : tile<i16>", "2:16: i8 elements for tile<i16>"},
      {"i8: [1, 2]> : tile<3xi8>", "2:16: the elements do not fill tile<3xi8>"},
      {"i8: [[1, 2], [3]]> : tile<2x2xi8>", "2:29: the lists have different lengths"},
      {"i8: [[1], 2]> : tile<2x1xi8>", "2:26: expected '[', found '2'"},
      {"i8: [1, [2]]> : tile<2x1xi8>", "2:24: expected an integer, found '['"},
      {"i8: \"0x0\"> : tile<1xi8>", "2:20: the bytes are no whole number of elements"},
      {"i8: \"0x0g\"> : tile<1xi8>", "2:20: no hexadecimal"},
      {"i8: \"0x0102\"> : tile<4xi8>", "2:16: the elements do not fill tile<4xi8>"},
  };
  for (const Case& each : cases) {
    const std::string text = "entry @k() {\n%0 = constant <" + std::string(each.text) + "\n}";
    EXPECT_THAT(briefly(text), testing::ElementsAre(each.error)) << each.text;
  }
}

TEST(ParserErrors, AreAllTold) {
  const char* text =
      "entry @a(%x: tile<f32>) {\n"
      "  %0 = absq %x : tile<f32>\n"
      "  %1 = absf %0 : tile<f32>\n"       // no error: %0 has been told
      "  %2, %3 = addf %x, : tile<f32>\n"  // the comma leads to nothing
      "  if %2 oops {\n"
      "    %4 = absq %x : tile<f32>\n"  // part of an op that is not understood
      "  } else {\n"
      "  }\n"
      "  %5 = absf %6 : tile<f32>\n"
      "}\n"
      "entry @b() {\n"
      "  loop {\n"
      "    break %7 : tile<f32>\n"
      "entry @c() {\n"
      "  retrun\n"
      "}\n";
  EXPECT_THAT(
      briefly(text),
      testing::ElementsAre("2:8: no op is called 'absq'", "4:21: expected a value, found ':'",
                           "5:9: expected '{', found 'oops'", "9:13: %6 is not defined here",
                           "13:11: %7 is not defined here", "14:1: expected '}', found 'entry'",
                           "15:3: no op is called 'retrun'"));
}

TEST(ParserErrors, ShowTheLineWithACaret) {
  const auto errors = errors_of("entry @k(%x: tile<f32>) {\n\t%0 = absf %y : tile<f32>\n}");
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_STREQ(errors[0].where.file_name(), "a.mlir");
  ASSERT_EQ(errors[0].notes.size(), 1U);
  EXPECT_EQ(errors[0].notes[0].message,
            " %0 = absf %y : tile<f32>\n"
            "             ^");
  EXPECT_EQ(to_string(errors[0]),
            "a.mlir:2: %y is not defined here\n"
            "   %0 = absf %y : tile<f32>\n"
            "             ^");
}

TEST(ParserErrors, AreAtMostAHundred) {
  std::string text = "entry @k() {\n";
  for (int i = 0; i < 1000; ++i) text += "oops\n";
  EXPECT_EQ(errors_of(text + "}\n").size(), 100U);
}

}  // namespace
}  // namespace tw::ir
