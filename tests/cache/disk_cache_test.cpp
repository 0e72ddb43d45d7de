// SPDX-License-Identifier: Apache-2.0
#include "cache/disk_cache.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cache/known_blobs.hpp"
#include "tests/support/log_capture.hpp"
#include "tests/support/scratch_folder.hpp"

namespace tw::cache {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using tests::known_blob;
using tests::known_key;
using tests::LogCapture;

constexpr std::uint64_t plenty = 1 << 30;

class DiskCacheTest : public testing::Test {
 protected:
  [[nodiscard]] std::string folder() const { return scratch / "cache/1"; }
  [[nodiscard]] std::string objects() const { return folder() + "/objects"; }

  /// The files of blobs, or what else lies there.
  [[nodiscard]] std::vector<fs::path> files() const {
    std::vector<fs::path> found;
    for (const auto& file : fs::directory_iterator(objects())) found.push_back(file.path());
    std::ranges::sort(found);
    return found;
  }
  [[nodiscard]] std::uint64_t bytes_of_files() const {
    std::uint64_t bytes = 0;
    for (const fs::path& file : files()) bytes += fs::file_size(file);
    return bytes;
  }

  static std::string read(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  static void write(const fs::path& file, const std::string& text) {
    std::ofstream(file, std::ios::binary) << text;
  }

  static void put(DiskCache& cache, std::uint64_t number) {
    cache.put(known_key(number), known_blob(number));
  }
  static bool has(DiskCache& cache, std::uint64_t number) {
    const auto blob = cache.find(known_key(number));
    EXPECT_TRUE(!blob || *blob == known_blob(number)) << "a wrong blob of " << number;
    return blob.has_value();
  }

  tests::ScratchFolder scratch;
  LogCapture log;
};

TEST_F(DiskCacheTest, KeepsBlobsFromProcessToProcess) {
  {
    DiskCache first(folder(), plenty);
    EXPECT_FALSE(has(first, 0));
    put(first, 0);
    put(first, 1);
  }
  DiskCache second(folder(), plenty);
  EXPECT_TRUE(has(second, 0));
  EXPECT_TRUE(has(second, 1));
  EXPECT_FALSE(has(second, 2));
  EXPECT_THAT(log.lines(), IsEmpty());
}

TEST_F(DiskCacheTest, PacksWhatPacks) {
  DiskCache cache(folder(), plenty);
  put(cache, 0);
  const std::uint64_t noise = bytes_of_files();
  EXPECT_GT(noise, known_blob(0).size());
  put(cache, 1);
  EXPECT_LT(bytes_of_files() - noise, known_blob(1).size() / 2);
  EXPECT_TRUE(has(cache, 1));
}

TEST_F(DiskCacheTest, EmptyBlobsAndEmptyKeysAreKept) {
  DiskCache cache(folder(), plenty);
  cache.put({}, {});
  ASSERT_TRUE(cache.find({}).has_value());
  EXPECT_TRUE(cache.find({})->empty());
}

TEST_F(DiskCacheTest, FoldersAreOfTheUserAlone) {
  const DiskCache cache(folder(), plenty);
  for (const std::string& path : {scratch / "cache", folder(), objects()}) {
    EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_all) << path;
  }
}

TEST_F(DiskCacheTest, FolderThatOthersMayWriteIsRefused) {
  for (const auto who : {fs::perms::group_write, fs::perms::others_write}) {
    for (const std::string& path : {folder(), objects()}) {
      DiskCache(folder(), plenty).put(known_key(0), known_blob(0));
      fs::permissions(path, who, fs::perm_options::add);
      const LogCapture own;
      DiskCache cache(folder(), plenty);
      EXPECT_FALSE(has(cache, 0));
      put(cache, 1);
      EXPECT_THAT(own.lines(), ElementsAre(AllOf(HasSubstr(folder()), HasSubstr("may write"))));
      fs::permissions(path, who, fs::perm_options::remove);
    }
  }
}

TEST_F(DiskCacheTest, FolderThatIsALinkIsRefused) {
  fs::create_directories(scratch / "elsewhere");
  fs::create_directories(scratch / "cache");
  fs::create_directory_symlink(scratch / "elsewhere", folder());
  DiskCache cache(folder(), plenty);
  put(cache, 0);
  EXPECT_FALSE(has(cache, 0));
  EXPECT_EQ(log.lines().size(), 1U);
}

TEST_F(DiskCacheTest, FolderThatCannotBeMadeIsToldOnce) {
  write(scratch / "file", "in the way");
  DiskCache cache(scratch / "file/1", plenty);
  put(cache, 0);
  EXPECT_FALSE(has(cache, 0));
  EXPECT_FALSE(cache.lock(known_key(0)).has_value());
  EXPECT_THAT(log.lines(), ElementsAre(HasSubstr("Not a directory")));
}

TEST_F(DiskCacheTest, FolderThatGoesAwayIsToldOnce) {
  DiskCache cache(folder(), plenty);
  fs::remove_all(scratch / "cache");
  put(cache, 0);
  put(cache, 1);
  EXPECT_FALSE(has(cache, 0));
  EXPECT_EQ(log.lines().size(), 1U);
}

TEST_F(DiskCacheTest, EveryDamagedByteIsRepaired) {
  for (const std::uint64_t number : {0, 1}) {
    // Short, so that each byte of magic, checksum, sizes, key and blob gets its turn.
    const std::vector<std::byte> key(3, std::byte{7});
    std::vector<std::byte> blob = known_blob(number);
    blob.resize(160);
    DiskCache cache(folder(), plenty);
    cache.put(key, blob);
    const fs::path file = files().at(0);
    const std::string whole = read(file);
    for (std::size_t at = 0; at < whole.size(); ++at) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
      write(file, damaged);
      EXPECT_FALSE(cache.find(key).has_value()) << at;
      EXPECT_FALSE(fs::exists(file)) << at;
      EXPECT_EQ(cache.repairs(), at + 1);
      cache.put(key, blob);
      EXPECT_EQ(cache.find(key), blob) << at;
    }
    cache.erase(key);
  }
  EXPECT_THAT(log.lines(), IsEmpty());
}

