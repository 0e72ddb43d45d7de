// SPDX-License-Identifier: Apache-2.0
#include "json.hpp"

#include <fmt/core.h>

namespace tw::cli {

void add_place(Json& json, const CodePlace& place) {
  if (place.line() == 0) return;
  json["file"] = place.file_name();
  json["line"] = place.line();
  json["column"] = place.column();
}

void print(const Json& json) { fmt::print("{}\n", json.dump(2)); }

}  // namespace tw::cli
