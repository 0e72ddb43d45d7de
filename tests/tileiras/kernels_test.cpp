// SPDX-License-Identifier: Apache-2.0
// Every launch of every kernel in kernels/ compiles for each generation of GPUs.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tilewright/backend/tileiras/compile.hpp>
#include <tilewright/core/error.hpp>
#include <tilewright/passes/pipeline.hpp>

#include "tests/identity/cases.hpp"
#include "tests/support/log_capture.hpp"
#include "tests/tileiras/installed.hpp"

namespace tw::tests {
namespace {

using backend::tileiras::assembly_of;
using backend::tileiras::Cubin;

/// All kernels for all architectures take minutes: a tenth of them unless
/// TILEWRIGHT_ALL_KERNELS is set.
class KernelsOnGpus : public WithAssembler {
 protected:
  void compile(const std::vector<Case>& cases) {
    for (const Case& each : cases) {
      const passes::Prepared prepared = passes::prepare(each.record());
      for (const bool holds : {true, false}) {
        const ir::Kernel kernel = passes::optimise(prepared, {.predicate_holds = holds});
        for (const std::int32_t sm : {80, 90, 100, 120}) {
          if (all_ || random_() % 10 == 0) compile(each, kernel, holds, sm);
        }
      }
    }
  }

 private:
  bool all_ = std::getenv("TILEWRIGHT_ALL_KERNELS") != nullptr;
  std::minstd_rand random_{1};

  void compile(const Case& each, const ir::Kernel& kernel, bool holds, std::int32_t sm) {
    const std::string name = std::string(each.kernel) + " (" + std::string(each.launch) +
                             (holds ? "), proved" : "), checked") + " for sm_" + std::to_string(sm);
    if (needs_later_architecture(kernel, sm)) return;
    // Workarounds are told there: none of our kernels should need one.
    const LogCapture log;
    try {
      const Cubin cubin = assemble(assembler(), assembly_of(kernel, {sm}, {.kernel = name}));
      std::printf("%-70s %3u registers, %6u shared, %5u local\n", name.c_str(),
                  cubin.resources.registers, cubin.resources.shared_bytes,
                  cubin.resources.local_bytes);
    } catch (const CompilerError& error) {
      ADD_FAILURE() << name << ": " << error.what();
    }
    EXPECT_THAT(log.lines(), testing::IsEmpty()) << name;
  }

  /// Whether the kernel's elements are too new for the architecture.
  static bool needs_later_architecture(const ir::Kernel& kernel, std::int32_t sm) {
    for (const ir::Type& type : kernel.entry().types) {
      const auto* tile = type.as<ir::TileType>();
      if (tile == nullptr) continue;
      const bool is_f8 = tile->kind() == ElementKind::f8e4m3 || tile->kind() == ElementKind::f8e5m2;
      if (is_f8 && sm < 89) return true;
    }
    return false;
  }
};

TEST_F(KernelsOnGpus, Attention) { compile(attention_cases()); }
TEST_F(KernelsOnGpus, DeltaRule) { compile(delta_rule_cases()); }
TEST_F(KernelsOnGpus, Matmul) { compile(matmul_cases()); }
TEST_F(KernelsOnGpus, Moe) { compile(moe_cases()); }
TEST_F(KernelsOnGpus, Pointwise) { compile(pointwise_cases()); }
TEST_F(KernelsOnGpus, Rows) { compile(rows_cases()); }

}  // namespace
}  // namespace tw::tests
