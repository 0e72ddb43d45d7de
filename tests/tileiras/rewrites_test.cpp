// SPDX-License-Identifier: Apache-2.0
// What a kernel becomes on its way to the assembler.
#include "backend/tileiras/rewrites.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tilewright/backend/tileiras/compile.hpp>
#include <tilewright/core/error.hpp>
#include <tilewright/ir/parser.hpp>
#include <tilewright/ir/printer.hpp>
#include <tilewright/ir/verifier.hpp>

#include "tests/support/log_capture.hpp"

namespace tw::tests {
namespace {

using backend::Target;
using backend::tileiras::assembly_of;
using backend::tileiras::with_hints_for;
using backend::tileiras::with_promises;
using backend::tileiras::without_loaded_tf32;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

ir::Kernel kernel_of(const char* text, std::vector<ir::AbiSlot> abi = {}) {
  return {.module = ir::parse(text, "user.hpp", ir::DefaultPlace::text), .abi = std::move(abi)};
}

constexpr const char* copy = R"(
entry @kernel(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<i32>) {
  %c = constant <i32: 0> : tile<i32>
  %t = make_tensor_view %arg0, shape = [%arg1, 64], strides = [%arg2, 1] : tile<i32> -> tensor_view<?x64xf32, strides=[?,1]>
  %v = make_partition_view %t : partition_view<tile=(16x64), tensor_view<?x64xf32, strides=[?,1]>>
  %x, %k = load_view_tko weak %v[%c, %c] : partition_view<tile=(16x64), tensor_view<?x64xf32, strides=[?,1]>>, tile<i32> -> tile<16x64xf32>, token
  %s = store_view_tko weak %x, %v[%c, %c] token = %k : tile<16x64xf32>, partition_view<tile=(16x64), tensor_view<?x64xf32, strides=[?,1]>>, tile<i32> -> token
  return
})";

TEST(Promises, TellWhatArgumentsAreMultiplesOf) {
  const ir::Kernel kernel = with_promises(
      kernel_of(copy, {{.kind = ir::AbiKind::base, .element = ElementKind::f32, .divisor = 128},
                       {.kind = ir::AbiKind::extent, .axis = 0},
                       {.kind = ir::AbiKind::stride, .axis = 0, .divisor = 4}}));
  EXPECT_THAT(ir::verify(kernel.module), IsEmpty());
  const std::string text = ir::print(kernel.module);
  EXPECT_THAT(text, AllOf(HasSubstr("assume div_by<128>, %arg0 : tile<ptr<f32>>"),
                          HasSubstr("assume bounded<0, ?>, %arg1 : tile<i32>"),
                          HasSubstr("assume bounded<0, ?>, %arg2 : tile<i32>"),
                          HasSubstr("assume div_by<4>, ")));
  EXPECT_THAT(text, Not(HasSubstr("make_tensor_view %arg0")));
  EXPECT_THAT(text, Not(HasSubstr("[%arg1")));
}

TEST(Promises, NothingIsPromisedOfANumber) {
  const ir::Kernel kernel = with_promises(
      kernel_of("entry @kernel(%arg0: tile<i32>) {\n return\n}", {{.kind = ir::AbiKind::scalar}}));
  EXPECT_THAT(ir::print(kernel.module), Not(HasSubstr("assume")));
}

constexpr const char* tf32_copy = R"(
entry @kernel(%arg0: tile<ptr<tf32>>, %arg1: tile<ptr<tf32>>) {
  %c = constant <i32: 0> : tile<i32>
  %t = make_tensor_view %arg0, shape = [64], strides = [1] : tensor_view<64xtf32, strides=[1]>
  %v = make_partition_view %t : partition_view<tile=(16), tensor_view<64xtf32, strides=[1]>>
  %x, %k = load_view_tko weak %v[%c] : partition_view<tile=(16), tensor_view<64xtf32, strides=[1]>>, tile<i32> -> tile<16xtf32>, token
  %p = reshape %arg1 : tile<ptr<tf32>> -> tile<1xptr<tf32>>
  %q = broadcast %p : tile<1xptr<tf32>> -> tile<16xptr<tf32>>
  %s = store_ptr_tko weak %q, %x token = %k : tile<16xptr<tf32>>, tile<16xtf32> -> token
  return
})";

