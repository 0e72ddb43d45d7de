// SPDX-License-Identifier: Apache-2.0
// Not even unsafe code has addresses of half bytes.
// expect: two elements of f4e2m1 share a byte, which a pointer cannot divide
#include <tilewright/unsafe.hpp>

using namespace tw;

void kernel(Out<f4e2m1, 2> c, unsafe::Token token) {
  auto second = unsafe::offset(token, unsafe::base(token, c), 1);
}
