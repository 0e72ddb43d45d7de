// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tilewright/core/export.hpp>

namespace tw::inline v0::os {

/// A program to run: with no input, and nothing of this process but what is named here.
struct Command {
  std::vector<std::string> words;        ///< the program's path and its arguments
  std::vector<std::string> environment;  ///< "NAME=VALUE"
  std::string folder = {};               ///< it starts there; in that of this process if empty
};

/// Where a program is stopped, together with all that it started.
struct ProcessLimits {
  std::chrono::milliseconds time = std::chrono::seconds(120);
  std::uint64_t memory_bytes = std::uint64_t{4} << 30;  ///< of addresses, each process for itself
  std::size_t output_bytes = std::size_t{1} << 20;      ///< what is kept of the output
};

/// How a program ended, and what it said.
struct Ending {
  enum class Kind : std::uint8_t {
    exited,     ///< `code` is its status
    killed,     ///< `code` is the signal
    timed_out,  ///< it was stopped
    unknown,    ///< another part of this process waits for all children and took the status
  };
  Kind kind = Kind::unknown;
  int code = 0;
  std::string output;  ///< standard output and standard error, as they came
};

/// "exited with status 5", "was killed by signal 11 (Segmentation fault)".
[[nodiscard]] TILEWRIGHT_API std::string to_string(const Ending& ending);

/// Runs a program in a process group of its own and waits for it. Throws std::system_error when it
/// cannot be started.
[[nodiscard]] TILEWRIGHT_API Ending run(const Command& command, const ProcessLimits& limits = {});

/// The environment of this process without the variables of these names.
[[nodiscard]] TILEWRIGHT_API std::vector<std::string> environment_without(
    std::initializer_list<std::string_view> names);

/// Whether this user may run the file.
[[nodiscard]] TILEWRIGHT_API bool is_program(const std::string& path) noexcept;

/// The path of the first program of this name in the folders of PATH.
[[nodiscard]] TILEWRIGHT_API std::optional<std::string> program_on_path(std::string_view name);

/// A folder for this user alone, removed with all that is in it unless it is kept.
class TILEWRIGHT_API TemporaryFolder {
 public:
  /// Below $TMPDIR, or /tmp; its name begins with `prefix`. Throws std::system_error.
  explicit TemporaryFolder(std::string_view prefix);
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] std::string operator/(std::string_view name) const {
    return path_ + '/' + std::string(name);
  }
  /// Leaves it behind.
  void keep() noexcept { kept_ = true; }

 private:
  std::string path_;
  bool kept_ = false;
};

}  // namespace tw::inline v0::os
