// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include <gmock/gmock.h>

#include <tilewright/core/error.hpp>
#include <tilewright/kernel.hpp>
#include <tilewright/runtime/create.hpp>
#include <tilewright/runtime/launch.hpp>
#include <tilewright/runtime/transfer.hpp>
#include <tilewright/unsafe.hpp>

namespace {

using namespace tw;
using testing::ElementsAre;
using testing::HasSubstr;

/// Row r of the output becomes 10 * r + column + the number of the id that named it times 100.
void number_rows(Out<int, dyn, dyn> out) {
  auto row = unsqueeze<1>(index<0>(out));
  auto column = unsqueeze<0>(index<1>(out));
  out.store(row * 10 + column);
}

void add_one(InOut<int, dyn, 1> row) { row.store(row.load() + 1); }

const Device device = Device::cpu();

std::vector<int> numbered(Partition<int, 2> partition) {
  return to_host(launch<number_rows>(std::move(partition)).sync().join());
}

TEST(RowList, OnlyNamedRowsAreWritten) {
  const auto ids = from_host<int>(device, {3, 0});
  EXPECT_THAT(numbered(filled(device, -7, 4, 2).partition(ids, {2, all})),
              ElementsAre(0, 1, -7, -7, -7, -7, 30, 31));
}

TEST(RowList, NoneIdsNameNothing) {
  const auto ids = from_host<int>(device, {-1, 4, 1, -1});
  EXPECT_THAT(numbered(filled(device, -7, 4, 1).partition(ids, {2, all})),
              ElementsAre(-7, 10, -7, -7));
}

TEST(RowList, OtherIdsOutsideAreFaultsAndStoreNothing) {
  const auto ids = from_host<int>(device, {5, 1});
  auto out = filled(device, -7, 4, 1);
  EXPECT_THROW(launch<number_rows>(mut(out).partition(ids, {2, all})).sync(), DeviceFault);
  EXPECT_THAT(to_host(out), ElementsAre(-7, 10, -7, -7));
}

TEST(RowList, IdsMustLieTogether) {
  const auto one = from_host<int>(device, {3});
  const View<int, 1> repeated = one.expanded({4});
  EXPECT_THAT([&] { std::ignore = filled(device, 0, 4, 1).partition(repeated, {2, all}); },
              testing::ThrowsMessage<LaunchError>(HasSubstr("must lie next to each other")));
}

TEST(Rows, DistinctIdsAreCertified) {
  const auto ids = from_host<int>(device, {3, 0, 4, -1, 4});
  const Rows rows = distinct(ids, 4).sync();
  EXPECT_EQ(rows.size(), 5);
  EXPECT_EQ(rows.rows(), 4);
  EXPECT_THAT(numbered(filled(device, -7, 4, 1).partition(rows, {2, all})),
              ElementsAre(0, -7, -7, 30));
}

TEST(Rows, ARowNamedTwiceIsAFaultAndNothingIsStored) {
  Stream stream(device);
  const auto ids = from_host<int>(device, {3, 0, 3});
  const Rows rows = distinct(ids, 4).on(stream);
  auto out = filled(device, -7, 4, 1);
  launch<number_rows>(mut(out).partition(rows, {2, all})).on(stream);
  EXPECT_THAT([&] { stream.sync(); },
              testing::ThrowsMessage<DeviceFault>(HasSubstr("a row is named twice")));
  EXPECT_THAT(to_host(out), ElementsAre(-7, -7, -7, -7));
}

TEST(Rows, IdsOutsideAreFaults) {
  const auto ids = from_host<int>(device, {3, 5});
  EXPECT_THROW(std::ignore = distinct(ids, 4).sync(), DeviceFault);
}

TEST(Rows, TheCertificateKeepsItsOwnCopy) {
  auto ids = from_host<int>(device, {1, 2});
  const Rows rows = distinct(ids, 4).sync();
  copy(mut(ids), from_host<int>(device, {1, 1}));
  EXPECT_THAT(numbered(filled(device, -7, 4, 1).partition(rows, {2, all})),
              ElementsAre(-7, 10, 20, -7));
}

void number_or_clear(Out<int, dyn> ids, Int factor) { ids.store(index<0>(ids) * factor); }

TEST(Rows, WritersOfTheIdsCannotSpoilACertificate) {
  constexpr int count = 1 << 12;
  auto ids = from_host<int>(device, std::vector<int>(count));
  const View<int, 1> view = ids;
  std::atomic<bool> stop = false;
  std::thread writer([&] {
    Stream stream(device);
    for (int i = 0; !stop; ++i) {
      launch<number_or_clear>(mut(ids).partition({256}), i % 2).on(stream);
    }
    stream.sync();
  });
  Stream stream(device);
  for (int i = 0; i < 30; ++i) {
    const Rows rows = distinct(view, count).on(stream);
    auto counts = zeroed<int>(device, count, 1);
    launch<add_one>(mut(counts).partition(rows, {64, 1})).on(stream);
    EXPECT_LE(std::ranges::max(to_host(counts)), 1);
    try {
      stream.sync();
    } catch (const DeviceFault&) {  // the ids were all zero
    }
  }
  stop = true;
  writer.join();
}

TEST(Rows, ACertificateIsForOneNumberOfRows) {
  const Rows rows = distinct(from_host<int>(device, {1, 2}), 4).sync();
  EXPECT_THAT([&] { std::ignore = filled(device, 0, 5, 1).partition(rows, {2, all}); },
              testing::ThrowsMessage<LaunchError>(HasSubstr("certified for 4 rows")));
}

TEST(Rows, AnUncheckedCertificateIsTaken) {
  auto ids = from_host<int>(device, {2});
  const Rows rows = unsafe::assume_distinct(std::move(ids), 3);
  EXPECT_THAT(numbered(filled(device, -7, 3, 1).partition(rows, {1, all})),
              ElementsAre(-7, -7, 20));
}

TEST(Distinct, RefusesAtTheUsersLine) {
  const auto ids = from_host<int>(device, {0});
  const auto line = Location::current().line() + 2;
  try {
    std::ignore = distinct(ids, -1).sync();
    FAIL();
  } catch (const LaunchError& error) {
    EXPECT_EQ(error.where().line(), line);
    EXPECT_THAT(error.where().file_name(), HasSubstr("launch_rows_test.cpp"));
  }
}

}  // namespace
