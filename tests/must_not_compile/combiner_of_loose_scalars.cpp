// SPDX-License-Identifier: Apache-2.0
// A combiner of several tiles takes two tuples.
// expect: a combiner of several tiles takes \(accumulators, elements\), both tuples
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 1> c, In1<float> a) {
  auto x = a.tiles<64>()(0);
  auto [best, at] = reduce<0>(std::tuple{x, iota(Extent<64>())}, std::tuple{0.f, 0},
                              [](Float best, Int at, Float x, Int i) { return std::tuple{x, i}; });
  c.store(best + as<float>(at));
}
