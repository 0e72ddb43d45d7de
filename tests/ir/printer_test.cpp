// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>
#include <set>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include <tilewright/ir/builder.hpp>
#include <tilewright/ir/printer.hpp>

#include "tests/ir/make_value.hpp"
#include "tests/ir/op_samples.hpp"
#include "tests/ir/sample_module.hpp"

namespace tw::ir {
namespace {

using enum ElementKind;

/// A module of one entry, `build(builder, function)` and a return.
template <class Build>
Module module_of(Build build) {
  Module module;
  Function function{.name = "k"};
  Builder builder(function);
  build(builder, function);
  builder.append(OpDraft(Opcode::return_), {});
  module.functions.push_back(std::move(function));
  return module;
}

/// The lines of `text` from the second to the last but two: those between `entry` and `return`.
std::string entry_body(const std::string& text) {
  const std::size_t begin = text.find('\n') + 1;
  return text.substr(begin, text.rfind("  return") - begin);
}

/// A block with arguments of these types that `fill(builder, block)` appends to.
template <class Fill>
Block block_of(Builder& builder, std::initializer_list<Type> arguments, Fill fill) {
  Block block;
  for (const Type& type : arguments) block.arguments.push_back(builder.function().fresh(type));
  builder.enter(block);
  fill(block);
  builder.leave();
  return block;
}

void end(Builder& builder, Opcode code, std::initializer_list<Value> values = {}) {
  builder.append(OpDraft(code).group(values), {});
}

TEST(Printer, PrintsTheSampleAsTheOfficialToolsDo) {
  const Module module = SampleModule::build();
  EXPECT_EQ(print(module, {.wrapped = true}), sample_text);

  std::istringstream lines(sample_text);
  std::string bare;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("    ")) bare += line.substr(4) + "\n";
  }
  EXPECT_EQ(print(module), bare);
}

TEST(Printer, PrintsEveryOp) {
  std::set<Opcode> printed;
  for (const OpSample& sample : samples::all()) {
    const std::string text = entry_body(print(sample.module()));
    const std::size_t line = text.rfind('\n', text.size() - 2);
    const std::size_t begin = line == std::string::npos ? 0 : line + 1;
    EXPECT_EQ(text.substr(begin), std::string("  ") + sample.text + "\n");
    printed.insert(sample.code);
  }
  for (const OpRow& row : all_rows()) {
    const bool has_sample = row.effect != Effect::control && row.effect != Effect::terminator &&
                            row.code < Opcode::check;
    EXPECT_EQ(printed.contains(row.code), has_sample) << row.name;
  }
}

Module nested_loops() {
  return module_of([](Builder& b, Function& f) {
    const Value n = add_parameter(f, tile_type(i32));
    const Type scalar = tile_type(i32);
    Block inner = block_of(b, {scalar}, [&](Block&) { end(b, Opcode::continue_); });
    Block outer = block_of(b, {scalar, scalar, scalar}, [&](Block& body) {
      b.integer(i32, 0);
      b.append(OpDraft(Opcode::for_).operand(n).operand(n).operand(n).region(std::move(inner)), {});
      end(b, Opcode::continue_, {body.arguments[2], body.arguments[1]});
    });
    OpDraft loop(Opcode::for_);
    loop.operand(n).operand(n).operand(n).group({n, n}).region(std::move(outer));
    const Op& op = b.append(loop.finish(f, {scalar, scalar}));
    const Value first = op.results[0];
    const Value second = op.results[1];
    b.simple(Opcode::andi, scalar, {first, second});
  });
}

TEST(Printer, PrintsLoops) {
  EXPECT_EQ(entry_body(print(nested_loops())),
            "  %for:2 = for %loopIdx in (%arg0 to %arg0, step %arg0) : tile<i32> "
            "iter_values(%iterArg0 = %arg0, %iterArg1 = %arg0) -> (tile<i32>, tile<i32>) {\n"
            "    %cst_0_i32 = constant <i32: 0> : tile<i32>\n"
            "    for %loopIdx_0 in (%arg0 to %arg0, step %arg0) : tile<i32> {\n"
            "    }\n"
            "    continue %iterArg1, %iterArg0 : tile<i32>, tile<i32>\n"
            "  }\n"
            "  %0 = andi %for#0, %for#1 : tile<i32>\n");
}

