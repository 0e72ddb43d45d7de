// SPDX-License-Identifier: Apache-2.0
// Two elements of four bits share a byte.
// expect: two elements of f4e2m1 share a byte: none is read alone
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 1> c, In1<f4e2m1> a) { c.store(zeros<float>(1) + as<float>(a.at(1))); }
