// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include <tilewright/cache/memory_cache.hpp>

namespace tw::cache {
namespace {

Key key(std::string_view text) { return std::as_bytes(std::span(text)); }

std::shared_ptr<const std::string> value(std::string text) {
  return std::make_shared<const std::string>(std::move(text));
}

/// Of ten bytes with keys of one.
class MemoryCacheTest : public testing::Test {
 protected:
  std::string found(std::string_view name) {
    const auto text = cache.find(key(name));
    return text == nullptr ? "nothing" : *text;
  }

  MemoryCache<std::string> cache{10};
};

TEST_F(MemoryCacheTest, FindsWhatWasPut) {
  cache.put(key("a"), value("one"), 3);
  EXPECT_EQ(found("a"), "one");
  EXPECT_EQ(found("b"), "nothing");
  EXPECT_EQ(cache.bytes(), 4U);
}

TEST_F(MemoryCacheTest, WhatNobodyAskedForLongestGoesFirst) {
  cache.put(key("a"), value("one"), 3);
  cache.put(key("b"), value("two"), 3);
  EXPECT_EQ(found("a"), "one");
  cache.put(key("c"), value("three"), 4);
  EXPECT_EQ(found("a"), "one");
  EXPECT_EQ(found("b"), "nothing");
  EXPECT_EQ(found("c"), "three");
  EXPECT_EQ(cache.bytes(), 9U);
}

TEST_F(MemoryCacheTest, NewValueReplacesTheOld) {
  cache.put(key("a"), value("one"), 9);
  cache.put(key("a"), value("two"), 1);
  EXPECT_EQ(found("a"), "two");
  EXPECT_EQ(cache.bytes(), 2U);
  EXPECT_EQ(cache.count(), 1U);
}

TEST_F(MemoryCacheTest, WhatIsTooLargeIsNotKeptAndDrivesNothingElseOut) {
  cache.put(key("a"), value("one"), 3);
  cache.put(key("b"), value("huge"), 10);
  EXPECT_EQ(found("a"), "one");
  EXPECT_EQ(found("b"), "nothing");
  cache.put(key("b"), value("fits"), 5);
  EXPECT_EQ(cache.bytes(), 10U);
}

TEST_F(MemoryCacheTest, HeldValuesOutliveTheirEviction) {
  cache.put(key("a"), value("one"), 9);
  const auto held = cache.find(key("a"));
  cache.put(key("b"), value("two"), 9);
  EXPECT_EQ(found("a"), "nothing");
  EXPECT_EQ(*held, "one");
  EXPECT_EQ(held.use_count(), 1);
}

TEST_F(MemoryCacheTest, EraseRetainAndClear) {
  cache.put(key("a"), value("one"), 1);
  cache.put(key("b"), value("two"), 1);
  cache.put(key("c"), value("three"), 1);
  cache.erase(key("a"));
  EXPECT_EQ(found("a"), "nothing");
  const Key kept = key("c");
  cache.retain({&kept, 1});
  EXPECT_EQ(found("b"), "nothing");
  EXPECT_EQ(found("c"), "three");
  cache.clear();
  EXPECT_EQ(cache.count(), 0U);
  EXPECT_EQ(cache.bytes(), 0U);
}

/// Asks the cache for another value when it is destroyed, as the owner of a module may.
struct Inquisitive {
  MemoryCache<Inquisitive>* cache;
  ~Inquisitive() { (void)cache->find({}); }
};

TEST(MemoryCache, ValuesMayUseTheCacheWhenTheyGo) {
  MemoryCache<Inquisitive> cache(4);
  cache.put(key("a"), std::make_shared<const Inquisitive>(&cache), 3);
  cache.put(key("b"), std::make_shared<const Inquisitive>(&cache), 3);
  cache.clear();
  EXPECT_EQ(cache.count(), 0U);
}

}  // namespace
}  // namespace tw::cache
