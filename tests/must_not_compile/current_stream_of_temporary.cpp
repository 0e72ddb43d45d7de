// SPDX-License-Identifier: Apache-2.0
// The stream must last as long as it is current.
// expect: deleted
#include <tilewright/runtime/stream.hpp>

void f() { const tw::CurrentStream scope{tw::Stream()}; }
