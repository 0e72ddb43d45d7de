// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <tilewright/core/small_vector.hpp>

namespace tw {
namespace {

using Numbers = SmallVector<int, 2>;
using Texts = SmallVector<std::string, 2>;

std::vector<int> values(const Numbers& list) { return {list.begin(), list.end()}; }

bool lies_inside(const Numbers& list) {
  const auto begin = reinterpret_cast<std::uintptr_t>(&list);
  const auto element = reinterpret_cast<std::uintptr_t>(list.data());
  return element >= begin && element < begin + sizeof(list);
}

TEST(SmallVector, FewElementsLieInTheObjectAndMoreOnTheHeap) {
  Numbers list{1, 2};
  EXPECT_TRUE(lies_inside(list));
  list.push_back(3);
  EXPECT_FALSE(lies_inside(list));
  EXPECT_EQ(values(list), (std::vector{1, 2, 3}));
}

TEST(SmallVector, IsAsSmallAsItsElementsAndTwoNumbers) {
  EXPECT_EQ(sizeof(SmallVector<std::uint32_t, 4>), 24u);
  EXPECT_EQ(sizeof(SmallVector<std::byte, 8>), 16u);
}

TEST(SmallVector, AMovedListIsEmptyAndInline) {
  for (Numbers list : {Numbers{1}, Numbers{1, 2, 3}}) {
    const std::vector<int> held = values(list);
    Numbers taken = std::move(list);
    EXPECT_EQ(values(taken), held);
    EXPECT_TRUE(list.empty());  // NOLINT(bugprone-use-after-move): what is left is told
    list.push_back(7);
    EXPECT_TRUE(lies_inside(list));
    EXPECT_EQ(values(list), (std::vector{7}));
  }
}

TEST(SmallVector, CopiesAreIndependent) {
  for (const Texts& list : {Texts{"a"}, Texts{"a", "b", "c"}}) {
    Texts copy = list;
    copy[0] = "z";
    EXPECT_EQ(list[0], "a");
    copy = list;
    EXPECT_EQ(copy, list);
    copy = *&copy;
    EXPECT_EQ(copy, list);
  }
}

TEST(SmallVector, AnElementMayBeAddedToItsOwnList) {
  Texts list{"first, which is too long to lie in a string", "b"};
  list.emplace_back(list[0]);
  list.push_back(list[0]);
  EXPECT_EQ(list[2], list[0]);
  EXPECT_EQ(list[3], list[0]);
}

TEST(SmallVector, ElementsMayOnlyBeMovable) {
  SmallVector<std::unique_ptr<int>, 1> list;
  for (int i = 0; i < 5; ++i) list.push_back(std::make_unique<int>(i));
  list.erase(list.begin() + 1);
  auto taken = std::move(list);
  ASSERT_EQ(taken.size(), 4u);
  EXPECT_EQ(*taken[1], 2);
}

TEST(SmallVector, EveryElementIsDestroyedOnce) {
  const auto counted = std::make_shared<int>(0);
  {
    SmallVector<std::shared_ptr<int>, 2> list(5, counted);
    list.resize(3);
    list.pop_back();
    list.insert(list.begin(), counted);
    SmallVector<std::shared_ptr<int>, 2> other(1, counted);
    other = std::move(list);
    EXPECT_EQ(counted.use_count(), 4);
  }
  EXPECT_EQ(counted.use_count(), 1);
}

TEST(SmallVector, ListsOfDifferentCapacityAreCompared) {
  EXPECT_TRUE((SmallVector<int, 2>{1, 2, 3} == SmallVector<int, 4>{1, 2, 3}));
  EXPECT_FALSE((SmallVector<int, 2>{1, 2} == SmallVector<int, 4>{1, 2, 3}));
  EXPECT_FALSE((SmallVector<int, 2>{1, 2} == SmallVector<int, 4>{1, 3}));
}

TEST(SmallVector, AnIndexBeyondTheEndThrows) {
  const Numbers list{1, 2};
  EXPECT_EQ(list.at(1), 2);
  EXPECT_THROW((void)list.at(2), std::out_of_range);
}

/// Whatever is done to both, it holds what `std::vector` holds.
RC_GTEST_PROP(SmallVector, BehavesLikeAVector, (const std::vector<std::uint8_t>& steps)) {
  Numbers list;
  std::vector<int> model;
  for (const std::uint8_t step : steps) {
    const int value = step;
    const std::size_t at = model.empty() ? 0 : step / 8u % model.size();
    const auto offset = static_cast<std::ptrdiff_t>(at);
    switch (step % 8) {
      case 0:
      case 1:
        list.push_back(value);
        model.push_back(value);
        break;
      case 2:
        list.insert(list.begin() + offset, value);
        model.insert(model.begin() + offset, value);
        break;
      case 3:
        if (model.empty()) break;
        list.erase(list.begin() + offset);
        model.erase(model.begin() + offset);
        break;
      case 4:
        list.erase(list.begin() + offset, list.end());
        model.erase(model.begin() + offset, model.end());
        break;
      case 5:
        list.resize(at);
        model.resize(at);
        break;
      case 6: {
        const std::vector<int> more(at + 1, value);
        list.append(more.begin(), more.end());
        model.insert(model.end(), more.begin(), more.end());
        break;
      }
      default:
        list.assign(at, value);
        model.assign(at, value);
    }
    RC_ASSERT(values(list) == model);
    RC_ASSERT(values(Numbers(std::span<const int>(model))) == model);
  }
}

}  // namespace
}  // namespace tw
