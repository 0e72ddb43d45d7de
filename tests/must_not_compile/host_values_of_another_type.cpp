// SPDX-License-Identifier: Apache-2.0
// expect: no matching function for call to .from_host
#include <vector>

#include <tilewright/runtime/create.hpp>

void f(const std::vector<double>& values) { auto tensor = tw::from_host<float>(values, 4); }
