// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <tilewright/core/version.hpp>
#include <tilewright/runtime/device.hpp>

#include "build.hpp"
#include "command.hpp"

namespace tw::cli {
namespace {

void print_info() {
  const Version version = library_version();
  const Build build = this_build();
  fmt::print("tilewright {}.{}.{}\n", version.major, version.minor, version.patch);
  fmt::print("compiler   {}\n", build.compiler);
  fmt::print("build      {}\n", build.type);
  fmt::print("devices    {}\n", Device::cpu().name());
}

const Registration registration{
    "info",
    {"Print the version, how it was built, and the devices",
     [](CLI::App& parser) { parser.callback(print_info); }},
};

}  // namespace
}  // namespace tw::cli
