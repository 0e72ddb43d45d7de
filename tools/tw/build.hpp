// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tw::cli {

/// The compiler that this build was made with, and its kind of build.
struct Build {
  const char* compiler;
  const char* type;
};
Build this_build();

}  // namespace tw::cli
