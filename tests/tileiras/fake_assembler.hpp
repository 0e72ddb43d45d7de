// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/scratch_folder.hpp"

namespace tw::tests {

/// Sets a variable of the environment, or unsets it, while it lives.
class Variable {
 public:
  Variable(std::string name, const char* value) : name_(std::move(name)) {
    if (const char* before = std::getenv(name_.c_str())) {
      before_ = before;
      was_set_ = true;
    }
    value == nullptr ? unsetenv(name_.c_str()) : setenv(name_.c_str(), value, 1);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() { was_set_ ? setenv(name_.c_str(), before_.c_str(), 1) : unsetenv(name_.c_str()); }

 private:
  std::string name_;
  std::string before_;
  bool was_set_ = false;
};

/// Writes a program for the shell.
inline std::string write_script(const std::string& path, const std::string& body) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream(path) << "#!/bin/sh\n" << body;
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return path;
}

/// What an assembler of this version answers; `body` does the rest, as a script for the shell.
inline std::string answers(const std::string& version, const std::string& body) {
  return "case \"$1\" in\n"
         "--version) echo 'Cuda compilation tools, release X, V" +
         version +
         "'; exit 0 ;;\n"
         "--list-versions) printf '13.1\\n13.2\\n13.3\\n13.4\\n13.5\\n'; exit 0 ;;\n"
         "esac\n" +
         body;
}

/// Scripts in place of the assembler and of the ptxas beside it; returns the assembler's path.
inline std::string write_assembler(const std::string& folder, const std::string& version,
                                   const std::string& body = "") {
  write_script(folder + "/ptxas", "");
  return write_script(folder + "/tileiras", answers(version, body));
}

}  // namespace tw::tests