Module endless_loops() {
  return module_of([](Builder& b, Function& f) {
    const Value n = add_parameter(f, tile_type(i32));
    const Value c = add_parameter(f, tile_type(i1));
    b.append(OpDraft(Opcode::loop)
                 .group({})
                 .region(block_of(b, {}, [&](Block&) { end(b, Opcode::break_); })),
             {});
    b.append(OpDraft(Opcode::loop)
                 .group({})
                 .region(block_of(b, {}, [&](Block&) { end(b, Opcode::break_, {n}); })),
             {tile_type(i32)});
    b.append(OpDraft(Opcode::loop)
                 .group({n})
                 .region(block_of(
                     b, {tile_type(i32)},
                     [&](Block& l) {
                       Block leave = block_of(b, {}, [&](Block&) { end(b, Opcode::break_); });
                       b.append(OpDraft(Opcode::if_).operand(c).region(std::move(leave)), {});
                       end(b, Opcode::continue_, {l.arguments[0]});
                     })),
             {});
  });
}

TEST(Printer, PrintsEndlessLoops) {
  EXPECT_EQ(entry_body(print(endless_loops())),
            "  loop {\n"
            "    break\n"
            "  }\n"
            "  %0 = loop : tile<i32> {\n"
            "    break %arg0 : tile<i32>\n"
            "  }\n"
            "  loop iter_values(%arg2 = %arg0) : tile<i32> {\n"
            "    if %arg1 {\n"
            "      break\n"
            "    }\n"
            "    continue %arg2 : tile<i32>\n"
            "  }\n");
}

Module branches() {
  return module_of([](Builder& b, Function& f) {
    const Value c = add_parameter(f, tile_type(i1));
    const auto arm = [&](bool value) {
      return block_of(b, {}, [&](Block&) {
        b.integer(i1, value);
        end(b, Opcode::yield);
      });
    };
    b.append(OpDraft(Opcode::if_).operand(c).region(arm(true)).region(arm(true)), {});
    b.append(OpDraft(Opcode::if_).operand(c).region(arm(false)), {});
    b.integer(i1, 0);
  });
}

TEST(Printer, PrintsBranchesWhoseNamesAreTheirOwn) {
  EXPECT_EQ(entry_body(print(branches())),
            "  if %arg0 {\n"
            "    %true = constant <i1: true> : tile<i1>\n"
            "  } else {\n"
            "    %true = constant <i1: true> : tile<i1>\n"
            "  }\n"
            "  if %arg0 {\n"
            "    %false_0 = constant <i1: false> : tile<i1>\n"
            "  }\n"
            "  %false = constant <i1: false> : tile<i1>\n");
}

Module reduction_of_two() {
  return module_of([](Builder& b, Function& f) {
    const Value x = b.constant(f32, 0x40400000, {2, 4});
    const Value i = b.constant(i64, 5, {2, 4});
    const Type value = tile_type(f32);
    const Type index = tile_type(i64);
    Block body = block_of(b, {value, value, index, index}, [&](Block& block) {
      end(b, Opcode::yield, {block.arguments[0], block.arguments[3]});
    });
    OpDraft reduce(Opcode::reduce);
    reduce.group({x, i}).set(AttributeName::dim, Attribute(std::int64_t{0}));
    reduce.set(AttributeName::identities, ScalarArray{{f32, 0x3f333333}, {i64, ~0ull}});
    reduce.region(std::move(body));
    const Op& op = b.append(reduce.finish(f, {tile_type(f32, {4}), tile_type(i64, {4})}));
    const Value second = op.results[1];
    b.simple(Opcode::andi, tile_type(i64, {4}), {second, second});
  });
}

TEST(Printer, PrintsReductions) {
  EXPECT_EQ(
      entry_body(print(reduction_of_two())),
      "  %cst_3_f32 = constant <f32: 3.000000e+00> : tile<2x4xf32>\n"
      "  %cst_5_i64 = constant <i64: 5> : tile<2x4xi64>\n"
      "  %reduce:2 = reduce %cst_3_f32, %cst_5_i64 dim=0 identities=[0.699999988 : f32, -1] : "
      "tile<2x4xf32>, tile<2x4xi64> -> tile<4xf32>, tile<4xi64> \n"
      "  (%reduce_lhs0: tile<f32>, %reduce_rhs0: tile<f32>, %reduce_lhs1: tile<i64>, "
      "%reduce_rhs1: tile<i64>) {\n"
      "    yield %reduce_lhs0, %reduce_rhs1 : tile<f32>, tile<i64>\n"
      "  }\n"
      "  %0 = andi %reduce#1, %reduce#1 : tile<4xi64>\n");
}

