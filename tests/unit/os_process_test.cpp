// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tilewright/core/os_process.hpp>

#include "tests/support/scratch_folder.hpp"

namespace tw::tests {
namespace {

using os::Ending;
using std::chrono::milliseconds;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

Ending shell(const std::string& script, const os::ProcessLimits& limits = {}) {
  return os::run({{"/bin/sh", "-c", script}, os::environment_without({})}, limits);
}

TEST(Process, GivesBothStreamsAndItsStatus) {
  const Ending ending = shell("echo out; echo err >&2; exit 5");
  EXPECT_EQ(ending.kind, Ending::Kind::exited);
  EXPECT_EQ(ending.code, 5);
  EXPECT_EQ(ending.output, "out\nerr\n");
  EXPECT_EQ(to_string(ending), "exited with status 5");
}

TEST(Process, TellsTheSignalThatKilledIt) {
  const Ending ending = shell("kill -SEGV $$");
  EXPECT_EQ(ending.kind, Ending::Kind::killed);
  EXPECT_EQ(ending.code, SIGSEGV);
  EXPECT_EQ(to_string(ending), "was killed by signal 11 (Segmentation fault)");
}

TEST(Process, TimeEndsItAndWhatItStarted) {
  const ScratchFolder folder;
  const auto begin = std::chrono::steady_clock::now();
  const std::string late = folder / "late";
  const Ending ending =
      shell("(sleep 2; touch '" + late + "') & echo begun; sleep 60", {.time = milliseconds(300)});
  EXPECT_EQ(ending.kind, Ending::Kind::timed_out);
  EXPECT_EQ(ending.output, "begun\n");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
  std::this_thread::sleep_for(milliseconds(2500));
  EXPECT_FALSE(std::filesystem::exists(late));
}

TEST(Process, TimeAlsoEndsOneThatHasClosedItsOutput) {
  const Ending ending = shell("exec >&- 2>&-; sleep 60", {.time = milliseconds(300)});
  EXPECT_EQ(ending.kind, Ending::Kind::timed_out);
}

TEST(Process, KeepsNoMoreOutputThanAsked) {
  const Ending ending = shell("i=0; while [ $i -lt 5000 ]; do echo 0123456789; i=$((i+1)); done",
                              {.output_bytes = 100});
  EXPECT_EQ(ending.kind, Ending::Kind::exited);
  EXPECT_EQ(ending.output.size(), 100u);
}

TEST(Process, SeesTheEnvironmentAndFolderThatItIsGiven) {
  const ScratchFolder folder;
  const Ending ending = os::run({{"/bin/sh", "-c", "echo $A; pwd -P"}, {"A=1"}, folder.path()});
  EXPECT_EQ(ending.output, "1\n" + std::filesystem::canonical(folder.path()).string() + "\n");
}

TEST(Process, HasNothingToReadAndDefaultSignals) {
  EXPECT_EQ(shell("read line || echo none").output, "none\n");
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  EXPECT_EQ(shell("kill -PIPE $$").code, SIGPIPE);
  std::signal(SIGPIPE, before);
}

TEST(Process, WhoIgnoresItsChildrenLearnsNoStatus) {
  const auto before = std::signal(SIGCHLD, SIG_IGN);
  const Ending ending = shell("echo said; exit 5");
  std::signal(SIGCHLD, before);
  EXPECT_EQ(ending.kind, Ending::Kind::unknown);
  EXPECT_EQ(ending.output, "said\n");
}

TEST(Process, ThatIsNoProgramThrows) {
  EXPECT_THROW(static_cast<void>(os::run({{"/none/such"}, {}})), std::system_error);
}

TEST(Environment, LeavesOutWholeNames) {
  setenv("TW_TEST_HOME", "1", 1);
  setenv("TW_TEST_HOMES", "2", 1);
  const std::vector<std::string> environment = os::environment_without({"TW_TEST_HOME"});
  EXPECT_THAT(environment, Not(Contains("TW_TEST_HOME=1")));
  EXPECT_THAT(environment, Contains("TW_TEST_HOMES=2"));
  unsetenv("TW_TEST_HOME");
  unsetenv("TW_TEST_HOMES");
}

TEST(TemporaryFolder, GoesUnlessItIsKept) {
  std::string gone;
  std::string kept;
  {
    os::TemporaryFolder first("tw-test-");
    os::TemporaryFolder second("tw-test-");
    gone = first.path();
    kept = second.path();
    EXPECT_NE(gone, kept);
    EXPECT_EQ(std::filesystem::status(gone).permissions(), std::filesystem::perms::owner_all);
    second.keep();
  }
  EXPECT_FALSE(std::filesystem::exists(gone));
  EXPECT_TRUE(std::filesystem::exists(kept));
  std::filesystem::remove(kept);
}

}  // namespace
}  // namespace tw::tests
