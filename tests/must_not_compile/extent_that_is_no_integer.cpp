// SPDX-License-Identifier: Apache-2.0
// expect: no matching function for call to .empty
#include <tilewright/runtime/create.hpp>

void f() { auto tensor = tw::empty<float>(2.5, 4); }
