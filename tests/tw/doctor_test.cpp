// SPDX-License-Identifier: Apache-2.0
#include "program.hpp"

namespace tw::tests {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;

using DoctorTest = TwTest;

TEST_F(DoctorTest, RunsAKernel) {
  const Outcome outcome = run_tw("doctor", "XDG_CACHE_HOME='" + folder_.string() + "'");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.output,
              AllOf(ContainsRegex("library +tilewright [0-9.]+, [A-Za-z]+ by (clang|g\\+\\+) "),
                    ContainsRegex("processor +[0-9]+ threads, inner loops for "),
                    ContainsRegex("devices +cpu, by the interpreter"),
                    HasSubstr(folder_.string() + "/tilewright, writable"),
                    ContainsRegex("kernel +vadd ran on cpu, right to the last bit, in ")));
  EXPECT_TRUE(std::filesystem::is_empty(folder_ / "tilewright"));
}

TEST_F(DoctorTest, SaysWhenTheDefaultDeviceIsMissing) {
  const Outcome outcome =
      run_tw("doctor", "TILEWRIGHT_DEVICE=gpu:7 XDG_CACHE_HOME='" + folder_.string() + "'");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(
      outcome.output,
      AllOf(ContainsRegex("kernel +failed: .*(there is no device 'gpu:7'|no NVIDIA driver)"),
            HasSubstr("TILEWRIGHT_DEVICE")));
}

TEST_F(DoctorTest, HintsAtACacheThatCannotBeWritten) {
  const Outcome outcome = run_tw("doctor", "XDG_CACHE_HOME=/proc/none");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.output, AllOf(HasSubstr("/proc/none/tilewright cannot be written"),
                                    HasSubstr("hint: set XDG_CACHE_HOME")));
}

}  // namespace
}  // namespace tw::tests
