// SPDX-License-Identifier: Apache-2.0
// Constant values are borrowed as a view.
// expect(g++): no matching function for call to .mut\(tw::v0::View<float, 1>&\)
// expect(clang): no matching function for call to 'mut'
#include <span>

#include <tilewright/runtime/borrow.hpp>
#include <tilewright/runtime/mut.hpp>

void f(std::span<const float> values) {
  auto view = tw::borrow(values, 4);
  auto loan = tw::mut(view);
}
