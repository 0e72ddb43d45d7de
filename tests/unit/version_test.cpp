// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <tilewright/core/version.hpp>

namespace {

TEST(Version, LibraryIsTheOneTheHeadersDescribe) {
  EXPECT_EQ(tw::library_version(), tw::header_version);
}

TEST(Version, ReleasesAreOrderedByMajorThenMinorThenPatch) {
  EXPECT_LT((tw::Version{0, 9, 9}), (tw::Version{1, 0, 0}));
  EXPECT_LT((tw::Version{0, 1, 9}), (tw::Version{0, 2, 0}));
  EXPECT_LT((tw::Version{0, 1, 0}), (tw::Version{0, 1, 1}));
}

}  // namespace
