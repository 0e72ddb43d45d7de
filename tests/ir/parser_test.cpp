// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include <tilewright/ir/parser.hpp>
#include <tilewright/ir/printer.hpp>

#include "tests/bytecode/same_module.hpp"
#include "tests/ir/op_samples.hpp"
#include "tests/ir/sample_module.hpp"

namespace tw::ir {
namespace {

using enum ElementKind;

/// Expects that a text is what is printed of the module that is read from it.
void expect_fixed_point(const std::string& text, const PrintOptions& options = {}) {
  EXPECT_EQ(print(parse(text), options), text);
}

void expect_round_trip(const Module& module, const PrintOptions& options = {}) {
  const std::string text = print(module, options);
  const Module back = parse(text);
  bytecode::expect_same(module, back);
  EXPECT_EQ(print(back, options), text);
}

TEST(Parser, ReadsEveryOp) {
  for (const OpSample& sample : samples::all()) {
    SCOPED_TRACE(sample.text);
    const Module module = sample.module();
    expect_round_trip(module);
    expect_round_trip(module, {.wrapped = true, .tool = {13, 1}});
  }
}

TEST(Parser, ReadsTheOfficialText) {
  const Module module = parse(sample_text);
  bytecode::expect_same(SampleModule::build(), module);
  EXPECT_EQ(module.name, "m");
  EXPECT_EQ(print(module, {.wrapped = true}), sample_text);
  expect_round_trip(SampleModule::build());
}

TEST(Parser, ReadsTheGoldenTextsOfAllKernels) {
  std::size_t modules = 0;
  for (const auto& entry : std::filesystem::directory_iterator(TILEWRIGHT_GOLDEN_FOLDER)) {
    SCOPED_TRACE(entry.path());
    std::ifstream file(entry.path());
    std::string text;
    const auto check = [&] {
      if (text.empty()) return;
      expect_fixed_point(text);
      ++modules;
      text.clear();
    };
    for (std::string line; std::getline(file, line);) {
      if (line.starts_with("//")) check();
      if (!line.empty() && !line.starts_with("//")) text += line + "\n";
    }
    check();
  }
  EXPECT_GE(modules, 36U);
}

/// The ops of an entry with the parameters `%x: tile<f32>`, `%c: tile<i1>` and `%n: tile<i32>`.
std::string in_entry(const std::string& ops) {
  return "entry @k(%x: tile<f32>, %c: tile<i1>, %n: tile<i32>) {\n" + ops + "\n}";
}

Op first_op(const std::string& op) { return parse(in_entry(op)).functions.at(0).body.ops.at(0); }

std::vector<std::uint64_t> elements(const std::string& literal, const std::string& type) {
  const Module module = parse(in_entry("%0 = constant <" + literal + "> : " + type));
  const Function& function = module.functions.at(0);
  const Op& op = function.body.ops.at(0);
  const TileType& tile = function.type(op.result()).tile();
  std::vector<std::uint64_t> bits;
  for (std::int64_t i = 0; i < product(tile.shape); ++i) {
    bits.push_back(element_bits(op.get<Constant>(AttributeName::value), tile.kind(),
                                static_cast<std::size_t>(i)));
  }
  return bits;
}

TEST(Parser, ReadsLiterals) {
  struct Case {
    const char* literal;
    const char* type;
    std::vector<std::uint64_t> bits;
  };
  const Case cases[] = {
      {"f32: 1.0", "tile<f32>", {0x3f800000}},
      {"f32: -1.0e3", "tile<f32>", {0xc47a0000}},
      {"f32: -0.0", "tile<f32>", {0x80000000}},
      {"f32: 0.1", "tile<f32>", {0x3dcccccd}},
      {"f32: 1.401300e-45", "tile<f32>", {1}},
      {"f32: 3.40282347E+38", "tile<f32>", {0x7f7fffff}},
      {"f32: 0xFF800000", "tile<f32>", {0xff800000}},
      {"f32: 0x7fc00001", "tile<f32>", {0x7fc00001}},
      {"f64: 0.1", "tile<f64>", {0x3fb999999999999a}},
      {"f64: 0x7FF0000000000000", "tile<f64>", {0x7ff0000000000000}},
      {"f32: 1.0e-46", "tile<f32>", {0}},
      {"f32: -1.0e39", "tile<f32>", {0xff800000}},
      {"f16: 65519.0", "tile<f16>", {0x7bff}},
      {"f16: 65520.0", "tile<f16>", {0x7c00}},
      {"f64: 1.0E+309", "tile<f64>", {0x7ff0000000000000}},
      {"f64: -0.001e-400", "tile<f64>", {0x8000000000000000}},
      {"f64: 1.0e99999999999", "tile<f64>", {0x7ff0000000000000}},
      {"f16: 0x7C00", "tile<2xf16>", {0x7c00, 0x7c00}},
      {"f16: 1.099610e+00", "tile<f16>", {0x3c66}},
      {"bf16: 3.339840e-01", "tile<bf16>", {0x3eab}},
      {"tf32: 0x7FC00", "tile<tf32>", {0x7fc00}},
      {"f8E4M3FN: 448.0", "tile<f8E4M3FN>", {0x7e}},
      {"f8E5M2: [1.0, -1.0]", "tile<2xf8E5M2>", {0x3c, 0xbc}},
      {"f4E2M1FN: [6.0, -0.5]", "tile<2xf4E2M1FN>", {0x7, 0x9}},
      {"f32: [[1.0, 2.0], [3.0, -4.0]]",
       "tile<2x2xf32>",
       {0x3f800000, 0x40000000, 0x40400000, 0xc0800000}},
      {"i8: [255, -1, -128, 0x7F]", "tile<4xi8>", {0xff, 0xff, 0x80, 0x7f}},
      {"i64: -9223372036854775808", "tile<i64>", {0x8000000000000000}},
      {"i64: 0xFFFFFFFFFFFFFFFF", "tile<i64>", {~0ull}},
      {"i1: [true, false, 1, -1]", "tile<4xi1>", {1, 0, 1, 1}},
      {"i16: \"0x0100FF7F\"", "tile<2xi16>", {1, 0x7fff}},
      {"i1: \"0x0100\"", "tile<2xi1>", {1, 0}},
  };
  for (const Case& each : cases) {
    EXPECT_EQ(elements(each.literal, each.type), each.bits) << each.literal;
  }
}

TEST(Parser, ReadsIdentitiesWithoutATypeByTheirOperands) {
  const auto identity = [](const std::string& kind, const std::string& literal) {
    const std::string type = "tile<2x" + kind + ">";
    const Op op =
        parse("entry @k() {\n%0 = constant <" + kind + ": " + (kind[0] == 'f' ? "0.0" : "0") +
              "> : " + type + "\n%1 = reduce %0 dim=0 identities=[" + literal + "] : " + type +
              " -> tile<" + kind + ">\n(%a: tile<" + kind + ">, %b: tile<" + kind +
              ">) {\nyield %a : tile<" + kind + ">\n}\n}")
            .functions.at(0)
            .body.ops.at(1);
    return op.get<ScalarArray>(AttributeName::identities).at(0);
  };
  EXPECT_EQ(identity("f64", "0xFFF0000000000000"), (Scalar{f64, 0xfff0000000000000}));
  EXPECT_EQ(identity("f64", "-1.0"), (Scalar{f64, 0xbff0000000000000}));
  EXPECT_EQ(identity("i64", "-1"), (Scalar{i64, ~0ull}));
  EXPECT_EQ(identity("f32", "0xFF800000 : f32"), (Scalar{f32, 0xff800000}));
  EXPECT_EQ(identity("f32", "0.5"), (Scalar{f64, 0x3fe0000000000000}));
}

TEST(Parser, ReadsTypesInEverySpelling) {
  const Module module = parse(
      "!view = !cuda_tile.tensor_view<?x64xf16, strides=[?,1]>\n"
      "!ptr = tile<4xptr<f32>>\n"
      "entry @k(%a: !cuda_tile.tile<4x!cuda_tile.ptr<f32>>, %b: !ptr, %c: tile<ptr<f32, <none>>>,\n"
      "  %d: !view, %e: tensor_view<f32>, %f: tensor_view<2xf32, strides=[1], "
      "#cuda_tile.ptr_attr<none>>,\n"
      "  %g: partition_view<tile=(8x4), padding_value = neg_inf, tensor_view<?x64xf16, "
      "strides=[?,1]>, dim_map=[1, 0]>,\n"
      "  %h: !cuda_tile.token) { return }");
  const Function& function = module.functions.at(0);
  const TensorViewType view{f16, {dynamic, 64}, {dynamic, 1}};
  const std::vector<Type> expected{
      pointer_tile_type(f32, {4}),
      pointer_tile_type(f32, {4}),
      Type(TileType{PointerType{f32, PointerAttribute::none}, {}}),
      Type(view),
      Type(TensorViewType{f32, {}, {}}),
      Type(TensorViewType{f32, {2}, {1}, PointerAttribute::none}),
      Type(PartitionViewType{{8, 4}, view, {1, 0}, Padding::neg_inf}),
      token_type(),
  };
  ASSERT_EQ(function.body.arguments.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(function.type(function.body.arguments[i]), expected[i]) << i;
  }
}

TEST(Parser, ReadsBothSpellingsOfVersions) {
  for (const char* name : {"pow", "fpowf", "cuda_tile.pow"}) {
    const Op op = first_op("%0 = " + std::string(name) + " %x, %x : tile<f32>");
    EXPECT_EQ(op.code, Opcode::pow) << name;
  }
  // Before 13.2 a print gave no token.
  const Module module = parse(in_entry("print_tko \"%d\", %n : tile<i32>"));
  const Function& function = module.functions.at(0);
  EXPECT_TRUE(function.type(function.body.ops.at(0).result()).is_token());
}

TEST(Parser, ReadsKeywordsInAnyOrder) {
  for (const char* words : {"flush_to_zero propagate_nan", "propagate_nan flush_to_zero"}) {
    const Op op = first_op("%0 = maxf %x, %x " + std::string(words) + " : tile<f32>");
    EXPECT_EQ(op.integer(AttributeName::flush_to_zero), 1);
    EXPECT_EQ(op.integer(AttributeName::propagate_nan), 1);
  }
}

TEST(Parser, AddsTerminatorsThatAreLeftOut) {
  const Module module =
      parse(in_entry("for %i in (%n to %n, step %n) : tile<i32> { }\n"
                     "loop { }\n"
                     "if %c { } else { }\n"
                     "if %c { }"));
  const std::vector<Op>& ops = module.functions.at(0).body.ops;
  ASSERT_EQ(ops.size(), 5U);
  EXPECT_EQ(ops[0].regions.at(0).ops.at(0).code, Opcode::continue_);
  EXPECT_EQ(ops[1].regions.at(0).ops.at(0).code, Opcode::continue_);
  EXPECT_EQ(ops[2].regions.at(0).ops.at(0).code, Opcode::yield);
  EXPECT_EQ(ops[2].regions.at(1).ops.at(0).code, Opcode::yield);
  EXPECT_TRUE(ops[3].regions.at(1).ops.empty());
  EXPECT_EQ(ops[4].code, Opcode::return_);
}

TEST(Parser, LetsSiblingsUseANameAgain) {
  const std::string block = "if %c {\n%0 = negf %x : tile<f32>\n}\n";
  EXPECT_NO_THROW((void)parse(in_entry(block + block + "%0 = negf %x : tile<f32>")));
}

TEST(Parser, ReadsModulesAndWhatTheyAreMarkedWith) {
  const Module module = parse(
      "// A comment.\n"
      "module {\n"
      "  cuda_tile.module @\"odd \\22name\\22\" attributes {producer = \"me \\\\ 1\"} {\n"
      "    cuda_tile.global private constant @g alignment = 8 <i8: [1, 2]> : tile<2xi8> // here\n"
      "    cuda_tile.entry @\"k-x\"(%a: tile<i32> {x = 2 : i64}) optimization_hints=<sm_90 = "
      "{occupancy = 2, flag = true, text = \"a\\22b\"}> {\n"
      "    }\n"
      "  }\n"
      "}\n");
  EXPECT_EQ(module.name, "odd \"name\"");
  EXPECT_EQ(module.producer, "me \\ 1");
  ASSERT_EQ(module.globals.size(), 1U);
  EXPECT_EQ(module.globals[0].alignment, 8U);
  EXPECT_TRUE(module.globals[0].constant);
  EXPECT_EQ(module.globals[0].visibility, Visibility::private_);
  EXPECT_EQ(module.functions.at(0).name, "k-x");
  EXPECT_EQ(module.functions.at(0).hints,
            (Hints{{"sm_90", {{"occupancy", std::int64_t{2}}, {"flag", true}, {"text", "a\"b"}}}}));
  EXPECT_EQ(
      parse("module attributes {gpu.x, y = {z = 1}} { global public @g <i8: 1> : tile<1xi8> }")
          .globals.at(0)
          .visibility,
      Visibility::public_);
  EXPECT_NO_THROW(
      (void)parse("entry @k(%n: tile<i32>) {\n"
                  "for %i in (%n to %n, step %n) : tile<i32> { } {split = [1]}\n"
                  "} {done}"));
  EXPECT_FALSE(parse("testing$func @f(%a: tile<i8>) -> tile<i8> { return %a : tile<i8> }")
                   .functions.at(0)
                   .entry);
  EXPECT_EQ(parse("// Producer: someone\n").producer, "someone");
  EXPECT_FALSE(parse("// Producer of none\n").producer);
}

TEST(Parser, ReadsPlaces) {
  const Module module =
      parse(in_entry("%0 = negf %x : tile<f32> loc(\"a \\22b\\22.cpp\":4:12)\n"
                     "%1 = negf %x : tile<f32> loc(#loc1)\n"
                     "%2 = negf %x : tile<f32> loc(callsite(\"in.cpp\":1:2 at #loc1))\n"
                     "%3 = negf %x : tile<f32> loc(unknown)\n"
                     "%4 = negf %x : tile<f32> loc(\"sum\"(#loc1))\n"
                     "%5 = negf %x : tile<f32> loc(fused[unknown, #loc1, \"c.cpp\":1:1])") +
            " loc(\"k.cpp\":3:6)\n#loc1 = loc(\"b.cpp\":5:6)\n");
  const Function& function = module.functions.at(0);
  const auto place = [&](std::size_t op) {
    return module.locations[function.body.ops.at(op).location];
  };
  EXPECT_EQ(place(0), (SourcePlace{"a \"b\".cpp", 4, 12}));
  EXPECT_EQ(place(1), (SourcePlace{"b.cpp", 5, 6}));
  EXPECT_EQ(place(2).file, "in.cpp");
  EXPECT_EQ(module.locations[place(2).caller], place(1));
  EXPECT_EQ(function.body.ops.at(3).location, LocationId::unknown);
  EXPECT_EQ(place(4), place(1));
  EXPECT_EQ(place(5), place(1));
  EXPECT_EQ(module.locations[function.location], (SourcePlace{"k.cpp", 3, 6}));
  const PrintOptions options{.locations = true};
  const std::string text =
      "entry @k(%arg0: tile<f32>) {\n"
      "  %0 = negf %arg0 : tile<f32> loc(\"a.cpp\":4:12)\n"
      "  return\n"
      "} loc(\"a.cpp\":3:6)\n";
  expect_fixed_point(text, options);
}

TEST(Parser, PlacesOpsInTheTextWhereThatIsAsked) {
  const Module module = parse(
      "entry @k(%x: tile<f32>) {\n"
      "  %0 = negf %x : tile<f32>\n"
      "  %1 = negf %x : tile<f32> loc(\"b.cpp\":5:6)\n"
      "}",
      "a.mlir", DefaultPlace::text);
  const Function& function = module.functions.at(0);
  const auto place = [&](LocationId id) { return module.locations[id]; };
  EXPECT_EQ(place(function.location), (SourcePlace{"a.mlir", 1, 7}));
  EXPECT_EQ(place(function.body.ops.at(0).location), (SourcePlace{"a.mlir", 2, 8}));
  EXPECT_EQ(place(function.body.ops.at(1).location), (SourcePlace{"b.cpp", 5, 6}));
}

TEST(Parser, ReadsTheScopesOfPlaces) {
  const Module module = parse(
      in_entry("%0 = negf %x : tile<f32> loc(#loc2)\n"
               "%1 = negf %x : tile<f32> loc(callsite(#loc2 at #cuda_tile.di_loc<loc(\"k.cpp\":7:8)"
               " in #di_subprogram>))") +
      " loc(#loc1)\n"
      "#di_file = #cuda_tile.di_file<\"k.cpp\" in \"/src\">\n"
      "#loc = loc(\"/src/k.cpp\":3:6)\n"
      "#unit = #cuda_tile.di_compile_unit<\n  file = #cuda_tile.di_file<\"main.cpp\" in \"\">>\n"
      "#di_subprogram = #cuda_tile.di_subprogram<file = #di_file, line = 3, name = \"k\", "
      "linkageName = \"_k\", compileUnit = #unit, scopeLine = 4>\n"
      "#block = #cuda_tile.di_lexical_block<scope = #di_subprogram, file = #di_file, line = 5, "
      "column = 2>\n"
      "#loc1 = #cuda_tile.di_loc<#loc in #di_subprogram>\n"
      "#loc2 = #cuda_tile.di_loc<loc(\"/src/k.cpp\":5:6) in #block>\n");
  const LocationTable& locations = module.locations;
  const Function& function = module.functions.at(0);
  const SourcePlace& head = locations[function.location];
  EXPECT_EQ(head.line, 3U);
  EXPECT_EQ(locations[head.scope],
            (SourceScope{"/src/k.cpp", 3, 0, ScopeId::none, "k", "_k", 4, "main.cpp"}));
  const SourcePlace& inner = locations[function.body.ops.at(0).location];
  EXPECT_EQ(inner.column, 6U);
  EXPECT_EQ(locations[inner.scope], (SourceScope{"/src/k.cpp", 5, 2, head.scope}));
  const SourcePlace& inlined = locations[function.body.ops.at(1).location];
  EXPECT_EQ(inlined.scope, inner.scope);
  EXPECT_EQ(locations[inlined.caller], (SourcePlace{"k.cpp", 7, 8, head.scope}));
}

TEST(Parser, ReadsOwnOpsWithTheirSites) {
  const std::string text =
      "entry @k(%arg0: tile<i1>, %arg1: tile<i32>) {\n"
      "  tw.check %arg0, %arg1, %arg1 site = <\"load\", \"vadd.cpp\":12:3, parameter = 1, "
      "axis = 0, silent> : tile<i1>, tile<i32>, tile<i32>\n"
      "  tw.print %arg1 site = <\"print\", \"x is {}\\0A\"> : tile<i32>\n"
      "  tw.print site = 7\n"
      "  return\n"
      "}\n";
  const Module module = parse(text);
  EXPECT_EQ(print(module), text);
  ASSERT_EQ(module.sites.size(), 2U);
  EXPECT_EQ(module.sites[0].parameter, 1);
  EXPECT_TRUE(module.sites[0].silent);
  EXPECT_EQ(module.locations[module.sites[0].location], (SourcePlace{"vadd.cpp", 12, 3}));
  EXPECT_EQ(module.sites[1].text, "x is {}\n");
}

TEST(Parser, TakesAPaddingValueWithoutAMask) {
  const std::string text =
      "entry @k(%arg0: tile<ptr<f32>>, %arg1: tile<f32>) {\n"
      "  %result, %result_token = load_ptr_tko weak %arg0, %arg1 : tile<ptr<f32>>, tile<f32> -> "
      "tile<f32>, token\n"
      "  return\n"
      "}\n";
  const Module module = parse(text);
  EXPECT_FALSE(module.functions.at(0).body.ops.at(0).optional(1));
  EXPECT_TRUE(module.functions.at(0).body.ops.at(0).optional(2));
  EXPECT_EQ(print(module), text);
}

TEST(Parser, KeepsNames) {
  const std::string text =
      "entry @k(%count: tile<i32>, %x: tile<4xf32>) {\n"
      "  %id:3 = get_tile_block_id : tile<i32>\n"
      "  %one = constant <i32: 1> : tile<i32>\n"
      "  %0 = addi %id#0, %id#2 : tile<i32>\n"
      "  %sum, %last = for %i in (%one to %count, step %one) : tile<i32> iter_values(%s = %x, %l = "
      "%0) -> (tile<4xf32>, tile<i32>) {\n"
      "    %twice = addf %s, %s  : tile<4xf32>\n"
      "    continue %twice, %i : tile<4xf32>, tile<i32>\n"
      "  }\n"
      "  %1 = print_tko \"%i\", %last : tile<i32> -> token\n"
      "  return\n"
      "}\n";
  const NamedModule named = parse_named(text);
  EXPECT_EQ(print(named.module, {.names = &named.names}), text);
}

// What has no name gets one that nothing has.
TEST(Parser, NamesWhatHasNone) {
  const NamedModule named = parse_named(
      "entry @k(%0: tile<i32>, %arg0: tile<i32>) {\n"
      "  get_tile_block_id : tile<i32>\n"
      "  print_tko \"x\" -> token\n"
      "  print_tko \"%i\", %0 : tile<i32> -> token\n"
      "}\n");
  EXPECT_EQ(print(named.module, {.names = &named.names}),
            "entry @k(%0: tile<i32>, %arg0: tile<i32>) {\n"
            "  %blockId_x, %blockId_y, %blockId_z = get_tile_block_id : tile<i32>\n"
            "  %1 = print_tko \"x\" -> token\n"
            "  %2 = print_tko \"%i\", %0 : tile<i32> -> token\n"
            "  return\n"
            "}\n");
}

}  // namespace
}  // namespace tw::ir
