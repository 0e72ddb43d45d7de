// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include <tilewright/tilewright.hpp>

namespace tw::tests {

/// One launch of a kernel function of kernels/*.hpp.
struct Case {
  std::string_view kernel;  ///< the function's name, and that of its golden file
  std::string_view launch;  ///< what sets it apart from other launches of the kernel
  ir::Kernel (*record)();
};

// Each file gives those of some kernels, the launches of one kernel side by side.
std::vector<Case> attention_cases();
std::vector<Case> delta_rule_cases();
std::vector<Case> matmul_cases();
std::vector<Case> moe_cases();
std::vector<Case> pointwise_cases();
std::vector<Case> rows_cases();

}  // namespace tw::tests
