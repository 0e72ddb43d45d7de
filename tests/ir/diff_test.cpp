// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <tilewright/ir/diff.hpp>
#include <tilewright/ir/parser.hpp>
#include <tilewright/ir/printer.hpp>

#include "tests/ir/any_op.hpp"
#include "tests/ir/op_samples.hpp"
#include "tests/ir/sample_module.hpp"
#include "tests/ir/shuffled.hpp"

namespace tw::ir {
namespace {

using ::testing::ElementsAre;
using enum HarmlessKind;

/// What is harmless, or what diverges.
std::string summary(const Diff& found) {
  if (found.divergence) {
    return found.divergence->what + ": " + found.divergence->left.path + " | " +
           found.divergence->right.path;
  }
  std::string text;
  for (const HarmlessDifference& each : found.harmless) {
    text +=
        std::string(to_string(each.kind)) + ": " + each.left.path + " | " + each.right.path + "\n";
  }
  return text;
}

std::string summary(const Module& left, const Module& right, const DiffOptions& options = {}) {
  return summary(diff(left, right, options));
}

std::vector<Module> known_modules() {
  std::vector<Module> modules{SampleModule::build()};
  for (const OpSample& each : samples::all()) modules.push_back(each.module());
  for (const auto& each : std::filesystem::directory_iterator(TILEWRIGHT_GOLDEN_FOLDER)) {
    std::ifstream in(each.path());
    modules.push_back(parse(std::string(std::istreambuf_iterator<char>(in), {})));
    // A file holds several traces of one kernel, all under its name.
    auto& functions = modules.back().functions;
    for (std::size_t i = 0; i < functions.size(); ++i) functions[i].name += std::to_string(i);
  }
  return modules;
}

/// An entry of two floats and an integer.
Module kernel(const std::string& body) {
  return parse("entry @k(%a: tile<f32>, %b: tile<f32>, %n: tile<i32>) {\n" + body + "}\n");
}

RC_GTEST_PROP(Diff, OrderAndNumbersDoNotCount, (std::uint32_t seed)) {
  static const std::vector<Module> modules = known_modules();
  for (const Module& each : modules) {
    const Diff found = diff(each, Shuffler(seed).shuffled(each));
    RC_ASSERT(summary(found) == "");
    RC_ASSERT(found.likeness() == Likeness::identical);
  }
}

TEST(Diff, FindsAChangeOfEveryAttribute) {
  for (const OpRow& row : all_rows()) {
    const Module left = AnyOp::module(row);
    for (std::size_t i = 0; i < row.attributes.size(); ++i) {
      Module right = left;
      Attribute& value = right.functions[0].body.ops[0].attributes[i];
      value = AnyOp::changed(value);
      const std::string path = "@k/0:" + std::string(row.name);
      const std::string name(attribute_text(row.attributes[i].name));
      EXPECT_EQ(summary(left, Shuffler(1).shuffled(right)),
                "attribute " + name + ": " + path + " | " + path);
    }
  }
}

TEST(Diff, FindsAChangeOfEveryOperand) {
  for (const OpRow& row : all_rows()) {
    const Module left = AnyOp::module(row);
    const std::size_t count = left.functions[0].body.ops[0].operands.size();
    std::size_t index = 0;
    for (std::size_t group = 0; group < row.operands.size(); ++group) {
      const bool is_list = row.operands[group].arity == Arity::variadic;
      for (std::size_t i = 0; i < (is_list ? 2u : 1u); ++i, ++index) {
        ASSERT_LT(index, count);
        Module right = left;
        ++right.functions[0].body.ops[0].operands[index].index;
        const std::string path = "@k/0:" + std::string(row.name);
        std::string name = "operand " + std::string(row.operands[group].name);
        if (is_list) name += "[" + std::to_string(i) + "]";
        EXPECT_EQ(summary(left, Shuffler(2).shuffled(right)), name + ": " + path + " | " + path);
      }
    }
  }
}

TEST(Diff, FindsAChangeInEveryBlock) {
  for (const OpRow& row : all_rows()) {
    const Module left = AnyOp::module(row);
    for (std::size_t i = 0; i < row.regions; ++i) {
      Module right = left;
      right.functions[0].body.ops[0].regions[i].ops[0].code = Opcode::negf;
      const std::string path =
          "@k/0:" + std::string(row.name) + (i == 0 ? "" : "." + std::to_string(i));
      EXPECT_EQ(summary(left, right), "op: " + path + "/0:absf | " + path + "/0:negf");
    }
  }
}

TEST(Diff, FindsAChangeOfTypes) {
  const Module left = kernel("%0 = exti %n signed : tile<i32> -> tile<i64>\n return\n");
  Module right = left;
  right.functions[0].types.back() = tile_type(ElementKind::i32);
  EXPECT_EQ(summary(left, right), "type of result 0: @k/0:exti | @k/0:exti");
  right = left;
  right.functions[0].types[0] = tile_type(ElementKind::f64);
  EXPECT_EQ(summary(left, right), "parameters: @k | @k");
}

TEST(Diff, TellsBothLinesAndPlaces) {
  const Diff found =
      diff(kernel("%0 = addf %a, %b : tile<f32> loc(\"l.cpp\":4:2)\n %1 = negf %0 : tile<f32>\n"
                  "print_tko \"%f\", %1 : tile<f32> -> token\n"),
           kernel("%0 = subf %a, %b : tile<f32> loc(\"r.cpp\":5:3)\n %1 = negf %0 : tile<f32>\n"
                  "print_tko \"%f\", %1 : tile<f32> -> token\n"),
           {.ignore_places = true});
  ASSERT_TRUE(found.divergence);
  EXPECT_EQ(found.divergence->what, "op");
  EXPECT_EQ(found.divergence->left.path, "@k/0:addf");
  EXPECT_EQ(found.divergence->left.text, "%0 = addf %arg0, %arg1  : tile<f32>");
  EXPECT_EQ(found.divergence->right.text, "%0 = subf %arg0, %arg1  : tile<f32>");
  EXPECT_STREQ(found.divergence->right.source.file_name(), "r.cpp");
  EXPECT_EQ(found.divergence->right.source.line(), 5u);
}

TEST(Diff, MissingOpsDiffer) {
  const std::string print = "print_tko \"x\" -> token\n";
  EXPECT_EQ(summary(kernel(print + print), kernel(print)), "op: @k/1:print_tko | @k/1:return");
}

struct HarmlessCase {
  const char* left;
  const char* right;
  const char* summary;
};

TEST(Diff, ListsWhatIsHarmless) {
  const HarmlessCase cases[] = {
      {"%0 = addf %a, %b : tile<f32>\n print_tko \"%f\", %0 : tile<f32> -> token\n",
       "%0 = addf %b, %a : tile<f32>\n print_tko \"%f\", %0 : tile<f32> -> token\n",
       "commuted operands: @k/0:addf | @k/0:addf\n"},
      {"%0 = cmpf equal ordered %a, %b : tile<f32> -> tile<i1>\n assert %0, \"x\" : tile<i1>\n",
       "%0 = cmpf equal ordered %b, %a : tile<f32> -> tile<i1>\n assert %0, \"x\" : tile<i1>\n",
       "commuted operands: @k/0:cmpf | @k/0:cmpf\n"},
      {"%0 = assume div_by<4>, %n : tile<i32>\n %1 = assume bounded<0, ?>, %0 : tile<i32>\n"
       "print_tko \"%i\", %1 : tile<i32> -> token\n",
       "%0 = assume bounded<0, ?>, %n : tile<i32>\n %1 = assume div_by<4>, %0 : tile<i32>\n"
       "print_tko \"%i\", %1 : tile<i32> -> token\n",
       "order of promises: @k/1:assume | @k/1:assume\n"},
      {"%0 = constant <i32: 1> : tile<i32>\n %1 = constant <i32: 1> : tile<i32>\n"
       "print_tko \"%i%i\", %0, %1 : tile<i32>, tile<i32> -> token\n",
       "%0 = constant <i32: 1> : tile<i32>\n"
       "print_tko \"%i%i\", %0, %0 : tile<i32>, tile<i32> -> token\n",
       "sharing of constants: @k/0:constant | @k/0:constant\n"},
      {"%0 = negf %a : tile<f32>\n print_tko \"%f%f\", %0, %0 : tile<f32>, tile<f32> -> token\n",
       "%0 = negf %a : tile<f32>\n %1 = negf %a : tile<f32>\n"
       "print_tko \"%f%f\", %0, %1 : tile<f32>, tile<f32> -> token\n",
       "sharing of values: @k/0:negf | @k/0:negf\n"},
      {"%0 = negf %a : tile<f32>\n", "return\n", "unused op: @k/0:negf | \n"},
      {"%c = constant <i1: true> : tile<i1>\n %0 = negf %a : tile<f32>\n"
       "if %c { print_tko \"%f\", %0 : tile<f32> -> token }\n",
       "%c = constant <i1: true> : tile<i1>\n"
       "if %c { %0 = negf %a : tile<f32>\n print_tko \"%f\", %0 : tile<f32> -> token }\n",
       "moved op: @k/1:negf | @k/1:if/0:negf\n"},
      {"%c = constant <i1: true> : tile<i1>\n if %c { }\n",
       "%c = constant <i1: true> : tile<i1>\n if %c { } else { }\n",
       "empty else: @k/1:if | @k/1:if\n"},
  };
  for (const HarmlessCase& each : cases) {
    const Diff found = diff(kernel(each.left), kernel(each.right));
    EXPECT_EQ(summary(found), each.summary);
    EXPECT_EQ(found.likeness(), Likeness::equivalent);
  }
}

TEST(Diff, HarmlessDifferencesBelowOthersAreTold) {
  const std::string end = "%1 = negf %0 : tile<f32>\n print_tko \"%f\", %1 : tile<f32> -> token\n";
  EXPECT_EQ(summary(kernel("%0 = mulf %a, %b : tile<f32>\n" + end),
                    kernel("%0 = mulf %b, %a : tile<f32>\n" + end)),
            "commuted operands: @k/0:mulf | @k/0:mulf\n");
}

TEST(Diff, OtherOrdersOfOperandsDiffer) {
  const auto subtracted = [](const std::string& operands) {
    return kernel("%0 = subf " + operands +
                  " : tile<f32>\n print_tko \"%f\", %0 : tile<f32> -> token\n");
  };
  EXPECT_EQ(summary(subtracted("%a, %b"), subtracted("%b, %a")),
            "operand lhs: @k/0:subf | @k/0:subf");
  const auto compared = [](const std::string& operands) {
    return kernel("%0 = cmpi less_than " + operands +
                  ", signed : tile<i32> -> tile<i1>\n assert %0, \"x\" : tile<i1>\n");
  };
  EXPECT_EQ(summary(compared("%n, %n"), compared("%n, %n")), "");
}

// Out of its branch, a division by zero would run.
TEST(Diff, DivisionsStayWhereTheyAre) {
  const std::string division = "%0 = divi %n, %n signed : tile<i32>\n";
  const std::string print = "print_tko \"%i\", %0 : tile<i32> -> token }\n";
  const std::string condition = "%c = constant <i1: true> : tile<i1>\n";
  EXPECT_EQ(summary(kernel(condition + division + "if %c {" + print),
                    kernel(condition + "if %c {" + division + print)),
            "block of a division: @k/1:divi | @k/1:if/0:divi");
}

TEST(Diff, PlacesAndHintsCountUnlessIgnored) {
  const auto printed = [](const std::string& line, const std::string& hint) {
    return parse("entry @k(%p: tile<ptr<f32>>) optimization_hints=<sm_90 = {occupancy = " + hint +
                 "}> {\n %0 = make_token : token loc(\"k.cpp\":" + line +
                 ":1)\n print_tko \"x\" token = %0 -> token\n}\n");
  };
  const Module one = printed("1", "1");
  EXPECT_EQ(summary(one, printed("2", "1")), "source place: @k/0:make_token | @k/0:make_token");
  EXPECT_EQ(summary(one, printed("1", "2")), "hints: @k | @k");
  EXPECT_EQ(summary(one, printed("2", "2"), {.ignore_places = true, .ignore_hints = true}), "");
}

TEST(Diff, FunctionsAndGlobalsArePairedByName) {
  const Module both = parse("entry @a() {}\nentry @b() {}\n");
  EXPECT_EQ(summary(both, parse("entry @b() {}\nentry @a() {}\n")), "");
  EXPECT_EQ(summary(both, parse("entry @b() {}\n")), "function: @a | ");
  EXPECT_EQ(summary(parse("entry @b() {}\n"), both), "function:  | @a");
  EXPECT_EQ(summary(parse("entry @a() {}\n"), parse("entry @b() {}\n")), "");
  const Module one = parse("global @g <i8: 1> : tile<1xi8>\n");
  EXPECT_EQ(summary(one, parse("global @g <i8: 2> : tile<1xi8>\n")), "value: @g | @g");
  EXPECT_EQ(summary(one, parse("global @h <i8: 1> : tile<1xi8>\n")), "global: @g | ");
  EXPECT_EQ(summary(one, parse("global @g alignment = 8 <i8: 1> : tile<1xi8>\n")),
            "alignment: @g | @g");
}

// A replaced value that both sides have is a change of its use, else of what computes it.
TEST(Diff, NamesTheOpThatChanged) {
  const std::string print = "print_tko \"%f\", %1 : tile<f32> -> token\n";
  const Module left = kernel("%0 = negf %a : tile<f32>\n %1 = absf %0 : tile<f32>\n" + print);
  EXPECT_EQ(summary(left, kernel("%0 = negf %b : tile<f32>\n %1 = absf %0 : tile<f32>\n" + print)),
            "operand source: @k/0:negf | @k/0:negf");
  EXPECT_EQ(summary(left, kernel("%0 = negf %a : tile<f32>\n %1 = absf %b : tile<f32>\n" + print)),
            "operand source: @k/1:absf | @k/1:absf");
  EXPECT_EQ(summary(left, kernel("%0 = negf %a : tile<f32>\n %1 = sin %0 : tile<f32>\n" + print)),
            "op: @k/1:absf | @k/1:sin");
}

}  // namespace
}  // namespace tw::ir
