// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tilewright/ir/diff.hpp>
#include <tilewright/ir/parser.hpp>
#include <tilewright/ir/printer.hpp>

namespace tw::ir {
namespace {

using ::testing::ElementsAre;

/// A kernel whose parameters are of the types that the ops below take.
Module kernel(const std::string& body) {
  return parse(
      "entry @k(%p: tile<ptr<f32>>, %n: tile<i32>, %x: tile<4xf32>, %y: tile<4xf32>, %m: "
      "tile<4xi32>, %b: tile<i1>, %t: token, %q: tile<4xptr<f32>>) {\n" +
      body + "\n}\n");
}

struct Pair {
  const char* generic;
  const char* custom;
};

TEST(GenericParser, ReadsTheSameOps) {
  const Pair pairs[] = {
      {R"(%0 = "cuda_tile.absf"(%x) : (tile<4xf32>) -> tile<4xf32>)", "%0 = absf %x : tile<4xf32>"},
      {R"(%0 = "cuda_tile.addf"(%x, %y) <{rounding_mode = #cuda_tile.rounding<zero>,
          flush_to_zero}> : (!cuda_tile.tile<4xf32>, tile<4xf32>) -> (tile<4xf32>))",
       "%0 = addf %x, %y rounding<zero> flush_to_zero : tile<4xf32>"},
      {R"(%0 = "cuda_tile.addi"(%m, %m) {overflow = 3 : i32, note = {a = [1, 2]}}
          : (tile<4xi32>, tile<4xi32>) -> tile<4xi32> loc("a.cpp":1:2))",
       "%0 = addi %m, %m overflow<no_wrap> : tile<4xi32> loc(\"a.cpp\":1:2)"},
      {R"(%0 = "cuda_tile.cmpi"(%m, %m) {comparison_predicate = #cuda_tile.comparison_predicate<equal>,
          signedness = #cuda_tile.signedness<signed>} : (tile<4xi32>, tile<4xi32>) -> tile<4xi1>)",
       "%0 = cmpi equal %m, %m, signed : tile<4xi32> -> tile<4xi1>"},
      {R"(%0 = "cuda_tile.constant"() <{value = dense<[1.0, 2.0]> : tile<2xf32>}> : () -> tile<2xf32>)",
       "%0 = constant <f32: [1.0, 2.0]> : tile<2xf32>"},
      {R"(%0 = "cuda_tile.constant"() <{value = dense<7> : tile<2xi8>}> : () -> tile<2xi8>)",
       "%0 = constant <i8: 7> : tile<2xi8>"},
      {R"(%0 = "cuda_tile.assume"(%n) <{predicate = #cuda_tile.div_by<8>}> : (tile<i32>) -> tile<i32>)",
       "%0 = assume div_by<8>, %n : tile<i32>"},
      {R"("cuda_tile.assert"(%b) <{message = "no"}> : (tile<i1>) -> ())",
       "assert %b, \"no\" : tile<i1>"},
      {R"(%0 = "cuda_tile.get_global"() <{name = @g}> : () -> tile<ptr<f32>>)",
       "%0 = get_global @g : tile<ptr<f32>>"},
      {R"(%0:3 = "cuda_tile.get_tile_block_id"() : () -> (tile<i32>, tile<i32>, tile<i32>)
          %1 = "cuda_tile.negi"(%0#1) : (tile<i32>) -> tile<i32>)",
       "%0, %1, %2 = get_tile_block_id : tile<i32>\n%3 = negi %1 : tile<i32>"},
      {R"(%0 = "cuda_tile.make_tensor_view"(%p, %n, %n) <{operandSegmentSizes = array<i32: 1, 1, 1>}>
          : (tile<ptr<f32>>, tile<i32>, tile<i32>) -> tensor_view<?x8xf32, strides=[?,1]>)",
       "%0 = make_tensor_view %p, shape = [%n, 8], strides = [%n, 1] : tile<i32> -> "
       "tensor_view<?x8xf32, strides=[?,1]>"},
      {R"(%0, %1 = "cuda_tile.load_ptr_tko"(%q, %t) <{memory_ordering_semantics = 1 : i32,
          memory_scope = 1 : i32, optimization_hints = #cuda_tile.optimization_hints<sm_90 = {latency = 3}>,
          operandSegmentSizes = array<i32: 1, 0, 0, 1>}>
          : (tile<4xptr<f32>>, token) -> (tile<4xf32>, token))",
       "%0, %1 = load_ptr_tko relaxed device %q token = %t optimization_hints = <sm_90 = "
       "{latency = 3}> : tile<4xptr<f32>> -> tile<4xf32>, token"},
      {R"(%0 = "cuda_tile.join_tokens"(%t, %t) : (token, token) -> token)",
       "%0 = join_tokens %t, %t : token"},
      {R"(%0 = "cuda_tile.if"(%b) ({
            "cuda_tile.yield"(%n) : (tile<i32>) -> ()
          }, {
            yield %n : tile<i32>
          }) : (tile<i1>) -> tile<i32>)",
       "%0 = if %b -> (tile<i32>) { yield %n : tile<i32> } else { yield %n : tile<i32> }"},
      {R"("cuda_tile.if"(%b) ({ "cuda_tile.yield"() : () -> () }, { }) : (tile<i1>) -> ())",
       "if %b { }"},
      {R"(%0 = "cuda_tile.for"(%n, %n, %n, %x) <{unsignedCmp}> ({
          ^bb0(%i: tile<i32>, %v: tile<4xf32>):
            %1 = "cuda_tile.negf"(%v) : (tile<4xf32>) -> tile<4xf32>
            "cuda_tile.continue"(%1) : (tile<4xf32>) -> ()
          }) : (tile<i32>, tile<i32>, tile<i32>, tile<4xf32>) -> tile<4xf32>)",
       "%0 = for unsigned %i in (%n to %n, step %n) : tile<i32> iter_values(%v = %x) -> "
       "(tile<4xf32>) { %1 = negf %v : tile<4xf32> continue %1 : tile<4xf32> }"},
      {R"(%0 = "cuda_tile.reduce"(%x) <{dim = 0 : i32, identities = [0.0 : f32]}> ({
          ^bb0(%a: tile<f32>, %c: tile<f32>):
            %1 = addf %a, %c : tile<f32>
            yield %1 : tile<f32>
          }) : (tile<4xf32>) -> tile<f32>)",
       "%0 = reduce %x dim=0 identities=[0.0 : f32] : tile<4xf32> -> tile<f32> "
       "(%a: tile<f32>, %c: tile<f32>) { %1 = addf %a, %c : tile<f32> yield %1 : tile<f32> }"},
  };
  for (const Pair& each : pairs) {
    const Module generic = kernel(each.generic);
    const Module custom = kernel(each.custom);
    const Diff found = diff(generic, custom);
    EXPECT_EQ(found.likeness(), Likeness::identical) << each.generic;
    EXPECT_EQ(print(generic, {.locations = true}), print(custom, {.locations = true}));
  }
}

