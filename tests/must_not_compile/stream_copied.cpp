// SPDX-License-Identifier: Apache-2.0
// A stream has one owner; StreamRef names it.
// expect(g++): use of deleted function .*Stream::Stream\(const tw::v0::Stream&\)
// expect(clang): call to implicitly-deleted copy constructor of 'tw::Stream'
#include <tilewright/runtime/stream.hpp>

void f(const tw::Stream& stream) { auto copy = stream; }
