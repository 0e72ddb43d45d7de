// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <tilewright/cache/bundle.hpp>
#include <tilewright/core/error.hpp>

#include "tests/support/scratch_folder.hpp"

namespace tw::cache {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::span<const std::byte> bytes(std::string_view text) { return std::as_bytes(std::span(text)); }

std::string text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

BundleEntry entry(std::string_view key, std::string_view arch, std::string_view blob) {
  return {bytes(key), arch, bytes(blob)};
}

std::vector<std::byte> two_kernels() {
  return bundle_bytes(std::vector{entry("softmax", "sm_90", "cubin one"), entry("add", "cpu", "")});
}

std::string refusal(std::vector<std::byte> file) {
  try {
    const Bundle bundle(std::move(file));
  } catch (const LaunchError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Bundle, GivesBackWhatWasPutIn) {
  const Bundle bundle(two_kernels());
  ASSERT_EQ(bundle.entries().size(), 2U);
  EXPECT_EQ(text(bundle.entries()[0].key), "add");
  EXPECT_EQ(bundle.entries()[0].arch, "cpu");
  EXPECT_EQ(bundle.entries()[1].arch, "sm_90");
  EXPECT_EQ(text(bundle.find(bytes("softmax")).value()), "cubin one");
  EXPECT_EQ(text(bundle.find(bytes("add")).value()), "");
  EXPECT_FALSE(bundle.find(bytes("mul")).has_value());
  EXPECT_FALSE(bundle.find({}).has_value());
}

TEST(Bundle, HasTheDocumentedLayout) {
  using namespace std::string_literals;
  const std::string file = text(bundle_bytes(std::vector{entry("k", "cpu", "blob")}));
  const std::string row = "\1\0\0\0k\3\0\0\0cpu"s;
  EXPECT_THAT(file, StartsWith("\x89twbndl\n\1\0\0\0\1\0\0\0"s + row +
                               "\x3c\0\0\0\0\0\0\0\4\0\0\0\0\0\0\0"s));
  // 16 bytes of header, 12 of row, 16 of offset and size, 16 of checksum: the blob starts at 60.
  EXPECT_EQ(file.size(), 64U);
  EXPECT_EQ(file.substr(60), "blob");
}

TEST(Bundle, TheSameEntriesGiveTheSameBytes) {
  const BundleEntry a = entry("a", "x", "1");
  const BundleEntry b = entry("b", "y", "22");
  EXPECT_EQ(bundle_bytes(std::vector{a, b}), bundle_bytes(std::vector{b, a}));
}

TEST(Bundle, MayBeEmpty) { EXPECT_TRUE(Bundle(bundle_bytes({})).entries().empty()); }

TEST(Bundle, TwoBlobsOfOneKeyAreRefused) {
  EXPECT_THROW((void)bundle_bytes(std::vector{entry("k", "a", "1"), entry("k", "b", "2")}),
               LaunchError);
  EXPECT_THROW((void)bundle_bytes(std::vector{entry("k", std::string(256, 'a'), "")}), LaunchError);
}

TEST(Bundle, EveryTruncationIsRefused) {
  const std::vector<std::byte> whole = two_kernels();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const std::string why = refusal({whole.begin(), whole.begin() + static_cast<long>(size)});
    EXPECT_THAT(why, HasSubstr("this is no bundle of compiled kernels: ")) << size;
  }
}

TEST(Bundle, EveryFlippedByteIsRefused) {
  const std::vector<std::byte> whole = two_kernels();
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (int mask = 1; mask < 256; ++mask) {
      std::vector<std::byte> flipped = whole;
      flipped[at] ^= static_cast<std::byte>(mask);
      ASSERT_THAT(refusal(flipped), HasSubstr("this is no bundle")) << at << ' ' << mask;
    }
  }
}

TEST(Bundle, WhatFollowsTheEndIsRefused) {
  std::vector<std::byte> longer = two_kernels();
  longer.push_back(std::byte{0});
  EXPECT_THAT(refusal(longer), HasSubstr("something follows its end"));
}

TEST(Bundle, HugeCountsCostNothing) {
  std::vector<std::byte> file = two_kernels();
  std::fill_n(file.begin() + 12, 4, std::byte{0xff});
  EXPECT_THAT(refusal(file), HasSubstr("cut off"));
}

TEST(Bundle, RandomEntriesComeBackAndRandomDamageIsSeen) {
  EXPECT_TRUE(rc::check([](const std::map<std::string, std::string>& blobs, std::size_t from,
                           std::size_t to, std::size_t count) {
    std::vector<BundleEntry> entries;
    for (const auto& [key, blob] : blobs) entries.push_back(entry(key, "sm_90", blob));
    const std::vector<std::byte> file = bundle_bytes(entries);
    const Bundle bundle(file);
    RC_ASSERT(bundle.entries().size() == blobs.size());
    for (const auto& [key, blob] : blobs) RC_ASSERT(text(*bundle.find(bytes(key))) == blob);

    // Some bytes copied over others: the same file, or no bundle.
    std::vector<std::byte> damaged = file;
    from %= file.size();
    to %= file.size();
    count %= file.size() - std::max(from, to) + 1;
    std::copy_n(file.begin() + static_cast<long>(from), count,
                damaged.begin() + static_cast<long>(to));
    RC_ASSERT((damaged == file) == (refusal(damaged) == "accepted"));
  }));
}

TEST(Bundle, GoesThroughFiles) {
  const tests::ScratchFolder folder;
  write_bundle(folder / "kernels.twb", std::vector{entry("k", "sm_80", "blob")});
  EXPECT_EQ(text(open_bundle(folder / "kernels.twb").find(bytes("k")).value()), "blob");
  EXPECT_THROW((void)open_bundle(folder / "other.twb"), LaunchError);
  EXPECT_THROW(write_bundle(folder / "none/kernels.twb", {}), LaunchError);
}

}  // namespace
}  // namespace tw::cache
