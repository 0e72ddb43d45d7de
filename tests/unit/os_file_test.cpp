// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tilewright/core/os_file.hpp>
#include <tilewright/core/os_library.hpp>

#include "tests/support/scratch_folder.hpp"

namespace tw::os {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using testing::HasSubstr;

const std::vector<std::byte> some_bytes = {std::byte{1}, std::byte{0}, std::byte{255}};

TEST(OsFile, FolderKeepsFiles) {
  const tests::ScratchFolder scratch;
  const Folder folder(scratch / "a/b");
  EXPECT_EQ(folder.read("x"), std::nullopt);
  folder.write("x", some_bytes);
  EXPECT_EQ(folder.read("x"), some_bytes);
  folder.write("x", {});
  EXPECT_EQ(folder.read("x"), std::vector<std::byte>());
  folder.remove("x");
  folder.remove("x");
  EXPECT_TRUE(folder.list().empty());
}

TEST(OsFile, FolderFollowsNoLinks) {
  const tests::ScratchFolder scratch;
  const Folder folder(scratch / "real");
  folder.write("x", some_bytes);
  fs::create_symlink("x", scratch / "real/link");
  fs::create_directory_symlink("real", scratch / "alias");
  EXPECT_THROW((void)folder.read("link"), std::system_error);
  EXPECT_THROW(Folder(scratch / "alias"), std::system_error);
  EXPECT_EQ(folder.list().size(), 1U);
}

TEST(OsFile, FolderIsPrivateUnlessOthersMayWrite) {
  const tests::ScratchFolder scratch;
  const Folder folder(scratch / "mine");
  EXPECT_TRUE(folder.is_private());
  fs::permissions(folder.path(), fs::perms::others_read, fs::perm_options::add);
  EXPECT_TRUE(folder.is_private());
  fs::permissions(folder.path(), fs::perms::group_write, fs::perm_options::add);
  EXPECT_FALSE(folder.is_private());
}

TEST(OsFile, TouchedFilesAreYounger) {
  const tests::ScratchFolder scratch;
  const Folder folder(scratch.path());
  folder.write("x", some_bytes);
  fs::last_write_time(scratch / "x", fs::file_time_type::clock::now() - 1h);
  const auto before = folder.list().at(0).touched;
  folder.touch("x");
  const FileEntry after = folder.list().at(0);
  EXPECT_GT(after.touched - before, std::chrono::nanoseconds(59min).count());
  EXPECT_EQ(after.bytes, 3U);
  EXPECT_LT(file_time_now() - after.touched, std::chrono::nanoseconds(1min).count());
}

TEST(OsFile, LocksExcludeEachOtherByteByByte) {
  const tests::ScratchFolder scratch;
  const Folder folder(scratch.path());
  std::optional<FileLock> first = folder.lock("locks", 7, 0ms);
  ASSERT_TRUE(first.has_value());
  EXPECT_FALSE(folder.lock("locks", 7, 5ms).has_value());
  EXPECT_TRUE(folder.lock("locks", std::uint64_t{1} << 61, 0ms).has_value());
  FileLock moved = *std::exchange(first, std::nullopt);
  EXPECT_FALSE(folder.lock("locks", 7, 0ms).has_value());
  {
    const FileLock gone = std::move(moved);
  }
  EXPECT_TRUE(folder.lock("locks", 7, 0ms).has_value());
}

TEST(OsFile, PathsNameFilesAnywhere) {
  const tests::ScratchFolder scratch;
  EXPECT_EQ(read_file(scratch / "x"), std::nullopt);
  write_file(scratch / "x", some_bytes);
  EXPECT_EQ(read_file(scratch / "x"), some_bytes);
  try {
    write_file(scratch / "none/x", some_bytes);
    FAIL() << "there is no such folder";
  } catch (const std::system_error& error) {
    EXPECT_EQ(error.code(), std::errc::no_such_file_or_directory);
    EXPECT_THAT(error.what(), HasSubstr("none/x"));
  }
}

TEST(OsLibrary, FindsSymbolsOrSaysWhyNot) {
  const LoadedLibrary c = load_library("libc.so.6");
  ASSERT_TRUE(c.library.has_value());
  EXPECT_NE(c.library->find("malloc"), nullptr);
  EXPECT_EQ(c.library->find("tilewright_has_no_such_symbol"), nullptr);
  const LoadedLibrary none = load_library("libtilewright-has-no-such-library.so");
  EXPECT_FALSE(none.library.has_value());
  EXPECT_THAT(none.problem, HasSubstr("libtilewright-has-no-such-library.so"));
}

}  // namespace
}  // namespace tw::os
