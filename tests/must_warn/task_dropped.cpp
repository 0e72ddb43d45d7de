// SPDX-License-Identifier: Apache-2.0
// expect: a task does not start until it is awaited
#include <tilewright/runtime/task.hpp>

tw::Task<int> work() { co_return 1; }

void f() { work(); }