TEST_F(DiskCacheTest, TruncatedAndExtendedFilesAreRepaired) {
  DiskCache cache(folder(), plenty);
  put(cache, 1);
  const fs::path file = files().at(0);
  const std::string whole = read(file);
  for (std::size_t size = 0; size < whole.size(); size += 7) {
    write(file, whole.substr(0, size));
    EXPECT_FALSE(has(cache, 1)) << size;
    EXPECT_FALSE(fs::exists(file)) << size;
  }
  write(file, whole + '\0');
  EXPECT_FALSE(has(cache, 1));
}

TEST_F(DiskCacheTest, BlobOfAnotherKeyIsNotGiven) {
  DiskCache cache(folder(), plenty);
  put(cache, 0);
  const fs::path first = files().at(0);
  const std::string content = read(first);
  cache.erase(known_key(0));
  put(cache, 2);
  const fs::path second = files().at(0);
  write(second, content);  // as if the two keys had one hash
  EXPECT_FALSE(has(cache, 2));
  EXPECT_EQ(cache.repairs(), 0U);
  put(cache, 2);
  EXPECT_TRUE(has(cache, 2));
}

TEST_F(DiskCacheTest, FilesStayBelowTheLimitAndTheUsedOnesStay) {
  constexpr std::uint64_t limit = 200'000;
  DiskCache cache(folder(), limit);
  put(cache, 0);
  for (std::uint64_t number = 2; number < 120; number += 2) {
    std::this_thread::sleep_for(2ms);  // ages are told apart by the clock of the file system
    EXPECT_TRUE(has(cache, 0)) << number;
    put(cache, number);
    EXPECT_TRUE(has(cache, number));
    EXPECT_LE(bytes_of_files(), limit);
  }
  EXPECT_FALSE(has(cache, 2));
  EXPECT_GT(bytes_of_files(), limit / 2);
}

