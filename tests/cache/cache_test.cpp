// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tilewright/cache/cache.hpp>

#include "tests/cache/known_blobs.hpp"
#include "tests/support/log_capture.hpp"
#include "tests/support/scratch_folder.hpp"

namespace tw::cache {
namespace {

using namespace std::chrono_literals;
using testing::IsEmpty;
using tests::is_known;
using tests::known_blob;
using tests::known_key;

/// Sets a variable of the environment while it lives.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    value == nullptr ? unsetenv(name) : setenv(name, value, 1);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() { before_.empty() ? unsetenv(name_) : setenv(name_, before_.c_str(), 1); }

 private:
  const char* name_;
  std::string before_;
};

class CacheTest : public testing::Test {
 protected:
  [[nodiscard]] CacheOptions options() const { return {.folder = scratch / "cache"}; }

  /// Gets a known blob, counting how often it had to be made.
  Blob get(Cache& cache, std::uint64_t number) {
    return cache.get(known_key(number), [&] {
      ++made;
      return known_blob(number);
    });
  }

  tests::ScratchFolder scratch;
  tests::LogCapture log;
  std::atomic<int> made = 0;
};

TEST_F(CacheTest, MakesOnceAndThenRemembers) {
  Cache cache(options());
  const Blob first = get(cache, 7);
  EXPECT_TRUE(is_known(first, 7));
  EXPECT_EQ(get(cache, 7), first);
  EXPECT_EQ(made, 1);
  const CacheCounters counters = cache.counters();
  EXPECT_EQ(counters.compiles, 1U);
  EXPECT_EQ(counters.memory_hits, 1U);
  EXPECT_EQ(counters.disk_hits, 0U);
}

TEST_F(CacheTest, NextCacheFindsItOnDisk) {
  {
    Cache first(options());
    (void)get(first, 7);
  }
  Cache second(options());
  EXPECT_TRUE(is_known(get(second, 7), 7));
  EXPECT_TRUE(is_known(second.find(known_key(7)), 7));
  EXPECT_EQ(second.find(known_key(8)), nullptr);
  EXPECT_EQ(made, 1);
  EXPECT_EQ(second.counters().disk_hits, 1U);
  EXPECT_EQ(second.counters().memory_hits, 1U);
  EXPECT_EQ(second.counters().compiles, 0U);
}

TEST_F(CacheTest, CountsTheTimeOfCompiling) {
  Cache cache(options());
  (void)cache.get(known_key(0), [] {
    std::this_thread::sleep_for(20ms);
    return known_blob(0);
  });
  EXPECT_GE(cache.counters().compile_seconds, 0.02);
  EXPECT_LT(cache.counters().compile_seconds, 5.0);
}

TEST_F(CacheTest, WithoutAFolderItWorksInMemory) {
  Cache cache({.folder = ""});
  EXPECT_TRUE(is_known(get(cache, 1), 1));
  EXPECT_TRUE(is_known(get(cache, 1), 1));
  EXPECT_EQ(made, 1);
  EXPECT_THAT(log.lines(), IsEmpty());
}

TEST_F(CacheTest, FailureReachesTheCallerAndLeavesNothing) {
  Cache cache(options());
  const auto fail = []() -> std::vector<std::byte> { throw std::runtime_error("no assembler"); };
  EXPECT_THROW((void)cache.get(known_key(3), fail), std::runtime_error);
  EXPECT_EQ(cache.counters().compiles, 0U);
  EXPECT_TRUE(is_known(get(cache, 3), 3));
}

TEST_F(CacheTest, ThreadsMakeOneBlobAKey) {
  Cache cache(options());
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      for (int step = 0; step < 10; ++step) {
        const auto number = static_cast<std::uint64_t>((step + i) % 10);
        EXPECT_TRUE(is_known(get(cache, number), number));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(made, 10);
  const CacheCounters counters = cache.counters();
  EXPECT_EQ(counters.compiles, 10U);
  EXPECT_EQ(counters.memory_hits + counters.disk_hits, 70U);
}

TEST_F(CacheTest, WaitersOfAFailureTryForThemselves) {
  Cache cache({.folder = ""});
  std::atomic<int> attempts = 0;
  std::atomic<int> failures = 0;
  const auto flaky = [&] {
    std::this_thread::sleep_for(5ms);
    if (attempts++ == 0) throw std::runtime_error("the first one fails");
    return known_blob(5);
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      try {
        EXPECT_TRUE(is_known(cache.get(known_key(5), flaky), 5));
      } catch (const std::runtime_error&) {
        ++failures;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failures, 1);
  EXPECT_EQ(attempts, 2);
}

TEST_F(CacheTest, BlobsNeverChangeWhileTheyAreEvicted) {
  CacheOptions small = options();
  small.memory_limit = 64 << 10;
  small.disk_limit = 256 << 10;
  Cache cache(small);
  std::atomic<bool> is_over = false;
  std::thread watcher([&] {
    while (!is_over) {
      EXPECT_LE(cache.memory_bytes(), small.memory_limit);
      std::this_thread::sleep_for(1ms);
    }
  });
  std::vector<std::thread> readers;
  for (unsigned seed = 0; seed < 8; ++seed) {
    readers.emplace_back([&, seed] {
      std::minstd_rand random(seed + 1);
      Blob held;
      std::uint64_t held_number = 0;
      for (int step = 0; step < 60; ++step) {
        const std::uint64_t number = random() % 60;
        const Blob blob = get(cache, number);
        EXPECT_TRUE(is_known(blob, number));
        EXPECT_TRUE(held == nullptr || is_known(held, held_number));
        if (step % 8 == 0) {
          held = blob;
          held_number = number;
        }
        if (step % 16 == 0) cache.erase(known_key(random() % 60));
        if (step % 50 == 0) cache.retain({});
      }
    });
  }
  for (std::thread& reader : readers) reader.join();
  is_over = true;
  watcher.join();
  std::uint64_t on_disk = 0;
  for (const auto& file : std::filesystem::directory_iterator(small.folder + "/1/objects")) {
    on_disk += file.file_size();
  }
  EXPECT_LE(on_disk, small.disk_limit);
  EXPECT_THAT(log.lines(), IsEmpty());
}

TEST_F(CacheTest, SchemasLiveSideBySide) {
  CacheOptions old = options();
  CacheOptions young = options();
  old.schema = 1;
  young.schema = 2;
  Cache first(old);
  Cache second(young);
  (void)get(first, 4);
  EXPECT_EQ(second.find(known_key(4)), nullptr);
  (void)get(second, 4);
  EXPECT_EQ(made, 2);
  second.clear();
  EXPECT_EQ(Cache(young).find(known_key(4)), nullptr);
  EXPECT_TRUE(is_known(Cache(old).find(known_key(4)), 4));
}

TEST_F(CacheTest, BundlesServeWhatTheyHold) {
  const std::vector<std::byte> key = known_key(9);
  const std::vector<std::byte> blob = known_blob(9);
  Cache cache({.folder = ""});
  cache.add(Bundle(bundle_bytes(std::vector{BundleEntry{key, "sm_90", blob}})));
  EXPECT_TRUE(is_known(get(cache, 9), 9));
  EXPECT_TRUE(is_known(get(cache, 9), 9));
  EXPECT_TRUE(is_known(get(cache, 10), 10));
  EXPECT_EQ(made, 1);
  EXPECT_EQ(cache.counters().bundle_hits, 1U);
  EXPECT_EQ(cache.counters().memory_hits, 1U);
}

TEST_F(CacheTest, EraseAndClearForgetAlsoOnDisk) {
  Cache cache(options());
  (void)get(cache, 1);
  (void)get(cache, 2);
  cache.erase(known_key(1));
  EXPECT_EQ(cache.find(known_key(1)), nullptr);
  EXPECT_TRUE(is_known(cache.find(known_key(2)), 2));
  cache.clear();
  EXPECT_EQ(cache.find(known_key(2)), nullptr);
  EXPECT_EQ(cache.memory_bytes(), 0U);
}

TEST_F(CacheTest, RetainForgetsInMemoryOnly) {
  Cache cache(options());
  (void)get(cache, 1);
  (void)get(cache, 2);
  const std::vector<std::byte> kept = known_key(2);
  const Key key = kept;
  cache.retain({&key, 1});
  EXPECT_EQ(cache.memory_bytes(), known_blob(2).size() + kept.size());
  EXPECT_TRUE(is_known(get(cache, 1), 1));
  EXPECT_EQ(cache.counters().disk_hits, 1U);
}

TEST(CacheFolder, FollowsTheBaseDirectorySpecification) {
  const Variable home("HOME", "/home/tiler");
  {
    const Variable xdg("XDG_CACHE_HOME", "/var/tiles");
    EXPECT_EQ(default_folder(), "/var/tiles/tilewright");
  }
  for (const char* ignored : {"", "relative/path"}) {
    const Variable xdg("XDG_CACHE_HOME", ignored);
    EXPECT_EQ(default_folder(), "/home/tiler/.cache/tilewright");
  }
  const Variable no_xdg("XDG_CACHE_HOME", nullptr);
  const Variable no_home("HOME", nullptr);
  EXPECT_EQ(default_folder(), "");
}

}  // namespace
}  // namespace tw::cache
