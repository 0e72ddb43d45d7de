// SPDX-License-Identifier: Apache-2.0
// What was given to a launch comes back as its result.
// expect(clang): invalid invocation of method 'size' on object 'c' while it is in the 'consumed' state
#include <utility>

#include <tilewright/tilewright.hpp>

using namespace tw;

void fill(Out<float, dyn> c) { c.store(zeros<float>(dim<0>(c))); }

std::int64_t f() {
  auto c = empty<float>(8);
  auto done = launch<fill>(std::move(c).partition({2})).sync();
  return c.size();
}
