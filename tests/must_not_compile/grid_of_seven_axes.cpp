// SPDX-License-Identifier: Apache-2.0
// A grid has one to six axes.
// expect: a grid has one to six axes
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Grid<7> blocks, Atomic<int, dyn> a) { a.add(zeros<int>(1), blocks.extent(0)); }
