// SPDX-License-Identifier: Apache-2.0
// What was shared is no longer the owner's: clang sees it at compile time.
// expect(clang): invalid invocation of method 'shape' on object 'tensor' while it is in the 'consumed' state
#include <utility>

#include <tilewright/runtime/create.hpp>

void f() {
  auto tensor = tw::empty<float>(4);
  auto shared = std::move(tensor).share();
  auto shape = tensor.shape();
}
