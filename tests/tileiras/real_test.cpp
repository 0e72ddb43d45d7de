// SPDX-License-Identifier: Apache-2.0
// Small kernels through the real assembler.
#include <algorithm>
#include <array>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tilewright/backend/tileiras/compile.hpp>
#include <tilewright/core/error.hpp>
#include <tilewright/ir/parser.hpp>

#include "backend/tileiras/elf.hpp"
#include "tests/support/log_capture.hpp"
#include "tests/tileiras/installed.hpp"
#include "tests/tileiras/product_kernel.hpp"

namespace tw::tests {
namespace {

using backend::tileiras::assembly_of;
using backend::tileiras::Cubin;
using backend::tileiras::Remark;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class RealAssembler : public WithAssembler {
 protected:
  Cubin assembled(const ir::Kernel& kernel, std::int32_t sm,
                  const backend::tileiras::CompileOptions& options = {}) {
    return assemble(assembler(), assembly_of(kernel, {sm}, options));
  }
};

/// Whether a remark tells of such an instruction.
bool chooses(const Cubin& cubin, const std::string& instruction) {
  return std::ranges::any_of(cubin.remarks, [&](const Remark& remark) {
    return remark.instruction.find(instruction) != std::string::npos;
  });
}

TEST_F(RealAssembler, ProductUsesTheTensorCoresAndTheTmaUnit) {
  const Cubin cubin = assembled(ProductKernel().kernel(), 90);
  EXPECT_EQ(cubin.entry, "kernel");
  EXPECT_TRUE(chooses(cubin, "Tensor-core SM90"));
  EXPECT_TRUE(chooses(cubin, "TMA Load"));
  EXPECT_TRUE(chooses(cubin, "TMA Store"));
}

TEST_F(RealAssembler, CubinSaysWhatItTakes) {
  const Cubin cubin = assembled(ProductKernel().kernel(), 90);
  EXPECT_EQ(cubin.resources.threads % 128, 0u);
  EXPECT_GT(cubin.resources.registers, 16u);
  EXPECT_LE(cubin.resources.registers, 255u);
  // Two tiles of 128 x 64 halves at least.
  EXPECT_GE(cubin.resources.shared_bytes, 2u * 128 * 64 * 2);
  EXPECT_LE(cubin.resources.shared_bytes, 227u << 10);
}

TEST_F(RealAssembler, CutAndDamagedCubinsAreReadWithoutHarm) {
  const Cubin cubin = assembled(ProductKernel{.m = 64, .n = 64}.kernel(), 90);
  const std::vector<std::byte>& bytes = cubin.bytes;
  for (std::size_t size = 0; size < bytes.size(); size += 97) {
    static_cast<void>(backend::tileiras::resources_of(std::span(bytes).first(size), "kernel"));
  }
  for (std::size_t at = 0; at < bytes.size(); at += 31) {
    std::vector<std::byte> damaged = bytes;
    damaged[at] ^= std::byte{0xff};
    static_cast<void>(backend::tileiras::resources_of(damaged, "kernel"));
  }
  EXPECT_EQ(backend::tileiras::resources_of(bytes, "kernel"), cubin.resources);
  EXPECT_EQ(backend::tileiras::resources_of(bytes, "other"), std::nullopt);
}

TEST_F(RealAssembler, RemarksStandAtTheLinesOfTheirOps) {
  const ir::Kernel kernel = ProductKernel().kernel();
  const auto assembly = assembly_of(kernel, {90});
  std::uint32_t line = 0;
  ir::walk(kernel.entry().body, [&](const ir::Op& op) {
    if (op.code == ir::Opcode::mmaf) line = kernel.module.locations[op.location].line;
  });
  for (const Remark& remark : assemble(assembler(), assembly).remarks) {
    if (remark.name != "RemarkTensorCoreMMA") continue;
    EXPECT_EQ(remark.where.line(), line);
    EXPECT_NE(remark.op, Remark::no_op);
    return;
  }
  FAIL() << "there is no remark about the product";
}

TEST_F(RealAssembler, LineTablesOnlyWhereTheyAreWanted) {
  const auto names_file = [](const Cubin& cubin) {
    const std::string_view text(reinterpret_cast<const char*>(cubin.bytes.data()),
                                cubin.bytes.size());
    return text.find("user.hpp") != text.npos;
  };
  EXPECT_FALSE(names_file(assembled(ProductKernel().kernel(), 90)));
  EXPECT_TRUE(names_file(assembled(ProductKernel().kernel(), 90, {.line_info = true})));
}

// Loaded as tf32 and without the rewrite, this kills tileiras 13.5.37 for sm_80 to sm_89.
TEST_F(RealAssembler, LoadedTf32CompilesEverywhere) {
  const LogCapture log;
  for (const std::int32_t sm : {80, 89, 90}) {
    const ir::Kernel kernel = ProductKernel{.type = "tf32", .m = 64, .n = 64, .k = 32}.kernel();
    EXPECT_TRUE(chooses(assembled(kernel, sm), "Tensor-core")) << sm;
  }
  EXPECT_THAT(log.lines(), IsEmpty());
}

// With versions 13.3 to 13.5 this is a crash: a segmentation fault, or status 5 without a word.
constexpr const char* gathered_and_stored = R"(
entry @kernel(%base: tile<ptr<f32>>, %rows: tile<i32>, %stride: tile<i32>) {
  %c0 = constant <i32: 0> : tile<i32>
  %ids = iota : tile<16xi32>
  %t = make_tensor_view %base, shape = [%rows, %stride], strides = [%stride, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
  %g = make_gather_scatter_view %t : gather_scatter_view<tile=(16x32), tensor_view<?x?xf32, strides=[?,1]>, sparse_dim=0>
  %x, %k0 = load_view_tko weak %g[%ids, %c0] : gather_scatter_view<tile=(16x32), tensor_view<?x?xf32, strides=[?,1]>, sparse_dim=0>, tile<16xi32>, tile<i32> -> tile<16x32xf32>, token
  %s = reduce %x dim=1 identities=[0.0 : f32] : tile<16x32xf32> -> tile<16xf32> (%e: tile<f32>, %f: tile<f32>) {
    %q = addf %e, %f : tile<f32>
    yield %q : tile<f32>
  }
  %r = reshape %s : tile<16xf32> -> tile<16x1xf32>
  %v = make_partition_view %t : partition_view<tile=(16x1), tensor_view<?x?xf32, strides=[?,1]>>
  %k1 = store_view_tko weak %r, %v[%c0, %c0] token = %k0 : tile<16x1xf32>, partition_view<tile=(16x1), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
  return
})";

TEST_F(RealAssembler, CrashOfAGatherIsWorkedAroundAndReported) {
  const LogCapture log;
  const ir::Kernel kernel{
      .module = ir::parse(gathered_and_stored, "user.hpp", ir::DefaultPlace::text),
      .abi = {{.kind = ir::AbiKind::base, .element = ElementKind::f32, .divisor = 16},
              {.kind = ir::AbiKind::extent, .divisor = 16},
              {.kind = ir::AbiKind::stride, .divisor = 16}}};
  EXPECT_FALSE(assembled(kernel, 90, {.kernel = "gather"}).bytes.empty());
  EXPECT_THAT(log.lines(),
              testing::ElementsAre(testing::AllOf(
                  HasSubstr("on kernel gather (tile<ptr<f32>>, tile<i32>, tile<i32>) for sm_90"),
                  HasSubstr("the code was made without the TMA unit for gathers"))));
}

/// A product for which the remarks of the assembler and lint are compared.
struct Verdict {
  const char* type;
  int m, n, k;
  std::int32_t sm;
};
void PrintTo(const Verdict& verdict, std::ostream* out) {
  *out << verdict.type << ' ' << verdict.m << 'x' << verdict.n << 'x' << verdict.k << " for sm_"
       << verdict.sm;
}

TEST_F(RealAssembler, LintForeseesTheInstructionsOfProducts) {
  constexpr Verdict verdicts[] = {
      {"f16", 16, 32, 16, 80},      {"f16", 16, 16, 16, 80},      {"f16", 8, 64, 16, 90},
      {"f16", 64, 8, 16, 90},       {"f16", 64, 64, 8, 90},       {"f16", 32, 64, 32, 100},
      {"f16", 64, 64, 16, 100},     {"tf32", 64, 64, 8, 90},      {"tf32", 16, 32, 8, 120},
      {"f32", 64, 64, 32, 90},      {"i8", 32, 32, 8, 80},        {"i8", 32, 32, 16, 80},
      {"f8E4M3FN", 64, 64, 16, 90}, {"f8E4M3FN", 64, 64, 32, 90}, {"i8", 64, 64, 32, 90},
  };
  for (const Verdict& each : verdicts) {
    SCOPED_TRACE(testing::PrintToString(each));
    const ir::Kernel kernel =
        ProductKernel{.type = each.type, .m = each.m, .n = each.n, .k = each.k}.kernel();
    bool outside = false;
    bool below = false;
    for (const Diagnostic& warning : lint(assembly_of(kernel, {each.sm}))) {
      outside = outside || warning.message.find("outside the tensor cores") != std::string::npos;
      below = below || warning.message.find("does not use") != std::string::npos;
    }
    const Cubin cubin = assembled(kernel, each.sm);
    EXPECT_EQ(chooses(cubin, "FMA"), outside);
    // On architectures without instructions of warp groups, none can be missed.
    if (each.sm == 90 || each.sm == 100) {
      EXPECT_EQ(chooses(cubin, "Tensor-core SM" + std::to_string(each.sm)), !outside && !below);
    }
  }
}

TEST_F(RealAssembler, TimeLimitEndsWhatNeverEnds) {
  const auto begin = std::chrono::steady_clock::now();
  try {
    static_cast<void>(assembled(ProductKernel{.m = 1024, .n = 1024, .k = 1024}.kernel(), 90,
                                {.limits = {.time = std::chrono::seconds(2)}}));
    FAIL();
  } catch (const CompilerError& error) {
    EXPECT_THAT(error.what(), HasSubstr("did not end in time"));
    EXPECT_THAT(error.what(), HasSubstr("a tile<1024x1024xf32> takes 4096 KiB"));
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
}

TEST_F(RealAssembler, ThreadsAssembleAtOnce) {
  std::array<std::size_t, 6> sizes{};
  std::vector<std::thread> threads;
  for (std::size_t& size : sizes) {
    threads.emplace_back(
        [&] { size = assembled(ProductKernel{.m = 64, .n = 64}.kernel(), 90).bytes.size(); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_GT(sizes[0], 0u);
  for (const std::size_t size : sizes) EXPECT_EQ(size, sizes[0]);
}

}  // namespace
}  // namespace tw::tests
