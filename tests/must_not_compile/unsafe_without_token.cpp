// SPDX-License-Identifier: Apache-2.0
// What can break the safety contract asks for consent first.
// expect: no matching function for call to .base
// expect: no matching function for call to .block_ids|too few arguments to function
#include <tilewright/unsafe.hpp>

void kernel(tw::In<float, tw::dyn> x) {
  auto p = tw::unsafe::base(x);
  auto ids = tw::unsafe::block_ids();
}
