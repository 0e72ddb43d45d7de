// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "assignment.hpp"

namespace tw::cli {

/// An entry of a file of Tile IR, and what it is run with. Its parameters are called arg0, arg1 and
/// so on.
struct ModuleRun {
  std::string file;
  std::string entry;                ///< may be empty where the module has only one
  std::vector<std::uint32_t> grid;  ///< numbers of blocks along x, y and z; those left out are 1
  /// Of each parameter: for a pointer a .npy file, or extents such as 4x8 for an array of zeros;
  /// else a number.
  Assignments arguments;
  Assignments outputs;  ///< the .npy file that the array of a pointer goes to afterwards
};

/// Runs the entry in the interpreter, prints what it prints, and statistics of arrays that go to no
/// file. Its accesses are not checked: a kernel that reads or writes outside of its arrays may do
/// anything. Throws UsageError when an argument is missing or does not fit, KernelError for an
/// invalid module, and what reading and writing files throws.
void run_module(const ModuleRun& request);

}  // namespace tw::cli
