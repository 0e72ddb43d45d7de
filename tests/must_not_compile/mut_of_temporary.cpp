// SPDX-License-Identifier: Apache-2.0
// Nobody could read what a launch wrote to a temporary that was only lent.
// expect(g++): use of deleted function .*mut\(Tensor<T, R>&&\)
// expect(clang): call to deleted function 'mut'
#include <tilewright/runtime/create.hpp>
#include <tilewright/runtime/mut.hpp>

void f() { auto loan = tw::mut(tw::empty<float>(4)); }
