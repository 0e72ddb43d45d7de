// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <tilewright/core/version.hpp>

#define SPELLING_OF(symbol) #symbol
#define SPELLING(symbol) SPELLING_OF(symbol)

namespace {

TEST(Version, LibraryIsTheOneTheHeadersDescribe) {
  EXPECT_EQ(tw::library_version(), tw::header_version);
}

TEST(Version, ReleasesAreOrderedByMajorThenMinorThenPatch) {
  EXPECT_LT((tw::Version{0, 9, 9}), (tw::Version{1, 0, 0}));
  EXPECT_LT((tw::Version{0, 1, 9}), (tw::Version{0, 2, 0}));
  EXPECT_LT((tw::Version{0, 1, 0}), (tw::Version{0, 1, 1}));
}

TEST(Version, AbiSymbolNamesMajorAndMinor) {
  EXPECT_EQ(
      SPELLING(TILEWRIGHT_ABI_SYMBOL),
      fmt::format("tilewright_abi_{}_{}", tw::header_version.major, tw::header_version.minor));
}

}  // namespace