Module named_values() {
  return module_of([](Builder& b, Function& f) {
    const Value p = add_parameter(f, tile_type(i32));
    b.integer(i32, -1);
    b.integer(i32, -1);
    b.constant(f32, 0x7fc00000);
    b.constant(f32, 0x80000000);
    b.constant(f64, 0x43e0000000000000);  // 2^63
    b.constant(i1, 0, {4});
    b.append(OpDraft(Opcode::constant).set(AttributeName::value, dense(i1, {1, 0})),
             {tile_type(i1, {2})});
    const auto assume = [&](Value value) {
      OpDraft draft(Opcode::assume);
      draft.operand(value).set(AttributeName::predicate, AssumePredicate(DivBy{2}));
      return b.append(draft, {tile_type(i32)});
    };
    assume(assume(b.block_ids()[1]));
    assume(b.simple(Opcode::ori, tile_type(i32), {p, p}));
  });
}

TEST(Printer, NamesValuesAfterTheirOps) {
  EXPECT_EQ(entry_body(print(named_values())),
            "  %cst_-1_i32 = constant <i32: -1> : tile<i32>\n"
            "  %cst_-1_i32_0 = constant <i32: -1> : tile<i32>\n"
            "  %cst_NaN_f32 = constant <f32: 0x7FC00000> : tile<f32>\n"
            "  %cst_f32 = constant <f32: -0.000000e+00> : tile<f32>\n"
            "  %cst_9223372036854775808_f64 = constant <f64: 9.2233720368547758E+18> : tile<f64>\n"
            "  %false = constant <i1: false> : tile<4xi1>\n"
            "  %cst_i1 = constant <i1: [true, false]> : tile<2xi1>\n"
            "  %blockId_x, %blockId_y, %blockId_z = get_tile_block_id : tile<i32>\n"
            "  %assume_blockId_y = assume div_by<2>, %blockId_y : tile<i32>\n"
            "  %assume_assume_blockId_y = assume div_by<2>, %assume_blockId_y : tile<i32>\n"
            "  %0 = ori %arg0, %arg0 : tile<i32>\n"
            "  %assume = assume div_by<2>, %0 : tile<i32>\n");
}

Module many_globals() {
  Module module;
  module.name = "odd name";
  module.producer = "tilewright \"0\"";
  const Type pair = tile_type(i8, {2});
  const Constant value = dense(i8, {0xff, 1});
  module.globals = {
      {"a", pair, value},
      {"b", pair, value, 8, true},
      {"c$.d", pair, value, 0, false, Visibility::private_},
      {"0", pair, value, 0, true, Visibility::private_},
  };
  Function function{.name = "k-x y"};
  Builder(function).append(OpDraft(Opcode::return_), {});
  module.functions.push_back(std::move(function));
  return module;
}

TEST(Printer, PrintsModules) {
  EXPECT_EQ(print(many_globals(), {.wrapped = true}),
            "module {\n"
            "  cuda_tile.module @\"odd name\" attributes {producer = \"tilewright \\220\\22\"} {\n"
            "    global  @a <i8: [-1, 1]> : tile<2xi8>\n"
            "    global  constant @b alignment = 8 <i8: [-1, 1]> : tile<2xi8>\n"
            "    global private  @c$.d <i8: [-1, 1]> : tile<2xi8>\n"
            "    global private  constant @\"0\" <i8: [-1, 1]> : tile<2xi8>\n"
            "    entry @\"k-x y\"() {\n"
            "      return\n"
            "    }\n"
            "  }\n"
            "}\n");
  EXPECT_TRUE(print(many_globals()).starts_with("// Producer: tilewright \"0\"\nglobal  @a <"));
}

TEST(Printer, PrintsFloatsThatReadBackAsTheSameBits) {
  struct Case {
    ElementKind kind;
    std::uint64_t bits;
    const char* text;
  };
  const Case cases[] = {
      {f32, 0x00000000, "0.000000e+00"},
      {f32, 0x3dcccccd, "1.000000e-01"},
      {f32, 0x3f333333, "0.699999988"},
      {f32, 0x40490fdb, "3.14159274"},
      {f32, 0x7f7fffff, "3.40282347E+38"},
      {f32, 0x00000001, "1.401300e-45"},
      {f32, 0x4b800001, "0x4B800001"},
      {f32, 0xff800000, "0xFF800000"},
      {f32, 0x3a83126f, "1.000000e-03"},
      {f32, 0x00800000, "1.17549435E-38"},
      {f64, 0x3fb999999999999a, "1.000000e-01"},
      {f64, 0x400921fb54442d18, "3.1415926535897931"},
      {f16, 0x3c66, "1.099610e+00"},
      {f16, 0x7bff, "6.550400e+04"},
      {bf16, 0xff80, "0xFF80"},
      {bf16, 0x3eab, "3.339840e-01"},
      {tf32, 0x7fc00, "0x7FC00"},
      {f8e4m3, 0x7e, "4.480000e+02"},
      {f8e4m3, 0x7f, "0x7F"},
      {f8e8m0, 0x7f, "1.000000e+00"},
      {f4e2m1, 0xf, "-6.000000e+00"},
  };
  for (const Case& each : cases) {
    const Module module =
        module_of([&](Builder& b, Function&) { b.constant(each.kind, each.bits, {2}); });
    const std::string text = print(module);
    const std::size_t begin = text.find(": ", text.find('<')) + 2;
    EXPECT_EQ(text.substr(begin, text.find("> :") - begin), each.text);
  }
}

