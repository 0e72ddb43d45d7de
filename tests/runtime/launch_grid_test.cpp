// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include <gmock/gmock.h>

#include "runtime/grid.hpp"

namespace {

using namespace tw;
using namespace tw::detail;
using testing::ElementsAre;

constexpr Cut all{CutKind::all, 0};
constexpr Cut whole{CutKind::whole, 0};
constexpr Cut cut(std::int64_t size) { return {CutKind::tile, size}; }

/// The outputs of a launch, put together for a test.
struct LaunchOf {
  std::vector<HostArgument> arguments;
  std::vector<TensorUse> tensors;

  std::uint32_t tensor(std::vector<std::int64_t> extents) {
    TensorUse use;
    use.rank = static_cast<std::int8_t>(extents.size());
    std::copy(extents.begin(), extents.end(), use.extents);
    tensors.push_back(use);
    return static_cast<std::uint32_t>(tensors.size() - 1);
  }

  LaunchOf& list(ParameterKind kind, std::vector<std::vector<std::int64_t>> all_extents,
                 std::vector<Cut> cuts) {
    HostArgument argument;
    argument.kind = kind;
    argument.list = all_extents.size() > 1;
    argument.rank = static_cast<std::int8_t>(cuts.size());
    argument.first_tensor = static_cast<std::uint32_t>(tensors.size());
    argument.tensor_count = static_cast<std::uint32_t>(all_extents.size());
    for (auto& extents : all_extents) tensor(extents);
    std::copy(cuts.begin(), cuts.end(), argument.cuts);
    arguments.push_back(argument);
    return *this;
  }
  LaunchOf& output(ParameterKind kind, std::vector<std::int64_t> extents, std::vector<Cut> cuts) {
    return list(kind, {extents}, cuts);
  }
  LaunchOf& out(std::vector<std::int64_t> extents, std::vector<Cut> cuts) {
    return output(ParameterKind::out, extents, cuts);
  }
  LaunchOf& outs(std::vector<std::int64_t> extents, std::vector<Cut> cuts) {
    return output(ParameterKind::outs, extents, cuts);
  }
  LaunchOf& grid(std::vector<std::int64_t> extents) {
    HostArgument argument;
    argument.kind = ParameterKind::grid;
    argument.rank = static_cast<std::int8_t>(extents.size());
    for (std::size_t i = 0; i < extents.size(); ++i) argument.cuts[i].size = extents[i];
    arguments.push_back(argument);
    return *this;
  }
  LaunchOf& rows(std::int64_t ids) {
    arguments.back().ids = static_cast<std::int32_t>(tensor({ids}));
    return *this;
  }

