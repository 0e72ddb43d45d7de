// SPDX-License-Identifier: Apache-2.0
// Indices are Ints.
// expect: an index is a number or an Int
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 64> c, In2<float> a, In1<std::int64_t> rows) {
  c.store(select<0>(a, rows.at(0)).tiles<64>()(0));
}
