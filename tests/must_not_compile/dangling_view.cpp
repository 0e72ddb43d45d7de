// SPDX-License-Identifier: Apache-2.0
// A view bound to a temporary: clang follows TILEWRIGHT_LIFETIMEBOUND.
// expect(clang): temporary bound to local reference 'dangling' will be destroyed
#include <tilewright/core/attributes.hpp>

struct Owner {
  int value = 0;
  const int& view() const TILEWRIGHT_LIFETIMEBOUND { return value; }
};

int f() {
  const int& dangling = Owner{}.view();
  return dangling;
}
