// SPDX-License-Identifier: Apache-2.0
// expect(g++): ignoring return value of .*nodiscard
// expect(clang): ignoring return value of .*nodiscard
#include <tilewright/runtime/create.hpp>

void f() { tw::empty<float>(4); }
