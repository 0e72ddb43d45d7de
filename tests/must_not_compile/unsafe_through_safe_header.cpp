// SPDX-License-Identifier: Apache-2.0
// The safe language does not bring the unsafe one along.
// expect: unsafe
#include <tilewright/kernel.hpp>

void kernel() { auto ids = tw::unsafe::block_ids(tw::unsafe::accept()); }
