// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <exception>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/core.h>

#include <tilewright/core/error.hpp>

#include "command.hpp"
#include "error.hpp"

namespace tw::cli {
namespace {

constexpr const char* exit_statuses =
    "Exit status:\n"
    "  0  success\n"
    "  1  a file, a kernel or a device failed\n"
    "  2  the command line is wrong\n"
    "  3  a check of a kernel failed while it ran\n"
    "  4  two modules differ";

int report(const char* message, ExitStatus status) {
  fmt::print(stderr, "tw: error: {}\n", message);
  return status;
}

int run(int argc, char** argv) {
  CLI::App parser{"Tilewright: safe tile kernels for GPUs and CPUs", "tw"};
  parser.require_subcommand(1);
  parser.footer(exit_statuses);
  try {
    for (const auto& [name, command] : commands()) {
      command.declare(*parser.add_subcommand(name, command.summary));
    }
    parser.parse(argc, argv);
  } catch (const CLI::RuntimeError& error) {
    return error.get_exit_code();
  } catch (const CLI::Error& error) {
    return parser.exit(error) == 0 ? success : misuse;
  } catch (const UsageError& error) {
    return report(error.what(), misuse);
  } catch (const DeviceFault& error) {
    return report(error.what(), fault);
  } catch (const std::exception& error) {
    return report(error.what(), failure);
  }
  return success;
}

}  // namespace
}  // namespace tw::cli

int main(int argc, char** argv) { return tw::cli::run(argc, argv); }
