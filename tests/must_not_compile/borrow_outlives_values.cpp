// SPDX-License-Identifier: Apache-2.0
// Borrowed values must outlive their tensor.
// expect(clang): address of stack memory associated with local variable 'values' returned
#include <tilewright/runtime/borrow.hpp>

auto f() {
  float values[4] = {};
  return tw::borrow(std::span(values), 4);
}
