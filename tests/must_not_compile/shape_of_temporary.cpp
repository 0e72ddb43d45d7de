// SPDX-License-Identifier: Apache-2.0
// expect(clang): temporary bound to local reference 'dangling' will be destroyed
#include <tilewright/runtime/create.hpp>

std::int64_t f() {
  const tw::Shape& dangling = tw::empty<float>(4).shape();
  return dangling[0];
}
