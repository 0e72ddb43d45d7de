// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <tilewright/core/element.hpp>
#include <tilewright/core/npy.hpp>

/// The `tw` program, as a user sees it.
namespace tw::tests {

struct Outcome {
  int status = 0;
  std::string output;  ///< both streams
};

/// Runs `tw` with arguments as for a shell; `environment` goes before it, as in "A=1".
inline Outcome run_tw(const std::string& arguments, const std::string& environment = "") {
  const std::string command = environment + " '" TW_PROGRAM "' " + arguments + " 2>&1";
  std::FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot run " + command);
  Outcome outcome;
  std::array<char, 4096> part;
  while (const std::size_t count = std::fread(part.data(), 1, part.size(), pipe)) {
    outcome.output.append(part.data(), count);
  }
  const int status = pclose(pipe);
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

/// A folder of the test's own for files.
class TwTest : public ::testing::Test {
 protected:
  TwTest() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(::testing::TempDir()) /
              (std::string("tw_") + test->test_suite_name() + "_" + test->name());
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  ~TwTest() override { std::filesystem::remove_all(folder_); }

  /// Writes NAME.npy and returns "NAME=PATH".
  template <class T>
  std::string file(const std::string& name, const Shape& shape, const std::vector<T>& values) {
    NpyArray array{dtype_of<T>, shape, {}};
    const auto* bytes = reinterpret_cast<const std::byte*>(values.data());
    array.bytes.assign(bytes, bytes + values.size() * sizeof(T));
    write_npy(path(name), array);
    return target(name);
  }
  /// "NAME=PATH" for a file still to be written.
  [[nodiscard]] std::string target(const std::string& name) const {
    return name + "=" + path(name).string();
  }
  /// The elements of NAME.npy, which must be of type T and have this shape.
  template <class T>
  [[nodiscard]] std::vector<T> read(const std::string& name, const Shape& shape) const {
    const NpyArray array = read_npy(path(name));
    EXPECT_EQ(array.dtype, dtype_of<T>);
    EXPECT_EQ(array.shape, shape);
    const auto* values = reinterpret_cast<const T*>(array.bytes.data());
    return std::vector<T>(values, values + array.bytes.size() / sizeof(T));
  }
  [[nodiscard]] std::filesystem::path path(const std::string& name) const {
    return folder_ / (name + ".npy");
  }

  std::filesystem::path folder_;
};

}  // namespace tw::tests