TEST_F(DiskCacheTest, BlobLargerThanTheCacheIsNotKept) {
  DiskCache cache(folder(), 1000);
  put(cache, 0);
  EXPECT_FALSE(has(cache, 0));
  EXPECT_THAT(files(), IsEmpty());
}

TEST_F(DiskCacheTest, LostIndexIsMadeAgainFromTheFiles) {
  constexpr std::uint64_t limit = 100'000;
  DiskCache cache(folder(), limit);
  for (std::uint64_t number = 0; number < 60; number += 2) put(cache, number);
  for (const char* content : {"", "this is no database, and never was one, says its first line"}) {
    write(folder() + "/index.db", content);
    for (std::uint64_t number = 100; number < 130; number += 2) put(cache, number);
    EXPECT_TRUE(has(cache, 128));
    EXPECT_LE(bytes_of_files(), limit);
  }
  EXPECT_THAT(log.lines(), IsEmpty());
}

TEST_F(DiskCacheTest, LimitCountsFilesThatTheIndexNeverHeardOf) {
  constexpr std::uint64_t limit = 100'000;
  DiskCache cache(folder(), limit);
  write(objects() + "/00000000000000000000000000000000", std::string(60'000, 'x'));
  fs::last_write_time(objects() + "/00000000000000000000000000000000",
                      fs::file_time_type::clock::now() - 1h);
  for (std::uint64_t number = 0; number < 60; number += 2) put(cache, number);
  EXPECT_LE(bytes_of_files(), limit);
}

TEST_F(DiskCacheTest, WhatDeadProcessesLeftIsSweptUp) {
  constexpr std::uint64_t limit = 50'000;
  DiskCache cache(folder(), limit);
  const std::string old = objects() + "/a.1.2.3.tmp";
  const std::string young = objects() + "/b.1.2.3.tmp";
  write(old, "half a blob");
  write(young, "half a blob");
  fs::last_write_time(old, fs::file_time_type::clock::now() - 1h);
  for (std::uint64_t number = 0; number < 30; number += 2) put(cache, number);
  EXPECT_FALSE(fs::exists(old));
  EXPECT_TRUE(fs::exists(young));
}

TEST_F(DiskCacheTest, ClearLeavesNothing) {
  DiskCache cache(folder(), plenty);
  put(cache, 0);
  put(cache, 1);
  cache.clear();
  EXPECT_FALSE(has(cache, 0));
  EXPECT_THAT(files(), IsEmpty());
  put(cache, 0);
  EXPECT_TRUE(has(cache, 0));
}

TEST_F(DiskCacheTest, FileThatIsReplacedIsWholeAtEveryMoment) {
  DiskCache cache(folder(), plenty);
  std::vector<std::byte> noise;
  for (std::uint64_t number = 0; number < 200; number += 2) {
    const std::vector<std::byte> more = known_blob(number);
    noise.insert(noise.end(), more.begin(), more.end());
  }
  cache.put(known_key(0), noise);
  std::atomic<bool> is_over = false;
  std::thread reader([&] {
    while (!is_over) EXPECT_EQ(cache.find(known_key(0)), noise);
  });
  for (int i = 0; i < 30; ++i) cache.put(known_key(0), noise);
  is_over = true;
  reader.join();
  EXPECT_EQ(cache.repairs(), 0U);
}

TEST_F(DiskCacheTest, LockHoldsOffOthersOfTheSameKey) {
  DiskCache cache(folder(), plenty);
  std::optional<os::FileLock> lock = cache.lock(known_key(0));
  ASSERT_TRUE(lock.has_value());
  EXPECT_TRUE(cache.lock(known_key(1)).has_value());
  std::thread other([&] { EXPECT_TRUE(cache.lock(known_key(0)).has_value()); });
  std::this_thread::sleep_for(20ms);
  lock.reset();
  other.join();
}

}  // namespace
}  // namespace tw::cache
