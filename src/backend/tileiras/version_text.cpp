// SPDX-License-Identifier: Apache-2.0
#include "backend/tileiras/version_text.hpp"

#include <charconv>

#include <fmt/format.h>

#include <tilewright/bytecode/writer.hpp>

namespace tw::inline v0::backend::tileiras {

std::string to_string(const ToolVersion& version) {
  return fmt::format("{}.{}.{}", version.major_number, version.minor_number, version.patch_number);
}

std::optional<ToolVersion> version_in(std::string_view output) {
  for (std::size_t at = output.find('V'); at != output.npos; at = output.find('V', at + 1)) {
    ToolVersion version;
    const char* next = output.data() + at + 1;
    const char* const end = output.data() + output.size();
    const auto number = [&](std::int32_t& value, bool last) {
      const auto [stop, error] = std::from_chars(next, end, value);
      if (error != std::errc() || value < 0) return false;
      next = stop + 1;
      return last || (stop != end && *stop == '.');
    };
    if (number(version.major_number, false) && number(version.minor_number, false) &&
        number(version.patch_number, true)) {
      return version;
    }
  }
  return std::nullopt;
}

std::vector<ir::Version> bytecode_versions_in(std::string_view output) {
  std::vector<ir::Version> result;
  for (const ir::Version version : bytecode::versions()) {
    const std::string line = to_string(version);
    for (std::size_t begin = 0; begin < output.size();) {
      const std::size_t end = std::min(output.find('\n', begin), output.size());
      if (output.substr(begin, end - begin) == line) {
        result.push_back(version);
        break;
      }
      begin = end + 1;
    }
  }
  return result;
}

}  // namespace tw::inline v0::backend::tileiras
