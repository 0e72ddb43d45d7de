// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <tilewright/cache/cache.hpp>

#include "tests/cache/known_blobs.hpp"
#include "tests/support/log_capture.hpp"
#include "tests/support/scratch_folder.hpp"

namespace tw::cache {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;
using tests::is_known;
using tests::known_blob;
using tests::known_key;

/// A running cache_worker.
class Worker {
 public:
  explicit Worker(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), TILEWRIGHT_CACHE_WORKER);
    std::vector<char*> pointers;
    for (std::string& argument : arguments) pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    std::array<int, 2> ends = {};
    EXPECT_EQ(pipe(ends.data()), 0);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    EXPECT_EQ(posix_spawn(&process_, pointers[0], &actions, nullptr, pointers.data(), environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    output_ = ends[0];
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker() {
    if (process_ > 0) kill();
    close(output_);
  }

  /// What it prints, up to the end of a line or of the process.
  std::string line() {
    std::string text;
    char character = 0;
    while (::read(output_, &character, 1) == 1 && character != '\n') text += character;
    return text;
  }

  /// Its exit status, once it is over; 128 and the signal if it was killed.
  int wait() {
    int status = 0;
    waitpid(process_, &status, 0);
    process_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  int kill() {
    ::kill(process_, SIGKILL);
    return wait();
  }

 private:
  pid_t process_ = 0;
  int output_ = -1;
};

class CacheProcesses : public testing::Test {
 protected:
  [[nodiscard]] CacheOptions options() const { return {.folder = folder}; }

  tests::ScratchFolder scratch;
  std::string folder = scratch / "cache";
  tests::LogCapture log;
};

TEST_F(CacheProcesses, ManyOnOneColdCacheMakeOneBlobAKey) {
  fs::create_directory(scratch / "logs");
  std::vector<std::unique_ptr<Worker>> workers;
  for (int i = 0; i < 24; ++i) {
    workers.push_back(
        std::make_unique<Worker>(std::vector<std::string>{"share", folder, scratch / "logs"}));
  }
  for (const auto& worker : workers) EXPECT_EQ(worker->wait(), 0);
  for (int number = 0; number < 6; ++number) {
    EXPECT_EQ(fs::file_size(scratch / ("logs/" + std::to_string(number))), 1U) << number;
  }
}

TEST_F(CacheProcesses, KilledCompilersKeyIsMadeAgain) {
  Worker worker({"hang", folder});
  ASSERT_EQ(worker.line(), "compiling");
  std::thread killer([&] {
    std::this_thread::sleep_for(50ms);
    EXPECT_EQ(worker.kill(), 128 + SIGKILL);
  });
  Cache cache(options());
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_TRUE(is_known(cache.get(known_key(0), [] { return known_blob(0); }), 0));
  EXPECT_GE(std::chrono::steady_clock::now() - begin, 40ms) << "it did not wait for the other";
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 10s);
  killer.join();
  EXPECT_EQ(cache.counters().compiles, 1U);
}

TEST_F(CacheProcesses, KillingAtRandomPointsLeavesNothingBad) {
  std::minstd_rand random(20250);
  constexpr std::uint64_t limit = 200 << 10;
  for (int round = 0; round < 12; ++round) {
    std::vector<std::unique_ptr<Worker>> workers;
    for (int i = 0; i < 3; ++i) {
      const std::string seed = std::to_string(3 * round + i);
      workers.push_back(std::make_unique<Worker>(std::vector<std::string>{"churn", folder, seed}));
    }
    for (const auto& worker : workers) EXPECT_EQ(worker->line(), "begun");
    for (const auto& worker : workers) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20 + random() % 60));
      EXPECT_EQ(worker->kill(), 128 + SIGKILL) << "a worker found a wrong blob";
    }
  }
  CacheOptions small = options();
  small.disk_limit = limit;
  Cache cache(small);
  for (std::uint64_t number = 0; number < 40; ++number) {
    EXPECT_TRUE(is_known(cache.get(known_key(number), [&] { return known_blob(number); }), number));
  }
  EXPECT_EQ(cache.counters().repairs, 0U);
  std::uint64_t bytes = 0;
  for (const auto& file : fs::directory_iterator(folder + "/1/objects")) {
    if (file.path().extension() != ".tmp") bytes += file.file_size();
  }
  EXPECT_LE(bytes, limit);
  EXPECT_THAT(log.lines(), IsEmpty());
}

TEST_F(CacheProcesses, FolderThatOnlyLetsReadServesWhatItHas) {
  constexpr uid_t nobody = 65534;
  const uid_t user = geteuid() == 0 ? nobody : geteuid();
  {
    Cache cache(options());
    (void)cache.get(known_key(0), [] { return known_blob(0); });
  }
  const fs::perms readable = fs::perms::owner_read | fs::perms::owner_exec | fs::perms::group_read |
                             fs::perms::group_exec | fs::perms::others_read |
                             fs::perms::others_exec;
  for (const char* inner : {"", "/1", "/1/objects"}) fs::permissions(folder + inner, readable);
  Worker worker({"visit", folder, std::to_string(user)});
  // Key 0 is there; key 1 is made by each of the two caches, and each tells once why.
  for (int round = 0; round < 2; ++round) {
    EXPECT_THAT(worker.line(), MatchesRegex("log: the kernel cache in .*/cache/1 is of little use, "
                                            "so processes compile for themselves: .*denied"));
    EXPECT_EQ(worker.line(), "made 1");
  }
  EXPECT_EQ(worker.line(), "");
  EXPECT_EQ(worker.wait(), 0);
  for (const char* inner : {"/1/objects", "/1", ""}) {
    fs::permissions(folder + inner, fs::perms::owner_all);
  }
}

TEST_F(CacheProcesses, FullDiskIsToldOnceAndKeepsNothing) {
  Worker worker({"crowd", folder});
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(worker.line(), "made 0");
    EXPECT_THAT(worker.line(), HasSubstr("log: the kernel cache in"));
    EXPECT_EQ(worker.line(), "made 1");
  }
  EXPECT_EQ(worker.line(), "");
  EXPECT_EQ(worker.wait(), 0);
  EXPECT_TRUE(fs::is_empty(folder + "/1/objects"));
}

TEST_F(CacheProcesses, FolderOfSomebodyElseIsRefused) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can become somebody else";
  const std::string own = scratch / "own";
  fs::create_directories(own + "/1/objects");
  constexpr uid_t stranger = 12345;
  ASSERT_EQ(chown((own + "/1").c_str(), stranger, stranger), 0);
  Worker worker({"visit", own, "65534"});
  EXPECT_THAT(worker.line(),
              MatchesRegex("log: the kernel cache in .* belongs to somebody else.*"));
  EXPECT_EQ(worker.line(), "made 0");
}

}  // namespace
}  // namespace tw::cache
