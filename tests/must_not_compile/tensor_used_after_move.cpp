// SPDX-License-Identifier: Apache-2.0
// expect(clang): invalid invocation of method 'size' on object 'tensor' while it is in the 'consumed' state
#include <utility>

#include <tilewright/runtime/create.hpp>

void f() {
  auto tensor = tw::empty<float>(4);
  auto other = std::move(tensor);
  auto size = tensor.size() + other.size();
}
