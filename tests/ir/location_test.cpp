// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <tilewright/ir/location.hpp>

namespace tw::ir {
namespace {

TEST(LocationTable, HoldsEachPlaceOnce) {
  LocationTable table;
  const Location here = Location::current();
  const LocationId first = table.add(here);
  const LocationId second = table.add(Location::current());
  EXPECT_NE(first, second);
  EXPECT_EQ(table.add(here), first);
  EXPECT_EQ(table.add(SourcePlace{here.file_name(), here.line(), here.column()}), first);
  EXPECT_EQ(table.size(), 3u);
  EXPECT_EQ(table[first], (SourcePlace{here.file_name(), here.line(), here.column()}));
}

TEST(LocationTable, KnowsTheUnknown) {
  LocationTable table;
  EXPECT_EQ(table.add(Location()), LocationId::unknown);
  EXPECT_EQ(table.add(SourcePlace()), LocationId::unknown);
  EXPECT_EQ(table[LocationId::unknown], SourcePlace());
}

}  // namespace
}  // namespace tw::ir
