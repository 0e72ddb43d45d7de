// SPDX-License-Identifier: Apache-2.0
// What a launch gives back takes the place of what it was given.
#include <utility>

#include <tilewright/tilewright.hpp>

using namespace tw;

void accumulate(InOut<float, dyn> c, In1<float> a) { c.store(c.load() + a.load_like(c)); }

std::int64_t f() {
  const auto a = empty<float>(8);
  auto c = zeroed<float>(8);
  for (int i = 0; i < 4; ++i) c = launch<accumulate>(std::move(c).partition({2}), a).sync().join();
  return c.size();
}
