// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include <CLI/App.hpp>

namespace tw::cli {

/// A subcommand of `tw`. `declare` adds options and a callback to the parser it is given; the
/// callback may throw: CLI::RuntimeError sets the exit status, any other exception is reported
/// as an error.
struct Command {
  std::string summary;
  void (*declare)(CLI::App& parser);
};

/// All registered subcommands by name.
std::map<std::string, Command>& commands();

/// Registers a subcommand as long as the program runs: one static object in the command's file.
struct Registration {
  Registration(std::string name, Command command);
};

}  // namespace tw::cli
