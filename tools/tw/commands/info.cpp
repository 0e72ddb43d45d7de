// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <tilewright/core/version.hpp>

#include "command.hpp"

namespace tw::cli {
namespace {

#if defined(__clang__)
constexpr const char* compiler = "clang " __clang_version__;
#else
constexpr const char* compiler = "g++ " __VERSION__;
#endif

void print_info() {
  const Version version = library_version();
  fmt::print("tilewright {}.{}.{}\n", version.major, version.minor, version.patch);
  fmt::print("compiler   {}\n", compiler);
  fmt::print("build      {}\n", TILEWRIGHT_BUILD_TYPE);
  fmt::print("devices    cpu\n");
}

const Registration registration{
    "info",
    {"Print the version, how it was built, and the devices",
     [](CLI::App& parser) { parser.callback(print_info); }},
};

}  // namespace
}  // namespace tw::cli
