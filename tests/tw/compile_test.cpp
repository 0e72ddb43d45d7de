// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <string>

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
