// SPDX-License-Identifier: Apache-2.0
// Random programs of launches, moves, loans, views, tasks and faults on several streams, some of
// them held up by gates, compared with the same programs on vectors of the host.
#include "tests/runtime/random_program.hpp"

#include <exception>

#include <gtest/gtest.h>

namespace tw::tests {
namespace {

constexpr unsigned programs_a_test = 100;

class RandomPrograms : public ::testing::TestWithParam<unsigned> {};

TEST_P(RandomPrograms, DoWhatTheModelDoes) {
  Tally tally;
  const unsigned first = GetParam() * programs_a_test;
  for (unsigned seed = first; seed < first + programs_a_test; ++seed) {
    RandomProgram program(seed, tally);
    try {
      program.run();
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
    ASSERT_FALSE(HasFailure()) << "program " << seed << ": " << program.text();
  }
  EXPECT_GE(tally.launches, 500);
  EXPECT_GE(tally.refusals, 100);
  EXPECT_GE(tally.faults, 20);
}
INSTANTIATE_TEST_SUITE_P(Thousand, RandomPrograms, ::testing::Range(0u, 10u));

}  // namespace
}  // namespace tw::tests
