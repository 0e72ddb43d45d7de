// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <iterator>
#include <string>

#include "program.hpp"

namespace tw::tests {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

/// Every example, with what only its own code has.
struct Example {
  const char* name;
  const char* op;
};
void PrintTo(const Example& example, std::ostream* out) { *out << example.name; }

class DumpExampleTest : public ::testing::TestWithParam<Example> {};

TEST_P(DumpExampleTest, EveryStageIsAModule) {
  for (const char* stage : {"traced", "optimised", "checked"}) {
    const Outcome outcome =
        run_tw(std::string("dump example:") + GetParam().name + " --stage " + stage);
    EXPECT_EQ(outcome.status, 0) << outcome.output;
    EXPECT_THAT(outcome.output, AllOf(HasSubstr("entry @"), HasSubstr(GetParam().op),
                                      ContainsRegex("\n// (Checks of accesses:|No access)")));
  }
}

INSTANTIATE_TEST_SUITE_P(All, DumpExampleTest,
                         ::testing::Values(Example{"vadd", "addf"}, Example{"softmax", "exp"},
                                           Example{"matmul", "mmaf"}, Example{"attention", "exp2"},
                                           Example{"layer_norm", "rsqrt"},
                                           Example{"dropout", "xori"}, Example{"rope", "mulf"},
                                           Example{"histogram", "atomic_rmw"},
                                           Example{"fused_moe", "mmaf"}),
                         [](const auto& each) { return std::string(each.param.name); });

TEST(DumpTest, NumbersAndTypesSpecialise) {
  EXPECT_THAT(run_tw("dump example:vadd --arg block=64").output, HasSubstr("tile<64xf32>"));
  EXPECT_THAT(run_tw("dump example:vadd --dtype f16").output, HasSubstr("tile<128xf16>"));
  EXPECT_THAT(run_tw("dump example:softmax --arg columns=32 --dtype bf16").output,
              HasSubstr("tile<4x32xbf16>"));
}

TEST(DumpTest, SaysWhoSeesToEachCheck) {
  const Outcome outcome = run_tw("dump example:attention");
  EXPECT_THAT(outcome.output, AllOf(ContainsRegex("// +[0-9]+ folded +proved for every launch"),
                                    ContainsRegex("// +[0-9]+ launch +decided by the arguments"),
                                    ContainsRegex("// +load of argument 4 along axis [0-9] at .*"
                                                  "attention.hpp:[0-9]+")));
}

TEST(DumpTest, ChecksBecomePlainTileIr) {
  const std::string keep = "TILEWRIGHT_CHECKS=device";
  EXPECT_THAT(run_tw("dump example:matmul", keep).output, HasSubstr("check"));
  const std::string checked = run_tw("dump example:matmul --stage checked", keep).output;
  EXPECT_THAT(checked, HasSubstr("atomic_"));
  EXPECT_THAT(checked, Not(HasSubstr("tw.check")));
}

class DumpBytecodeTest : public TwTest {};

TEST_F(DumpBytecodeTest, IsWrittenBesideTheText) {
  const std::string file = (folder_ / "kernel.tilebc").string();
  EXPECT_EQ(run_tw("dump example:vadd --bytecode " + file).status, 0);
  std::ifstream in(file, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  EXPECT_EQ(bytes.substr(0, 9), std::string("\x7fTileIR\0\x0d", 9));

  const Outcome checked =
      run_tw("dump example:matmul --bytecode " + file, "TILEWRIGHT_CHECKS=device");
  EXPECT_EQ(checked.status, 1);
  EXPECT_THAT(checked.output, HasSubstr("tw.check is not part of Tile IR"));
  EXPECT_EQ(run_tw("dump example:vadd --bytecode /nowhere/file").status, 1);
}

TEST(DumpTest, RefusesWhatIsNotThere) {
  const auto expect_misuse = [](const std::string& arguments, const std::string& message) {
    const Outcome outcome = run_tw("dump example:softmax " + arguments);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_THAT(outcome.output, HasSubstr(message));
  };
  expect_misuse("--stage last", "--stage");
  expect_misuse("--dtype f64", "softmax takes f32, f16, bf16, not f64");
  expect_misuse("--dtype none", "there is no element type 'none'");
  expect_misuse("--arg x=4", "softmax does not take 'x' here; it takes rows, columns, block");
  expect_misuse("--arg rows=-1", "rows must not be negative");
}

}  // namespace
}  // namespace tw::tests
