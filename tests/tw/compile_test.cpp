// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <string>

#include <tilewright/backend/tileiras/cubin.hpp>
#include <tilewright/cache/bundle.hpp>

#include "program.hpp"
#include "tests/tileiras/fake_assembler.hpp"

namespace tw::tests {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;

/// `tw` with a script in the assembler's place.
class CompileTest : public TwTest {
 protected:
  std::string with_assembler(const std::string& version, const std::string& body = "") {
    return "TILEWRIGHT_TILEIRAS='" + write_assembler(folder_.string(), version, body) +
           "' TMPDIR='" + folder_.string() + "'";
  }
};

TEST_F(CompileTest, RefusalStandsAtTheUsersLine) {
  const Outcome outcome =
      run_tw("compile example:matmul --arch sm_90",
             with_assembler("13.5.37", "echo 'matmul.hpp:16:47: error: no' >&2; exit 5"));
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.output, HasSubstr("matmul.hpp:16: no (tileiras 13.5.37 for sm_90)"));
}

TEST_F(CompileTest, WarningsComeFirst) {
  const Outcome outcome =
      run_tw("compile example:matmul --arch sm_90", with_assembler("13.5.37", "kill -SEGV $$"));
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.output,
              AllOf(ContainsRegex("tw: warning: .*matmul.hpp:[0-9]+: the product of f32"),
                    HasSubstr("was killed by signal 11"), HasSubstr("run command.txt in ")));
}

TEST_F(CompileTest, ArchitectureMustBeOne) {
  for (const char* name : {"90", "sm_", "sm_9x", "compute_90"}) {
    const Outcome outcome = run_tw(std::string("compile example:vadd --arch ") + name);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_THAT(outcome.output, HasSubstr("is no architecture such as sm_90"));
  }
}

TEST_F(CompileTest, UnsupportedArchitectureIsNamedWithThoseThereAre) {
  const Outcome outcome =
      run_tw("compile example:vadd --arch sm_75", with_assembler("13.5.37", "exit 1"));
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.output, HasSubstr("no code is generated for sm_75; there is sm_80"));
}

/// The same with the real assembler, where it is installed.
class CompileForRealTest : public TwTest {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(TILEWRIGHT_TILEIRAS_ENVIRONMENT "/bin")) {
      GTEST_SKIP() << "no tileiras is installed in " TILEWRIGHT_TILEIRAS_ENVIRONMENT;
    }
  }
  [[nodiscard]] Outcome compile(const std::string& options) const {
    return run_tw(
        "compile example:matmul --dtype f16 --arg m=256 --arg n=256 --arg k=256 --arg bm=128 "
        "--arg bn=128 --arg bk=64 --arch sm_90 " +
            options + " -o '" + output() + "'",
        "VIRTUAL_ENV='" TILEWRIGHT_TILEIRAS_ENVIRONMENT "'");
  }
  [[nodiscard]] std::string output() const { return (folder_ / "matmul").string(); }
};

TEST_F(CompileForRealTest, SaysWhatTheCodeTakesAndUses) {
  const Outcome outcome = compile("--report");
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_THAT(outcome.output,
              AllOf(ContainsRegex("registers +[0-9]+ a thread, [0-9]+ threads a block"),
                    ContainsRegex("spills +0 bytes"), ContainsRegex("shared +[0-9]+ bytes"),
                    ContainsRegex("loads +1 x TMA Load"), ContainsRegex("stores +1 x TMA Store"),
                    ContainsRegex("products +1 x Tensor-core SM90 \\[64, 128, 16\\]"),
                    ContainsRegex("matmul.hpp:[0-9]+: passed: ")));
  std::ifstream file(output(), std::ios::binary);
  std::string magic(4, ' ');
  file.read(magic.data(), 4);
  EXPECT_EQ(magic,
            "\x7f"
            "ELF");
}

TEST_F(CompileForRealTest, BundleHoldsTheKernel) {
  ASSERT_EQ(compile("--bundle").status, 0);
  const cache::Bundle bundle = cache::open_bundle(output());
  ASSERT_EQ(bundle.entries().size(), 1u);
  EXPECT_EQ(bundle.entries()[0].arch, "sm_90");
  EXPECT_EQ(backend::tileiras::cubin_from(bundle.entries()[0].blob).entry, "kernel");
}

using DoctorTileirasTest = CompileTest;

TEST_F(DoctorTileirasTest, NamesWhatItFinds) {
  const Outcome outcome = run_tw("doctor", with_assembler("13.5.37"));
  EXPECT_THAT(outcome.output, ContainsRegex("assembler +tileiras 13.5.37 at .*/tileiras "
                                            "\\(TILEWRIGHT_TILEIRAS\\), bytecode to 13.5"));
}

TEST_F(DoctorTileirasTest, SaysWhatToInstallWhereThereIsNone) {
  const Outcome outcome = run_tw("doctor", "TILEWRIGHT_TILEIRAS=/none/tileiras");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.output,
              AllOf(HasSubstr("/none/tileiras (TILEWRIGHT_TILEIRAS): there is no such program"),
                    HasSubstr("hint: pip install")));
}

TEST_F(DoctorTileirasTest, SaysThatAnOldOneIsTooOld) {
  const Outcome outcome = run_tw("doctor", with_assembler("13.2.86"));
  EXPECT_THAT(outcome.output, AllOf(HasSubstr("version 13.2.86 is older than 13.3"),
                                    HasSubstr("hint: pip install --upgrade")));
}

TEST_F(DoctorTileirasTest, SaysWhatAForeignToolkitDoes) {
  const Outcome outcome = run_tw("doctor", "CUDA_HOME=/opt/cuda-13.0 " + with_assembler("13.5.37"));
  EXPECT_THAT(outcome.output, HasSubstr("hint: CUDA_HOME is /opt/cuda-13.0: "));
}

}  // namespace
}  // namespace tw::tests
