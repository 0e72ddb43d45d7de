// SPDX-License-Identifier: Apache-2.0
// at names one element: one index for each axis.
// expect(g++): no matching function for call to .*::at\(int\)
// expect(clang): too few arguments to function call
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 64> c, In2<float> a) { c.store(zeros<float>(dim<0>(c)) + a.at(0)); }