TEST(Printer, PrintsLongConstantsAsLists) {
  const Module module = module_of([](Builder& b, Function&) {
    std::vector<std::uint64_t> numbers(128);
    std::iota(numbers.begin(), numbers.end(), 0);
    b.append(OpDraft(Opcode::constant).set(AttributeName::value, dense(i32, numbers)),
             {tile_type(i32, {2, 1, 64})});
  });
  const std::string text = print(module);
  EXPECT_NE(text.find("<i32: [[[0, 1, 2,"), std::string::npos);
  EXPECT_NE(text.find("62, 63]], [[64, 65,"), std::string::npos);
  EXPECT_NE(text.find("126, 127]]]> : tile<2x1x64xi32>"), std::string::npos);
}

TEST(Printer, SpellsPowAsTheToolDoes) {
  const Module module = module_of([](Builder& b, Function& f) {
    const Value x = add_parameter(f, tile_type(f32));
    b.simple(Opcode::pow, tile_type(f32), {x, x});
  });
  EXPECT_EQ(entry_body(print(module)), "  %0 = fpowf %arg0, %arg0 : tile<f32>\n");
  EXPECT_EQ(entry_body(print(module, {.tool = {13, 3}})), "  %0 = pow %arg0, %arg0 : tile<f32>\n");
}

TEST(Printer, ShowsPlaces) {
  Module module;
  const LocationId kernel = module.locations.add(SourcePlace{"a \"b\".cpp", 3, 6});
  const LocationId sum = module.locations.add(SourcePlace{"a.cpp", 4, 12});
  Function function{.name = "k", .location = kernel};
  Builder builder(function);
  const Value x = add_parameter(function, tile_type(f32));
  builder.at(sum);
  builder.simple(Opcode::addf, tile_type(f32), {x, x});
  builder.at(LocationId::unknown);
  builder.append(OpDraft(Opcode::return_), {});
  module.functions.push_back(std::move(function));
  EXPECT_EQ(print(module, {.locations = true}),
            "entry @k(%arg0: tile<f32>) {\n"
            "  %0 = addf %arg0, %arg0  : tile<f32> loc(\"a.cpp\":4:12)\n"
            "  return\n"
            "} loc(\"a \\22b\\22.cpp\":3:6)\n");
}

TEST(Printer, PrintsOwnOpsWithTheirSites) {
  Module module;
  const LocationId place = module.locations.add(SourcePlace{"vadd.cpp", 12, 3});
  module.sites = {{place, "load", 1, 0, "", true},
                  {LocationId::unknown, "print", -1, -1, "x is {}\n"}};
  Function function{.name = "k"};
  Builder builder(function);
  const Value ok = builder.constant(i1, 1, {8});
  const Value index = builder.constant(i32, 7, {8});
  const Value bound = builder.integer(i32, 9);
  const auto add = [&](Opcode code, std::int64_t site, std::initializer_list<Value> operands) {
    OpDraft draft(code);
    if (code == Opcode::print) draft.group(operands);
    if (code == Opcode::check) {
      for (const Value each : operands) draft.operand(each);
    }
    builder.append(draft.set(AttributeName::site, Attribute(site)), {});
  };
  add(Opcode::check, 0, {ok, index, bound});
  add(Opcode::print, 1, {index, bound});
  add(Opcode::print, 2, {});
  builder.append(OpDraft(Opcode::return_), {});
  module.functions.push_back(function);

  const std::string text = print(module);
  EXPECT_EQ(text.substr(text.find("  tw.check")),
            "  tw.check %true, %cst_7_i32, %cst_9_i32 site = <\"load\", \"vadd.cpp\":12:3, "
            "parameter = 1, axis = 0, silent> : tile<8xi1>, tile<8xi32>, tile<i32>\n"
            "  tw.print %cst_7_i32, %cst_9_i32 site = <\"print\", \"x is {}\\0A\"> : tile<8xi32>, "
            "tile<i32>\n"
            "  tw.print site = 2\n"
            "  return\n"
            "}\n");
  EXPECT_NE(print(function).find("tw.check %true, %cst_7_i32, %cst_9_i32 site = 0 :"),
            std::string::npos);
}

}  // namespace
}  // namespace tw::ir
