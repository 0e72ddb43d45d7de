// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tilewright/backend/tileiras/compile.hpp>
#include <tilewright/ir/parser.hpp>

#include "tests/tileiras/product_kernel.hpp"

namespace tw::tests {
namespace {

using backend::tileiras::assembly_of;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

std::vector<std::string> warnings(const ProductKernel& kernel, std::int32_t sm) {
  std::vector<std::string> result;
  for (const Diagnostic& each : lint(assembly_of(kernel.kernel(), {sm}))) {
    result.push_back(to_string(each));
  }
  return result;
}

TEST(Lint, HasNothingAgainstAGoodKernel) {
  for (const std::int32_t sm : {80, 90, 100, 120}) EXPECT_THAT(warnings({}, sm), IsEmpty()) << sm;
}

TEST(Lint, ProductsOutsideTheTensorCores) {
  const auto outside = Contains(HasSubstr("runs outside the tensor cores"));
  // The least pieces of four warps, and just below.
  EXPECT_THAT(warnings({.m = 16, .n = 32, .k = 16}, 80), IsEmpty());
  EXPECT_THAT(warnings({.m = 16, .n = 16, .k = 16}, 80), outside);
  EXPECT_THAT(warnings({.m = 8, .n = 128, .k = 16}, 80), outside);
  EXPECT_THAT(warnings({.m = 128, .n = 4, .k = 16}, 80), outside);
  EXPECT_THAT(warnings({.m = 64, .n = 64, .k = 4}, 80), outside);
  EXPECT_THAT(warnings({.type = "i8", .m = 64, .n = 64, .k = 8}, 80), outside);
  EXPECT_THAT(warnings({.type = "i8", .m = 64, .n = 64, .k = 16}, 80), IsEmpty());
}

TEST(Lint, ProductsOfF32ShouldBeTf32) {
  EXPECT_THAT(warnings({.type = "f32"}, 90),
              Contains(AllOf(HasSubstr("user.hpp:"), HasSubstr("convert the factors to tf32"))));
  EXPECT_THAT(warnings({.type = "tf32"}, 90), IsEmpty());
}

TEST(Lint, ProductsWithoutInstructionsOfWarpGroups) {
  EXPECT_THAT(warnings({.m = 32}, 90), Contains(HasSubstr("does not use wgmma of sm_90")));
  EXPECT_THAT(warnings({.m = 32}, 100), Contains(HasSubstr("does not use tcgen05.mma of sm_100")));
  EXPECT_THAT(warnings({.m = 32}, 120), IsEmpty());
  EXPECT_THAT(warnings({.type = "f8E4M3FN", .k = 16}, 90), Contains(HasSubstr("k of 32")));
}

TEST(Lint, TilesThatNoMultiprocessorHolds) {
  const auto found = warnings({.m = 1024, .n = 1024, .k = 1024}, 90);
  EXPECT_THAT(found, Contains(HasSubstr("a tile<1024x1024xf32> takes 4096 KiB, but all registers "
                                        "of a multiprocessor are 256 KiB")));
  EXPECT_THAT(found, Contains(HasSubstr("take 4096 KiB, but a block has 227 KiB of shared memory "
                                        "on sm_90")));
  // The same tiles are too many for one architecture and few enough for another.
  EXPECT_THAT(warnings({.m = 256, .n = 256, .k = 128}, 90), IsEmpty());
  EXPECT_THAT(warnings({.m = 256, .n = 256, .k = 128}, 120),
              ElementsAre(HasSubstr("a block has 99 KiB of shared memory on sm_120")));
}

TEST(Lint, TransfersThatMissTheTmaUnit) {
  const auto loads = [](const char* reason) {
    return Contains(AllOf(HasSubstr("the TMA unit does not load this tensor"), HasSubstr(reason)));
  };
  EXPECT_THAT(warnings({.alignment = 8}, 90), loads("its address is no multiple of 16 bytes"));
  EXPECT_THAT(warnings({.stride_divisor = 4}, 90),
              loads("its stride along axis 0 is no multiple of 16 bytes"));
  EXPECT_THAT(warnings({.index = "i64"}, 90), loads("it needs 64-bit indices"));
  EXPECT_THAT(warnings({.extent_divisor = 2}, 90),
              ElementsAre(AllOf(HasSubstr("the TMA unit does not store to this tensor"),
                                HasSubstr("its rows are no multiple of 16 bytes long"))));
  EXPECT_THAT(warnings({.alignment = 8}, 80), IsEmpty());
}

}  // namespace
}  // namespace tw::tests
