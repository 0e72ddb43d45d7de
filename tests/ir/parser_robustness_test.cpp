// SPDX-License-Identifier: Apache-2.0
// Whatever a text is, it gives a module or a ParseError.
#include <chrono>
#include <optional>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include <tilewright/ir/parser.hpp>
#include <tilewright/ir/printer.hpp>
#include <tilewright/ir/verifier.hpp>

#include "tests/ir/op_samples.hpp"
#include "tests/ir/sample_module.hpp"

namespace tw::ir {
namespace {

std::optional<Module> parsed(const std::string& text) {
  try {
    return parse(text);
  } catch (const ParseError&) {
    return std::nullopt;
  }
}

/// What is read can be verified, printed and read again.
void expect_sound(const std::string& text) {
  const auto module = parsed(text);
  if (!module) return;
  (void)verify(*module);
  const std::string printed = print(*module);
  EXPECT_EQ(print(parse(printed)), printed) << text;
}

std::string all_samples() {
  std::string text;
  for (const OpSample& sample : samples::all()) text += print(sample.module());
  return text;
}

TEST(ParserRobustness, SurvivesTruncationAtEveryByte) {
  const std::string text = sample_text;
  for (std::size_t length = 0; length < text.size(); ++length) {
    expect_sound(text.substr(0, length));
  }
  for (const OpSample& sample : samples::all()) {
    const std::string one = print(sample.module());
    for (std::size_t length = 0; length < one.size(); ++length) {
      expect_sound(one.substr(0, length));
    }
  }
}

/// What the form that all ops have tells need not fit together, so that it is printed but not
/// always read again.
constexpr const char* generic_text = R"("builtin.module"() ({
"cuda_tile.module"() <{sym_name = "m"}> ({
  "cuda_tile.global"() <{sym_name = "g", value = dense<[1, 2]> : tile<2xi8>}> : () -> ()
  "cuda_tile.entry"() <{sym_name = "k", function_type = (tile<i32>, tile<ptr<f32>>) -> ()}> ({
  ^bb0(%n: tile<i32>, %p: tile<ptr<f32>>):
    %c = "cuda_tile.constant"() <{value = dense<1.0> : tile<4xf32>}> : () -> tile<4xf32>
    %v = "cuda_tile.make_tensor_view"(%p, %n) <{operandSegmentSizes = array<i32: 1, 1, 0>}>
        : (tile<ptr<f32>>, tile<i32>) -> tensor_view<?xf32, strides=[1]>
    %r = "cuda_tile.for"(%n, %n, %n, %c) ({
    ^bb0(%i: tile<i32>, %s: tile<4xf32>):
      %x = "cuda_tile.addf"(%s, %s) <{rounding_mode = #cuda_tile.rounding<zero>}>
          : (tile<4xf32>, tile<4xf32>) -> tile<4xf32>
      "cuda_tile.continue"(%x) : (tile<4xf32>) -> ()
    }) : (tile<i32>, tile<i32>, tile<i32>, tile<4xf32>) -> tile<4xf32>
    %q = "cuda_tile.reduce"(%r) <{dim = 0 : i32, identities = [0.0 : f32]}> ({
    ^bb0(%a: tile<f32>, %b: tile<f32>):
      %y = "cuda_tile.maxf"(%a, %b) <{propagate_nan}> : (tile<f32>, tile<f32>) -> tile<f32>
      "cuda_tile.yield"(%y) : (tile<f32>) -> ()
    }) : (tile<4xf32>) -> tile<f32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
}) : () -> ()
)";

void expect_printed(const std::string& text) {
  const auto module = parsed(text);
  if (!module) return;
  const std::string printed = print(*module);
  if (!verify(*module).empty()) return;
  EXPECT_EQ(print(parse(printed)), printed) << text;
}

TEST(ParserRobustness, SurvivesChangesOfTheGenericForm) {
  const std::string text = generic_text;
  ASSERT_TRUE(parsed(text));
  EXPECT_TRUE(verify(*parsed(text)).empty());
  for (std::size_t length = 0; length < text.size(); ++length) {
    expect_printed(text.substr(0, length));
  }
  std::mt19937 random(2);
  for (int round = 0; round < 2000; ++round) {
    std::string edited = text;
    const std::size_t at = random() % edited.size();
    if (round % 3 == 0) edited.erase(at, 1 + random() % 12);
    if (round % 3 == 1) edited.insert(at, text.substr(random() % text.size(), random() % 24));
    if (round % 3 == 2) edited[at] = text[random() % text.size()];
    expect_printed(edited);
  }
}

TEST(ParserRobustness, SurvivesRandomEdits) {
  const std::string text = sample_text + all_samples();
  std::mt19937 random(1);
  const auto below = [&](std::size_t bound) { return random() % bound; };
  for (int round = 0; round < 400; ++round) {
    // A window, so that most edits meet a text that is otherwise right.
    std::string edited = round % 2 == 0 ? std::string(sample_text) : text;
    for (std::size_t edits = 1 + below(4); edits != 0; --edits) {
      const std::size_t at = below(edited.size());
      switch (below(4)) {
        case 0:
          edited[at] = static_cast<char>(below(256));
          break;
        case 1:
          edited.erase(at, 1 + below(8));
          break;
        case 2:
          edited.insert(at, text.substr(below(text.size()), below(16)));
          break;
        default:
          edited[at] = "%@#!<>(){}[]:=,-\"0x?"[below(20)];
      }
    }
    expect_sound(edited);
  }
}

TEST(ParserRobustness, SurvivesDeepNesting) {
  const std::size_t depth = 100'000;
  const auto repeated = [&](const std::string& part) {
    std::string text;
    for (std::size_t i = 0; i < depth; ++i) text += part;
    return text;
  };
  const std::string head = "entry @k(%c: tile<i1>) {\n";
  EXPECT_FALSE(parsed(head + repeated("if %c {\n")));
  EXPECT_FALSE(parsed(head + repeated("loop {")));
  EXPECT_FALSE(parsed(head + "%0 = constant <i8: " + repeated("[") + "\n}"));
  EXPECT_FALSE(parsed(head + "return loc(" + repeated("callsite(") + "\n}"));
  EXPECT_FALSE(parsed(head + "return loc(" + repeated("loc(") + "\n}"));
  EXPECT_FALSE(parsed(repeated("module {")));
  EXPECT_FALSE(parsed("entry @k(%c: tile<" + repeated("1x") + "i1>) {}"));
  EXPECT_FALSE(parsed("entry @k(%c: tile<i1> " + repeated("{")));
}

TEST(ParserRobustness, EndsForPlacesThatNameEachOther) {
  std::string text = "entry @k() { return loc(#l0) }\n";
  for (int i = 0; i < 10'000; ++i) {
    text += "#l" + std::to_string(i) + " = loc(#l" + std::to_string(i + 1) + ")\n";
  }
  EXPECT_FALSE(parsed(text));
  EXPECT_FALSE(parsed("entry @k() { return loc(#a) }\n#a = loc(#b)\n#b = loc(#a)\n"));
  EXPECT_FALSE(
      parsed("entry @k() { return loc(#cuda_tile.di_loc<unknown in #a>) }\n"
             "#a = #cuda_tile.di_lexical_block<scope = #a>\n"));
}

TEST(ParserRobustness, KeepsMemoryInProportion) {
  EXPECT_FALSE(parsed("entry @k() {\n%0:4000000000 = get_tile_block_id : tile<i32>\n}"));
  EXPECT_FALSE(
      parsed("entry @k(%v: tensor_view<f32>) {\n%0:60000 = get_tensor_shape %v : "
             "tensor_view<f32> -> tile<i32>\n}"));
  const auto large = parsed("entry @k() {\n%0 = constant <i8: 0> : tile<1099511627776xi8>\n}");
  ASSERT_TRUE(large);
  EXPECT_EQ(large->functions.at(0).body.ops.at(0).get<Constant>(AttributeName::value).bytes.size(),
            1U);
}

TEST(ParserRobustness, TakesTimeInProportionToLength) {
  using Clock = std::chrono::steady_clock;
  const auto seconds = [](std::size_t ops) {
    std::string text = "entry @k(%x: tile<f32>) {\n";
    for (std::size_t i = 0; i < ops; ++i) {
      text += "%v" + std::to_string(i) + " = absf %x : tile<f32>\n";
    }
    text += "}\n";
    const auto begin = Clock::now();
    EXPECT_TRUE(parsed(text));
    return std::chrono::duration<double>(Clock::now() - begin).count();
  };
  const double few = seconds(2'000);
  // Sixteen times as many; quadratic time would take 256 times as long.
  EXPECT_LT(seconds(32'000), 100 * few + 0.5);
}

}  // namespace
}  // namespace tw::ir
