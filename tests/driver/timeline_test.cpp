// SPDX-License-Identifier: Apache-2.0
#include "tests/support/timeline.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace tw::tests {
namespace {

constexpr std::size_t stream_count = 3;
constexpr std::size_t cell_count = 4;

/// to = 3 * from + number, on a stream; before it, the stream waits for some earlier steps.
struct Step {
  std::size_t stream = 0;
  std::size_t to = 0;
  std::size_t from = 0;
  std::uint32_t number = 0;
  std::vector<std::size_t> waits;
};

using Cells = std::array<std::uint32_t, cell_count>;

void apply(const Step& step, Cells& cells) { cells[step.to] = 3 * cells[step.from] + step.number; }

bool collide(const Step& a, const Step& b) {
  return a.to == b.to || a.to == b.from || a.from == b.to;
}

std::vector<Step> random_steps() {
  std::vector<Step> steps(*rc::gen::inRange<std::size_t>(1, 24));
  for (Step& step : steps) {
    step.stream = *rc::gen::inRange<std::size_t>(0, stream_count);
    step.to = *rc::gen::inRange<std::size_t>(0, cell_count);
    step.from = *rc::gen::inRange<std::size_t>(0, cell_count);
    step.number = *rc::gen::inRange<std::uint32_t>(0, 1000);
  }
  return steps;
}

/// Runs the steps; what the cells are at the end goes to `cells`.
std::vector<std::string> races_of(const std::vector<Step>& steps, Cells& cells) {
  Timeline timeline;
  for (std::size_t stream = 0; stream < stream_count; ++stream) (void)timeline.add_stream();
  std::vector<Timeline::Point> done;
  for (const Step& step : steps) {
    for (const std::size_t awaited : step.waits) timeline.wait(step.stream, done[awaited]);
    timeline.append(step.stream, "step",
                    {writes(&cells[step.to], sizeof(std::uint32_t)),
                     reads(&cells[step.from], sizeof(std::uint32_t))},
                    [&] { apply(step, cells); });
    done.push_back(timeline.record(step.stream));
  }
  timeline.finish(timeline.everything());
  return timeline.races();
}

/// Whether each two steps that touch one cell are ordered, by following all arrows.
bool are_ordered(const std::vector<Step>& steps) {
  std::vector<std::vector<bool>> before(steps.size(), std::vector<bool>(steps.size()));
  for (std::size_t late = 0; late < steps.size(); ++late) {
    const auto add = [&](std::size_t early) {
      before[early][late] = true;
      for (std::size_t i = 0; i < early; ++i) {
        if (before[i][early]) before[i][late] = true;
      }
    };
    for (std::size_t early = 0; early < late; ++early) {
      if (steps[early].stream == steps[late].stream) add(early);
    }
    // A wait holds for all that comes later on the stream, which the arrows within it carry on.
    for (const std::size_t early : steps[late].waits) add(early);
    for (std::size_t early = 0; early < late; ++early) {
      if (collide(steps[early], steps[late]) && !before[early][late]) return false;
    }
  }
  return true;
}

TEST(Timeline, ProgramsThatWaitForWhatTheyTouchRunAsWritten) {
  EXPECT_TRUE(rc::check([] {
    std::vector<Step> steps = random_steps();
    for (std::size_t late = 0; late < steps.size(); ++late) {
      for (std::size_t early = 0; early < late; ++early) {
        if (collide(steps[early], steps[late])) steps[late].waits.push_back(early);
      }
    }
    Cells expected = {1, 2, 3, 4};
    for (const Step& step : steps) apply(step, expected);
    Cells cells = {1, 2, 3, 4};
    RC_ASSERT(races_of(steps, cells).empty());
    RC_ASSERT(cells == expected);
  }));
}

TEST(Timeline, RacesAreReportedExactlyWhereNoArrowsLead) {
  EXPECT_TRUE(rc::check([] {
    std::vector<Step> steps = random_steps();
    for (std::size_t late = 1; late < steps.size(); ++late) {
      if (*rc::gen::arbitrary<bool>()) {
        steps[late].waits.push_back(*rc::gen::inRange<std::size_t>(0, late));
      }
    }
    Cells cells = {1, 2, 3, 4};
    const bool is_clean = races_of(steps, cells).empty();
    RC_CLASSIFY(is_clean);
    RC_ASSERT(is_clean == are_ordered(steps));
  }));
}

}  // namespace
}  // namespace tw::tests
