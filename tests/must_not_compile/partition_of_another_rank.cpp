// SPDX-License-Identifier: Apache-2.0
// A partition has one cut for each axis.
// expect: (use of deleted function .*partition|call to deleted member function 'partition')
#include <tilewright/tilewright.hpp>

using namespace tw;

auto rows() { return empty<float>(4, 4).partition({2}); }
