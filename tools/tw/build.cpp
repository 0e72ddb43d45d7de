// SPDX-License-Identifier: Apache-2.0
#include "build.hpp"

namespace tw::cli {

Build this_build() {
#if defined(__clang__)
  return {"clang " __clang_version__, TILEWRIGHT_BUILD_TYPE};
#else
  return {"g++ " __VERSION__, TILEWRIGHT_BUILD_TYPE};
#endif
}

}  // namespace tw::cli
