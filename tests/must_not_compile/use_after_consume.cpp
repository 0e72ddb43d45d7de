// SPDX-License-Identifier: Apache-2.0
// The attribute macros let clang find the use of an object that was consumed.
// expect(clang): invalid invocation of method 'use' on object 'handle' while it is in the 'consumed' state
#include <tilewright/core/attributes.hpp>

class TILEWRIGHT_CONSUMABLE Handle {
 public:
  TILEWRIGHT_RETURNS_HELD Handle() {}
  TILEWRIGHT_SETS_CONSUMED void give_away() && {}
  TILEWRIGHT_NEEDS_HELD void use() {}
};

void f() {
  Handle handle;
  static_cast<Handle&&>(handle).give_away();
  handle.use();
}
