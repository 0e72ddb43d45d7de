// SPDX-License-Identifier: Apache-2.0
// expect(g++): no matching function for call to .tw::v0::View<float, 3>::permuted
// expect(clang): no matching member function for call to 'permuted'
#include <tilewright/runtime/view.hpp>

auto f(const tw::View<float, 3>& view) { return view.permuted({1, 0}); }
