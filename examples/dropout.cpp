// SPDX-License-Identifier: Apache-2.0
// Drops a tenth of a layer's activations; a seed fixes which.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

#include <tilewright/tilewright.hpp>

#include "check.hpp"
#include "kernels/activation.hpp"

namespace {

void dropout() {
  constexpr std::size_t count = 20000;
  constexpr float p = 0.1f;
  const std::vector<float> activations = examples::normal_numbers(count, 2, 0.5f, 1);
  const auto x = tw::from_host<float>(activations);
  const auto drop = [&](int seed) {
    return tw::to_host(tw::launch<tw::kernels::dropout<float>>(
                           tw::empty<float>(count).partition({256}), x, p, seed)
                           .sync()
                           .join());
  };

  const std::vector<float> kept = drop(7);
  for (std::size_t i = 0; i < count; ++i) {
    examples::check(kept[i] == 0 || std::abs(kept[i] * (1 - p) - activations[i]) < 1e-5f,
                    "an activation is dropped or scaled by 1 / (1 - p)");
  }
  const auto dropped = static_cast<double>(std::count(kept.begin(), kept.end(), 0.f));
  std::printf("%.0f of %zu activations dropped: %.2f %%\n", dropped, count,
              100 * dropped / double{count});
  // Four deviations of the binomial distribution.
  examples::check(std::abs(dropped - count * double{p}) < 4 * std::sqrt(count * 0.09),
                  "a tenth is dropped");
  examples::check(drop(7) == kept, "a seed gives the same choice again");
  // The hash is for speed: close seeds make much the same choice.
  examples::check(drop(987654321) != kept, "a seed far from it gives another choice");
  std::printf("seed 7 again: the same; seed 987654321: others\n");
}

}  // namespace

int main() { return examples::run(dropout); }
