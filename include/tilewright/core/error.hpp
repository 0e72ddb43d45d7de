// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <tilewright/core/export.hpp>
#include <tilewright/core/location.hpp>

namespace tw::inline v0 {

/// A place in a source file, whether the compiler told it or a module that was read from a file.
class CodePlace {
 public:
  CodePlace() = default;
  CodePlace(const Location& where)  // NOLINT(google-explicit-constructor): a location *is* a place
      : CodePlace(where.file_name(), where.line(), where.column()) {}
  CodePlace(std::string file, std::uint32_t line, std::uint32_t column = 0)
      : file_(std::move(file)), line_(line), column_(column) {}

  [[nodiscard]] const char* file_name() const noexcept { return file_.c_str(); }
  /// Counted from one; 0 where the place is not known.
  [[nodiscard]] std::uint32_t line() const noexcept { return line_; }
  [[nodiscard]] std::uint32_t column() const noexcept { return column_; }

 private:
  std::string file_;
  std::uint32_t line_ = 0;
  std::uint32_t column_ = 0;
};

/// One thing that is wrong with the user's program, and where it stands.
struct Diagnostic {
  std::string message;
  CodePlace where;
  /// Further places that explain the message, each with its own text.
  struct Note {
    std::string message;
    CodePlace where;
  };
  std::vector<Note> notes;
};

/// "file:line: message", the notes indented below.
TILEWRIGHT_API std::string to_string(const Diagnostic& diagnostic);

/// The base of everything the library throws. `what()` holds all diagnostics, one a line.
class TILEWRIGHT_API Error : public std::runtime_error {
 public:
  Error(std::string message, Location where);
  explicit Error(std::vector<Diagnostic> diagnostics);

  /// All that was found wrong, in the order of discovery; never empty.
  [[nodiscard]] const std::vector<Diagnostic>& diagnostics() const noexcept { return diagnostics_; }
  /// The place of the first diagnostic.
  [[nodiscard]] const CodePlace& where() const noexcept { return diagnostics_.front().where; }

 private:
  std::vector<Diagnostic> diagnostics_;
};

/// The user's kernel is wrong: reported when it is traced or verified.
class TILEWRIGHT_API KernelError : public Error {
 public:
  using Error::Error;
};

/// The arguments of a launch, or of another host call, do not fit.
class TILEWRIGHT_API LaunchError : public Error {
 public:
  using Error::Error;
};

/// A code generator or the external assembler refused a module.
class TILEWRIGHT_API CompilerError : public Error {
 public:
  using Error::Error;
};

/// The driver or the operating system refused an operation.
class TILEWRIGHT_API DeviceError : public Error {
 public:
  using Error::Error;
};

/// A check failed on the device; the launch went on without the offending access.
class TILEWRIGHT_API DeviceFault : public Error {
 public:
  using Error::Error;
};

/// A broken promise inside the library itself.
class TILEWRIGHT_API BugError : public Error {
 public:
  using Error::Error;
};

}  // namespace tw::inline v0