  CommonGrid common() const {
    CommonGrid result;
    GridConflict conflict;
    EXPECT_TRUE(find_common_grid(arguments, tensors, result, conflict));
    return result;
  }
  Schedule scheduled(Hints hints = {}, std::int64_t resident = 100) const {
    return schedule(common(), hints, resident);
  }
};

std::vector<std::int64_t> axes(const BlockCounts& counts) {
  return {counts.axes, counts.axes + counts.rank};
}

TEST(CommonGrid, RaggedTailsCountAsBlocks) {
  EXPECT_THAT(axes(LaunchOf().out({1000, 65}, {cut(128), cut(32)}).common().counted),
              ElementsAre(8, 3));
}

TEST(CommonGrid, AxesWithOneBlockAreDropped) {
  EXPECT_THAT(axes(LaunchOf().out({4, 7, 100}, {cut(2), all, whole}).common().counted),
              ElementsAre(2));
}

TEST(CommonGrid, OutputsOfDifferentRankAgreeAfterDropping) {
  LaunchOf launch;
  launch.out({6, 1, 12, 64}, {cut(1), cut(1), cut(4), all}).out({6, 12}, {cut(1), cut(4)});
  EXPECT_THAT(axes(launch.common().counted), ElementsAre(6, 3));
}

TEST(CommonGrid, OutputsThatDisagreeAreNamedWithTheirCounts) {
  LaunchOf launch;
  launch.out({64, 64}, {cut(16), cut(16)}).out({64}, {cut(16)});
  CommonGrid grid;
  GridConflict conflict;
  EXPECT_FALSE(find_common_grid(launch.arguments, launch.tensors, grid, conflict));
  EXPECT_EQ(conflict.first, 0u);
  EXPECT_EQ(conflict.second, 1u);
  EXPECT_EQ(to_string(conflict.first_counts), "4x4");
  EXPECT_EQ(to_string(conflict.second_counts), "4");
}

TEST(CommonGrid, AGridCountsLikeAnOutput) {
  EXPECT_THAT(axes(LaunchOf().grid({5, 1, 3}).out({15, 7}, {cut(3), cut(3)}).common().counted),
              ElementsAre(5, 3));
}

TEST(CommonGrid, RowListsCountTheirIds) {
  EXPECT_THAT(axes(LaunchOf().out({1000, 64}, {cut(16), cut(32)}).rows(40).common().counted),
              ElementsAre(3, 2));
}

TEST(CommonGrid, ListsAddUpTheirPlaces) {
  LaunchOf launch;
  launch.list(ParameterKind::out, {{32, 32}, {16, 48}, {0, 16}}, {cut(16), cut(16)});
  EXPECT_TRUE(launch.common().list);
  EXPECT_THAT(axes(launch.common().counted), ElementsAre(4 + 3 + 0));
}

TEST(CommonGrid, ListsMustAgreeTensorByTensor) {
  LaunchOf launch;
  launch.list(ParameterKind::out, {{32}, {16}}, {cut(16)});
  launch.list(ParameterKind::out, {{16}, {32}}, {cut(16)});
  CommonGrid grid;
  GridConflict conflict;
  EXPECT_FALSE(find_common_grid(launch.arguments, launch.tensors, grid, conflict));
}

TEST(CommonGrid, AbsentOutputsDoNotCount) {
  LaunchOf launch;
  launch.out({64}, {cut(16)}).out({64}, {cut(1)});
  launch.arguments[1].present = false;
  EXPECT_THAT(axes(launch.common().counted), ElementsAre(4));
}

TEST(CommonGrid, DealtAndCountedOutputsNeedNotAgree) {
  const CommonGrid grid = LaunchOf().outs({64, 8}, {cut(4), all}).out({3}, {cut(1)}).common();
  EXPECT_EQ(grid.dealt, 16);
  EXPECT_THAT(axes(grid.counted), ElementsAre(3));
}

TEST(Schedule, TheLastAxisIsX) {
  const Schedule s = LaunchOf().out({2, 3, 5}, {cut(1), cut(1), cut(1)}).scheduled();
  EXPECT_FALSE(s.linear);
  EXPECT_THAT(s.blocks, ElementsAre(5, 3, 2));
}

TEST(Schedule, AFourthAxisMakesItLinear) {
  const Schedule s = LaunchOf().out({2, 3, 5, 7}, {cut(1), cut(1), cut(1), cut(1)}).scheduled();
  EXPECT_TRUE(s.linear);
  EXPECT_FALSE(s.persistent);
  EXPECT_THAT(s.blocks, ElementsAre(2 * 3 * 5 * 7, 1, 1));
}

TEST(Schedule, AnEmptyOutputHasNoPlaces) {
  EXPECT_EQ(LaunchOf().out({0, 8}, {cut(4), cut(4)}).scheduled().grid.product(), 0);
  EXPECT_EQ(LaunchOf().out({8, 0}, {cut(4), all}).scheduled().grid.product(), 0);
  EXPECT_EQ(LaunchOf().out({8, 0}, {cut(4), whole}).scheduled().grid.product(), 2);
}

TEST(Schedule, FewerBlocksThanPlacesArePersistent) {
  const LaunchOf launch = LaunchOf().out({64, 64}, {cut(16), cut(16)});
  const Schedule few = launch.scheduled({.blocks = 5});
  EXPECT_TRUE(few.persistent);
  EXPECT_TRUE(few.linear);
  EXPECT_THAT(few.blocks, ElementsAre(5, 1, 1));
  EXPECT_THAT(axes(few.grid), ElementsAre(4, 4));
  const Schedule many = launch.scheduled({.blocks = 500});
  EXPECT_FALSE(many.persistent);
  EXPECT_THAT(many.blocks, ElementsAre(4, 4, 1));
}

TEST(Schedule, SwizzlingNeedsTwoAxes) {
  EXPECT_EQ(LaunchOf().out({64, 64}, {cut(16), cut(16)}).scheduled({.swizzle = 2}).swizzle, 2);
  EXPECT_EQ(LaunchOf().out({64}, {cut(16)}).scheduled({.swizzle = 2}).swizzle, 0);
}

TEST(Schedule, AxesBeyondTheDevicesLimitAreSpreadOverPersistentBlocks) {
  const Schedule s = LaunchOf().out({1 << 25}, {cut(1)}).scheduled();
  EXPECT_TRUE(s.linear);
  EXPECT_TRUE(s.persistent);
  EXPECT_EQ(s.blocks[0], static_cast<std::uint32_t>(max_blocks_per_axis));
}

TEST(Schedule, DealtOutputsTakeTheBlocksOfTheDevice) {
  EXPECT_THAT(LaunchOf().outs({64}, {cut(1)}).scheduled({}, 10).blocks, ElementsAre(10, 1, 1));
  EXPECT_THAT(LaunchOf().outs({64}, {cut(16)}).scheduled({}, 10).blocks, ElementsAre(4, 1, 1));
  EXPECT_THAT(LaunchOf().outs({64}, {cut(1)}).scheduled({.blocks = 3}, 10).blocks,
              ElementsAre(3, 1, 1));
}

TEST(Schedule, CountedOutputsSetTheBlocksThatOthersAreDealtOver) {
  const Schedule s =
      LaunchOf().outs({64}, {cut(1)}).out({7}, {cut(1)}).scheduled({.blocks = 3}, 10);
  EXPECT_FALSE(s.persistent);
  EXPECT_THAT(s.blocks, ElementsAre(7, 1, 1));
}

TEST(Schedule, ListsAreAlwaysPersistent) {
  LaunchOf launch;
  launch.list(ParameterKind::out, {{32}, {16}}, {cut(16)});
  const Schedule s = launch.scheduled();
  EXPECT_TRUE(s.persistent);
  EXPECT_THAT(s.blocks, ElementsAre(3, 1, 1));
}

TEST(Schedule, ProductsThatOverflowSaturate) {
  const BlockCounts counts{.axes = {1 << 30, 1 << 30, 1 << 30}, .rank = 3};
  EXPECT_EQ(counts.product(), std::numeric_limits<std::int64_t>::max());
}

}  // namespace
