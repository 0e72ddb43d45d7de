// SPDX-License-Identifier: Apache-2.0
// Tiles of an own box have one extent for each axis.
// expect: tiles: one extent for each axis
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 1, dyn> c) { c.tiles(64).store(zeros<float>(64), 0); }