TEST(LoadedTf32, IsReadAndWrittenAsF32) {
  const ir::Kernel kernel = without_loaded_tf32(
      kernel_of(tf32_copy, {{.kind = ir::AbiKind::base, .element = ElementKind::tf32},
                            {.kind = ir::AbiKind::base, .element = ElementKind::tf32}}));
  EXPECT_THAT(ir::verify(kernel.module), IsEmpty());
  const std::string text = ir::print(kernel.module);
  EXPECT_THAT(
      text,
      AllOf(HasSubstr("tensor_view<64xf32, strides=[1]>"), HasSubstr("-> tile<16xf32>, token"),
            HasSubstr("tile<16xf32> -> tile<16xtf32>"), HasSubstr("tile<16xtf32> -> tile<16xf32>"),
            HasSubstr("tile<16xptr<f32>>, tile<16xf32>")));
  EXPECT_THAT(text, Not(HasSubstr("ptr<tf32>")));
  EXPECT_EQ(kernel.abi[0].element, ElementKind::f32);
}

TEST(LoadedTf32, StaysWhereTheAssemblerTakesIt) {
  EXPECT_THAT(ir::print(assembly_of(kernel_of(tf32_copy), {.sm = 90}).module),
              HasSubstr("ptr<tf32>"));
  EXPECT_THAT(ir::print(assembly_of(kernel_of(tf32_copy), {.sm = 80}).module),
              Not(HasSubstr("ptr<tf32>")));
}

constexpr const char* hinted = R"(
entry @kernel() optimization_hints=<default = {num_cta_in_cga = 2, occupancy = 2}, sm_90 = {occupancy = 4}> {
  return
})";

TEST(EntryHints, AreThoseForTheTarget) {
  const auto hints = [](std::int32_t sm) {
    return with_hints_for(kernel_of(hinted), Target{sm}).entry().hints;
  };
  const ir::HintSet expected{{"num_cta_in_cga", std::int64_t{2}}, {"occupancy", std::int64_t{4}}};
  EXPECT_EQ(hints(90), (ir::Hints{{"sm_90", expected}}));
}

TEST(EntryHints, ClustersAreReportedWhereThereAreNone) {
  const LogCapture log;
  const ir::Kernel kernel = with_hints_for(kernel_of(hinted), Target{80});
  EXPECT_EQ(kernel.entry().hints, (ir::Hints{{"sm_80", {{"occupancy", std::int64_t{2}}}}}));
  EXPECT_THAT(log.lines(), ElementsAre("the hint .ctas does not apply to sm_80, which has no "
                                       "clusters of blocks"));
}

std::string refusal(const ir::Kernel& kernel, std::int32_t sm) {
  try {
    static_cast<void>(assembly_of(kernel, {sm}));
  } catch (const CompilerError& error) {
    return error.what();
  }
  return "none";
}

TEST(Support, UnknownArchitecturesAreNamedWithThoseThereAre) {
  EXPECT_THAT(refusal(kernel_of(copy), 75),
              HasSubstr("user.hpp:2: no code is generated for sm_75; there is sm_80, sm_86"));
  EXPECT_EQ(refusal(kernel_of(copy), 121), "none");
}

TEST(Support, ElementsAreCheckedByArchitecture) {
  const auto of = [](const std::string& type) {
    return kernel_of(("entry @kernel() {\n  %a = constant <f32: 1.0> : tile<f32>\n"
                      "  %b = ftof %a : tile<f32> -> tile<" +
                      type + ">\n  return\n}")
                         .c_str());
  };
  EXPECT_EQ(refusal(of("f8E4M3FN"), 88),
            "user.hpp:3: sm_88 has no f8E4M3FN, which exists from sm_89 on: convert to another "
            "type, or run the kernel on the CPU");
  EXPECT_EQ(refusal(of("f8E4M3FN"), 89), "none");
  EXPECT_EQ(refusal(of("f8E5M2"), 89), "none");
  EXPECT_THAT(refusal(of("f8E8M0FNU"), 90), HasSubstr("exists from sm_100 on"));
  EXPECT_EQ(refusal(of("f16"), 80), "none");
}

}  // namespace
}  // namespace tw::tests
