// SPDX-License-Identifier: Apache-2.0
#include <tilewright/core/version.hpp>

#include "program.hpp"

namespace tw::tests {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;

TEST(CommandLineTest, InfoSaysVersionBuildAndDevices) {
  const Outcome outcome = run_tw("info");
  EXPECT_EQ(outcome.status, 0);
  const std::string version = std::to_string(header_version.major) + "." +
                              std::to_string(header_version.minor) + "." +
                              std::to_string(header_version.patch);
  EXPECT_THAT(outcome.output, AllOf(HasSubstr("tilewright " + version + "\n"),
                                    ContainsRegex("compiler   (clang|g\\+\\+) [0-9]"),
                                    HasSubstr("devices    cpu\n")));
}

TEST(CommandLineTest, HelpListsCommandsAndExitStatuses) {
  const Outcome outcome = run_tw("--help");
  EXPECT_EQ(outcome.status, 0);
  for (const char* command : {"\n  info ", "\n  doctor ", "\n  dump ", "\n  run ", "Exit status:"})
    EXPECT_THAT(outcome.output, HasSubstr(command));
}

TEST(CommandLineTest, HelpOfDumpAndRunDescribesTheExamples) {
  for (const char* command : {"dump", "run"}) {
    const Outcome outcome = run_tw(std::string(command) + " --help");
    EXPECT_EQ(outcome.status, 0);
    EXPECT_THAT(outcome.output, AllOf(HasSubstr("--arg NAME"), HasSubstr("a[m, k], b[k, n]"),
                                      HasSubstr("ids[tokens, top_k] int32_t")));
  }
}

TEST(CommandLineTest, WrongCommandLinesHaveStatusTwo) {
  EXPECT_EQ(run_tw("").status, 2);
  EXPECT_EQ(run_tw("no-such-command").status, 2);
  EXPECT_EQ(run_tw("info --no-such-option").status, 2);
  EXPECT_EQ(run_tw("dump").status, 2);
}

TEST(CommandLineTest, UnknownExamplesListTheKnown) {
  for (const char* arguments : {"dump example:nonsense", "run example:nonsense", "dump vadd"}) {
    const Outcome outcome = run_tw(arguments);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_THAT(outcome.output,
                HasSubstr("there are example:attention, example:dropout, example:fused_moe, "
                          "example:histogram, example:layer_norm, example:matmul, example:rope, "
                          "example:softmax, example:vadd"));
  }
}

}  // namespace
}  // namespace tw::tests
