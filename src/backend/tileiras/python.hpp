// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tw::inline v0::backend::tileiras {

/// Where the Python environment lies that runs this program, if one does.
std::optional<std::string> prefix_of_loaded_python();

/// Where the first python3 on PATH looks for packages. It is asked once a process.
std::vector<std::string> folders_of_first_python();

}  // namespace tw::inline v0::backend::tileiras
