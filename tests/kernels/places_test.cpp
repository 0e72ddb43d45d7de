// SPDX-License-Identifier: Apache-2.0
// How blocks meet their places: dealt partitions beside counted ones.
#include "reference.hpp"

namespace tw::tests {
namespace {

/// Every place of `numbers` is visited once, by one of the blocks that `counted` counts.
void deal_over_a_plane(InOuts<int, dyn> numbers, Out<int, 1, 1> counted) {
  Var visits = Int(0);
  for (auto part : places(numbers)) {
    part.store(part.load() + 1);
    visits = visits + 1;
  }
  counted.store(full(0, 1, 1) + visits);
}

TEST(PlacesTest, DealtPlacesBelongToOneBlockOfAPlaneEach) {
  for (const int n : {1, 7, 12, 40}) {
    auto numbers = zeroed<int>(n);
    const auto visits =
        launch<deal_over_a_plane>(mut(numbers).partition({1}), empty<int>(3, 4).partition({1, 1}))
            .sync()
            .join();
    EXPECT_EQ(to_host(numbers), std::vector<int>(static_cast<std::size_t>(n), 1)) << n;
    const std::vector<int> counts = to_host(visits);
    EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), 0), n);
    for (const int count : counts) EXPECT_LE(count, (n + 11) / 12);
  }
}

}  // namespace
}  // namespace tw::tests
