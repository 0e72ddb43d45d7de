// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>

#include <gtest/gtest.h>

#include <tilewright/backend/tileiras/assembler.hpp>

namespace tw::tests {

/// A test that is skipped where no real assembler is found: in the environment that the build
/// names, else wherever a program would find one.
class WithAssembler : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::filesystem::path environment = TILEWRIGHT_TILEIRAS_ENVIRONMENT;
    if (std::filesystem::exists(environment / "bin")) {
      setenv("VIRTUAL_ENV", environment.c_str(), 1);
    }
    assembler_ = backend::tileiras::find().assembler;
    if (!assembler_)
      GTEST_SKIP() << "no tileiras is installed in " << environment << " or elsewhere";
  }

  [[nodiscard]] const backend::tileiras::Assembler& assembler() const { return *assembler_; }

 private:
  std::optional<backend::tileiras::Assembler> assembler_;
};

}  // namespace tw::tests
