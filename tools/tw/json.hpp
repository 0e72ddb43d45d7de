// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include <tilewright/core/error.hpp>

namespace tw::cli {

/// Of objects that keep the order in which they were made.
using Json = nlohmann::ordered_json;

/// Adds `file`, `line` and `column` to an object, if the place is known.
void add_place(Json& json, const CodePlace& place);

/// Prints it, indented.
void print(const Json& json);

}  // namespace tw::cli
