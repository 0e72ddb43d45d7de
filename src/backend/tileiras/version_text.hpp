// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include <tilewright/backend/tileiras/assembler.hpp>

namespace tw::inline v0::backend::tileiras {

/// The version in what `tileiras --version` prints: "..., release 13.5, V13.5.37".
TILEWRIGHT_API std::optional<ToolVersion> version_in(std::string_view output);

/// The versions of bytecode in what `tileiras --list-versions` prints, one a line, as far as this
/// library writes them.
TILEWRIGHT_API std::vector<ir::Version> bytecode_versions_in(std::string_view output);

}  // namespace tw::inline v0::backend::tileiras
