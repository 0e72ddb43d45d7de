// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include <tilewright/core/export.hpp>

namespace tw::inline v0::os {

/// A shared library that was loaded while the program runs, and stays loaded.
class TILEWRIGHT_API Library {
 public:
  explicit Library(void* handle) : handle_(handle) {}
  /// The address of an exported symbol; null when there is none.
  [[nodiscard]] void* find(const std::string& name) const noexcept;

 private:
  void* handle_;
};

struct LoadedLibrary {
  std::optional<Library> library;
  std::string problem;  ///< why there is none, in the system's words
};

/// Loads a library by the rules of the system's linker.
[[nodiscard]] TILEWRIGHT_API LoadedLibrary load_library(const std::string& name);

/// The address of a symbol of this program or of what it has loaded for all; null when there is
/// none.
[[nodiscard]] TILEWRIGHT_API void* global_symbol(const char* name) noexcept;

}  // namespace tw::inline v0::os