TEST(GenericParser, ReadsModulesFunctionsAndGlobals) {
  const Module generic = parse(R"("builtin.module"() ({
  "cuda_tile.module"() <{sym_name = "m", producer = "p"}> ({
    "cuda_tile.global"() <{sym_name = "g", alignment = 16 : i64, constant, value = dense<1> : tile<2xi8>}> : () -> ()
    "cuda_tile.entry"() <{arg_attrs = [{}], sym_name = "k", function_type = (!cuda_tile.tile<i32>) -> (),
        optimization_hints = #cuda_tile.optimization_hints<sm_90 = {occupancy = 2}>}> ({
    ^bb0(%n: !cuda_tile.tile<i32>):
      "cuda_tile.return"() : () -> ()
    }) : () -> () loc("k.cpp":1:1)
    "cuda_tile.testing$func"() ({
      "cuda_tile.return"() : () -> ()
    }) {function_type = () -> (), sym_name = "f"} : () -> ()
  }) : () -> ()
}) : () -> ()
)");
  EXPECT_EQ(print(generic, {.wrapped = true, .locations = true}), R"(module {
  cuda_tile.module @m attributes {producer = "p"} {
    global  constant @g alignment = 16 <i8: 1> : tile<2xi8>
    entry @k(%arg0: tile<i32>) optimization_hints=<sm_90 = {occupancy = 2}> {
      return
    } loc("k.cpp":1:1)
    testing$func @f() {
      return
    }
  }
}
)");
}

