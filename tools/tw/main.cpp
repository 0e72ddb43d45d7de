// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <exception>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/core.h>

#include "command.hpp"

int main(int argc, char** argv) {
  CLI::App parser{"Tilewright: safe tile kernels for GPUs and CPUs", "tw"};
  parser.require_subcommand(1);
  try {
    for (const auto& [name, command] : tw::cli::commands()) {
      command.declare(*parser.add_subcommand(name, command.summary));
    }
    parser.parse(argc, argv);
  } catch (const CLI::Error& error) {
    return parser.exit(error);
  } catch (const std::exception& error) {
    fmt::print(stderr, "tw: error: {}\n", error.what());
    return 1;
  }
}
