// SPDX-License-Identifier: Apache-2.0
// What becomes of the ways in which an assembler can end, with scripts in its place.
#include <fstream>
#include <iterator>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tilewright/backend/tileiras/compile.hpp>
#include <tilewright/core/error.hpp>
#include <tilewright/ir/parser.hpp>

#include "tests/support/log_capture.hpp"
#include "tests/tileiras/fake_assembler.hpp"

namespace tw::tests {
namespace {

using backend::tileiras::Assembler;
using backend::tileiras::Assembly;
using backend::tileiras::assembly_of;
using backend::tileiras::CompileOptions;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr const char* empty_kernel = R"(
entry @kernel(%arg0: tile<ptr<f32>>) optimization_hints=<default = {occupancy = 2}> {
  return
})";

class Assembling : public ::testing::Test {
 protected:
  /// A script that runs where the assembler would, with the bytecode as its first argument.
  Assembler assembler(const std::string& body) {
    return {write_assembler(folder_ / "bin", "13.5.37", body), {13, 5, 37}, {{13, 3}}};
  }

  static Assembly assembly(const CompileOptions& options = {}) {
    ir::Kernel kernel{.module = ir::parse(empty_kernel, "user.hpp", ir::DefaultPlace::text),
                      .abi = {}};
    return assembly_of(kernel, {.sm = 90}, options);
  }

  /// The error of assembling with a script.
  std::string failure(const std::string& body, const CompileOptions& options = {}) {
    try {
      static_cast<void>(backend::tileiras::assemble(assembler(body), assembly(options)));
    } catch (const CompilerError& error) {
      return error.what();
    }
    ADD_FAILURE() << "it assembled";
    return {};
  }

  ScratchFolder folder_;
  Variable temporary_{"TMPDIR", folder_.path().c_str()};
  LogCapture log_;
};

/// The folder that a message names behind these words.
std::string folder_after(const std::string& message, const std::string& words) {
  const std::size_t begin = message.find(words);
  EXPECT_NE(begin, std::string::npos) << message;
  const std::size_t end = message.find('\n', begin);
  return message.substr(begin + words.size(), end - begin - words.size());
}

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST_F(Assembling, CrashNamesKernelSignatureArchitectureVersionAndWhatWasTried) {
  const std::string message = failure("kill -SEGV $$", {.kernel = "softmax<float>"});
  EXPECT_THAT(message,
              HasSubstr("user.hpp:2: tileiras 13.5.37 was killed by signal 11 (Segmentation fault) "
                        "on kernel softmax<float> (tile<ptr<f32>>) for sm_90, also without the "
                        "hints of the kernel, at -O1, at -O0"));
}

TEST_F(Assembling, CrashLeavesAFolderThatSeesItAgain) {
  const std::string message = failure("echo went wrong; kill -SEGV $$");
  const std::string folder = folder_after(message, "run command.txt in ");
  EXPECT_THAT(content(folder + "/output.txt"),
              AllOf(HasSubstr("went wrong"), HasSubstr("killed by signal 11")));
  EXPECT_THAT(
      content(folder + "/command.txt"),
      AllOf(HasSubstr("/tileiras kernel.tilebc"), HasSubstr("--gpu-name=sm_90"), HasSubstr("-O3")));
  EXPECT_THAT(content(folder + "/kernel.tileir"), HasSubstr("occupancy"));
  EXPECT_THAT(content(folder + "/kernel.tilebc"), Not(IsEmpty()));
}

TEST_F(Assembling, StatusFiveWithoutAReasonIsACrash) {
  EXPECT_THAT(failure("echo 'error: failed to compile Tile IR program' >&2; exit 5"),
              HasSubstr("exited with status 5 on kernel (tile<ptr<f32>>) for sm_90, also without"));
}

TEST_F(Assembling, RefusalIsNoCrashAndStandsAtTheLineThatItNames) {
  const std::string message = failure(
      "echo 'user.hpp:7:3: error: no such instruction' >&2\n"
      "echo 'error: failed to compile Tile IR program' >&2\n"
      "exit 5");
  EXPECT_THAT(message, HasSubstr("user.hpp:7: no such instruction (tileiras 13.5.37 for sm_90)"));
  EXPECT_THAT(message, Not(HasSubstr("-O1")));
  EXPECT_THAT(log_.lines(), IsEmpty());
}

TEST_F(Assembling, TimeIsUpForAllThatItStarted) {
  const auto begin = std::chrono::steady_clock::now();
  const std::string message =
      failure("sleep 100 & sleep 100",
              {.optimization_level = 0, .limits = {.time = std::chrono::milliseconds(300)}});
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
  EXPECT_THAT(message, AllOf(HasSubstr("did not end in time"),
                             HasSubstr("it had 0.3 s: use smaller tiles")));
}

TEST_F(Assembling, VariablesOfOtherToolkitsAreHidden) {
  const Variable home("CUDA_HOME", "/other");
  const Variable path("CUDA_PATH", "/other");
  const Variable root("CUDA_ROOT", "/other");
  const std::string message =
      failure("echo \"error: [$CUDA_HOME$CUDA_PATH$CUDA_ROOT] $TMPDIR\"; exit 3");
  EXPECT_THAT(message, AllOf(HasSubstr("user.hpp:2: [] "), HasSubstr(folder_ / "tilewright-")));
}

TEST_F(Assembling, WhatItWritesMustBeCodeOfTheKernel) {
  EXPECT_THAT(failure("echo no code > kernel.cubin"),
              HasSubstr("what tileiras wrote is no code of an entry kernel"));
}

TEST_F(Assembling, NothingIsLeftBehindButFailures) {
  static_cast<void>(failure("echo no code > kernel.cubin"));
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
    EXPECT_EQ(entry.path().filename(), "bin");
  }
}

TEST_F(Assembling, LaterArchitectureNeedsALaterAssembler) {
  const Assembly assembly = assembly_of(
      ir::Kernel{.module = ir::parse(empty_kernel, "user.hpp"), .abi = {}}, {.sm = 107});
  const Assembler old{"/opt/tileiras", {13, 3, 36}, {{13, 3}}};
  try {
    static_cast<void>(backend::tileiras::assemble(old, assembly));
    FAIL();
  } catch (const CompilerError& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("sm_107 needs tileiras 13.4 or later, but /opt/tileiras is 13.3.36"));
  }
}

}  // namespace
}  // namespace tw::tests