std::string first_error(const std::string& op) {
  try {
    (void)kernel(op);
  } catch (const ParseError& error) {
    const Diagnostic& first = error.diagnostics().front();
    return std::to_string(first.where.line()) + ":" + std::to_string(first.where.column()) + ": " +
           first.message;
  }
  return {};
}

TEST(GenericParser, SaysWhatIsWrong) {
  const Pair cases[] = {
      {R"("cuda_tile.addq"(%x))", "2:1: no op is called 'cuda_tile.addq'"},
      {R"("cuda_tile.absf"(%x) <{mode = 1 : i32}> : (tile<4xf32>) -> tile<4xf32>)",
       "2:24: absf has no attribute mode"},
      {R"("cuda_tile.absf"(%x, %y) : (tile<4xf32>, tile<4xf32>) -> tile<4xf32>)",
       "2:26: absf does not take 2 operands like this"},
      {R"("cuda_tile.absf"(%x) : (tile<8xf32>) -> tile<4xf32>)",
       "2:24: tile<8xf32> for a value of tile<4xf32>"},
      {R"("cuda_tile.absf"(%x) : (tile<4xf32>) -> ())",
       "2:24: 0 types for results of absf, which has 1"},
      {R"("cuda_tile.cmpi"(%m, %m) : (tile<4xi32>, tile<4xi32>) -> tile<4xi1>)",
       "2:26: cmpi needs comparison_predicate"},
      {R"("cuda_tile.addi"(%m, %m) <{overflow = 4 : i32}> : (tile<4xi32>, tile<4xi32>) -> tile<4xi32>)",
       "2:39: overflow has no value 4"},
      {R"("cuda_tile.addi"(%m, %m) <{overflow = 0 : i32}> {overflow = 1 : i32} : () -> ())",
       "2:49: overflow is given twice"},
      {R"("cuda_tile.load_ptr_tko"(%q) <{memory_ordering_semantics = 0 : i32}> : (tile<4xptr<f32>>) -> ())",
       "2:70: load_ptr_tko needs operandSegmentSizes"},
      {R"("cuda_tile.load_ptr_tko"(%q) <{memory_ordering_semantics = 0 : i32, operandSegmentSizes = array<i32: 1, -1, 1, 0>}> : () -> ())",
       "2:117: load_ptr_tko does not take 1 operands like this"},
      {R"(%0 = "cuda_tile.constant"() <{value = dense<[1, 2]> : tile<2xi8>}> : () -> tile<4xi8>)",
       "2:70: the elements do not fill tile<4xi8>"},
      {R"(%0 = "cuda_tile.constant"() <{value = dense<1> : tile<2xi8>}> : () -> token)",
       "2:65: the elements do not fill token"},
      {R"("cuda_tile.if"(%b) ({ }) : (tile<i1>) -> ())", "2:1: 1 blocks of if, which has 2"},
      {R"("cuda_tile.absf"(%x) {a = [1, 2 : (tile<4xf32>) -> ())", "2:27: this value has no end"},
  };
  for (const Pair& each : cases) EXPECT_EQ(first_error(each.generic), each.custom);
}

}  // namespace
}  // namespace tw::ir
