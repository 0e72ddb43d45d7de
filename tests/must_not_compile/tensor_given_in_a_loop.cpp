// SPDX-License-Identifier: Apache-2.0
// The second iteration would give what the first one has given.
// expect(clang): state of variable 'c' must match at the entry and exit of loop
#include <utility>

#include <tilewright/tilewright.hpp>

using namespace tw;

void fill(Out<float, dyn> c) { c.store(zeros<float>(dim<0>(c))); }

void f() {
  auto c = empty<float>(8);
  for (int i = 0; i < 4; ++i) auto done = launch<fill>(std::move(c).partition({2})).sync();
}
