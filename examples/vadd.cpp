// SPDX-License-Identifier: Apache-2.0
// Adds the takings of two shops, day by day.
#include "kernels/vadd.hpp"

#include <cstddef>
#include <cstdio>
#include <vector>

#include <tilewright/tilewright.hpp>

#include "check.hpp"

namespace {

void vadd() {
  constexpr std::size_t days = 365;
  const std::vector<float> harbour = examples::normal_numbers(days, 1200, 150, 1);
  const std::vector<float> station = examples::normal_numbers(days, 2100, 400, 2);

  const auto x = tw::from_host<float>(harbour);
  const auto y = tw::from_host<float>(station);
  const auto z = tw::launch<tw::kernels::vadd<float>>(tw::empty<float>(days).partition({64}), x, y)
                     .sync()
                     .join();
  const std::vector<float> both = tw::to_host(z);

  for (std::size_t day = 0; day < days; ++day) {
    examples::check(both[day] == harbour[day] + station[day], "every day is added exactly");
  }
  std::printf("day   harbour  station     both\n");
  for (std::size_t day = 0; day < 3; ++day) {
    std::printf("%3zu  %8.2f %8.2f %8.2f\n", day + 1, harbour[day], station[day], both[day]);
  }
  std::printf("%zu days added\n", days);
}

}  // namespace

int main() { return examples::run(vadd); }
