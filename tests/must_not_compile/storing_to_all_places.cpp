// SPDX-License-Identifier: Apache-2.0
// A dealt partition is many places: places(ys) names each.
// expect: no member named .store
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Outs<float, 64> cs) { cs.store(zeros<float>(64)); }
