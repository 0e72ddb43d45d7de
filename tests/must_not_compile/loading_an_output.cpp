// SPDX-License-Identifier: Apache-2.0
// An Out is only written; InOut may be read as well.
// expect: an Out is only written: declare the parameter InOut to load it
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 64> c) { c.store(c.load() + 1.f); }
