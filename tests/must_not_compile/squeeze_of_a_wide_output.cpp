// SPDX-License-Identifier: Apache-2.0
// squeeze drops axes along which the block owns one element.
// expect: squeeze: the block owns more than one element along an axis
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 16, 64> c) { squeeze<0>(c).store(zeros<float>(64)); }
