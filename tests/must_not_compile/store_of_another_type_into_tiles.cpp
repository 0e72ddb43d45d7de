// SPDX-License-Identifier: Apache-2.0
// A tile stored into a tiling has the output's element type.
// expect: store: the tile's element type is not the output's
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<half, 1, dyn> c, int bn) { c.tiles(1, bn).store(zeros<float>(1, bn), 0, 0); }
