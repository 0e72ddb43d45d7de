// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tilewright/core/log.hpp>

namespace {

using testing::ElementsAre;
using testing::Pair;

TEST(Log, DropsMessagesUntilThereIsASink) { tw::write_log(tw::LogLevel::info, "nobody hears"); }

TEST(Log, GivesMessagesToTheSinkOfTheMoment) {
  std::vector<std::pair<tw::LogLevel, std::string>> first, second;
  auto former = tw::set_log_sink(
      [&](tw::LogLevel level, std::string_view text) { first.emplace_back(level, text); });
  tw::write_log(tw::LogLevel::warning, "one");
  auto sink = tw::set_log_sink(
      [&](tw::LogLevel level, std::string_view text) { second.emplace_back(level, text); });
  tw::write_log(tw::LogLevel::error, "two");
  sink(tw::LogLevel::info, "by hand");
  tw::set_log_sink(std::move(former));
  tw::write_log(tw::LogLevel::error, "three");
  EXPECT_THAT(first,
              ElementsAre(Pair(tw::LogLevel::warning, "one"), Pair(tw::LogLevel::info, "by hand")));
  EXPECT_THAT(second, ElementsAre(Pair(tw::LogLevel::error, "two")));
}

}  // namespace
