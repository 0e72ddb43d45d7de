// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

namespace tw::cli {

/// What `tw` exits with.
enum ExitStatus : int {
  success = 0,
  failure = 1,    ///< a file, a kernel or a device failed
  misuse = 2,     ///< the command line asks for what is not there
  fault = 3,      ///< a check of the kernel failed while it ran
  different = 4,  ///< two modules do not mean the same
};

/// The command line asks for what is not there: an unknown example, a missing argument, a file of
/// another type.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace tw::cli
