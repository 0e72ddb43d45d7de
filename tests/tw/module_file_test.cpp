// SPDX-License-Identifier: Apache-2.0
// The commands for files of Tile IR: as, dis and verify.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "program.hpp"

namespace tw::tests {
namespace {

using ::testing::HasSubstr;

constexpr const char* doubled =
    "entry @k(%arg0: tile<f32>) {\n"
    "  %0 = addf %arg0, %arg0  : tile<f32> loc(\"k.cpp\":4:12)\n"
    "  return\n"
    "} loc(\"k.cpp\":3:6)\n";
constexpr const char* doubled_without_places =
    "entry @k(%arg0: tile<f32>) {\n"
    "  %0 = addf %arg0, %arg0  : tile<f32>\n"
    "  return\n"
    "}\n";

class ModuleFileTest : public TwTest {
 protected:
  [[nodiscard]] std::string in_folder(const std::string& name) const {
    return (folder_ / name).string();
  }
  std::string save(const std::string& name, const std::string& text) const {
    std::ofstream(in_folder(name), std::ios::binary) << text;
    return in_folder(name);
  }
  [[nodiscard]] std::string content(const std::string& name) const {
    std::ifstream in(in_folder(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
};

TEST_F(ModuleFileTest, TextBecomesBytecodeAndTextAgain) {
  const std::string text = save("k.mlir", doubled);
  const std::string bytes = in_folder("k.tilebc");
  const Outcome assembled = run_tw("as " + text + " -o " + bytes);
  EXPECT_EQ(assembled.status, 0);
  EXPECT_EQ(assembled.output, "");
  EXPECT_EQ(content("k.tilebc").substr(0, 10), std::string("\x7fTileIR\0\x0d\x01", 10));
  EXPECT_EQ(run_tw("dis " + bytes).output, doubled_without_places);
  EXPECT_EQ(run_tw("dis -g " + bytes).output, doubled);
  EXPECT_THAT(run_tw("dis --wrapped " + bytes).output, HasSubstr("  cuda_tile.module @"));
}

TEST_F(ModuleFileTest, BothCommandsTakeTextAndBytecode) {
  const std::string text = save("k.mlir", doubled);
  EXPECT_EQ(run_tw("dis -g " + text).output, doubled);
  EXPECT_EQ(run_tw("as " + text + " -o " + in_folder("old")).status, 0);
  EXPECT_EQ(run_tw("as --version 13.4 " + in_folder("old") + " -o " + in_folder("new")).status, 0);
  EXPECT_EQ(content("new").substr(8, 2), "\x0d\x04");
  EXPECT_EQ(run_tw("dis -g " + in_folder("new")).output, doubled);
  EXPECT_EQ(run_tw("as --no-places " + text + " -o " + in_folder("bare")).status, 0);
  EXPECT_EQ(run_tw("dis -g " + in_folder("bare")).output, doubled_without_places);
}

TEST_F(ModuleFileTest, ADashIsAStandardStream) {
  const std::string text = save("k.mlir", doubled);
  const std::string bytes = in_folder("k.tilebc");
  EXPECT_EQ(run_tw("as - -o - < " + text + " > " + bytes).status, 0);
  EXPECT_EQ(run_tw("dis -g - < " + bytes).output, doubled);
  EXPECT_EQ(run_tw("verify - < " + bytes).status, 0);
}

TEST_F(ModuleFileTest, VerifyTellsEveryBrokenRule) {
  EXPECT_EQ(run_tw("verify " + save("good", doubled)).output, "");
  const std::string bad = save("bad",
                               "entry @k(%x: tile<f32>, %n: tile<i32>) {\n"
                               "  %0 = absf %n : tile<i32> loc(\"k.cpp\":5:1)\n"
                               "  %1 = absi %x : tile<f32>\n"
                               "}\n");
  const Outcome outcome = run_tw("verify " + bad);
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.output, HasSubstr("k.cpp:5: "));
  EXPECT_THAT(outcome.output, HasSubstr("/bad:3: "));
  EXPECT_EQ(run_tw("as " + bad + " -o " + in_folder("none")).status, 1);
  EXPECT_FALSE(std::filesystem::exists(in_folder("none")));
}

TEST_F(ModuleFileTest, VerifyFollowsTheToolAndTheArchitecture) {
  const std::string late = save("late",
                                "entry @k(%x: tile<f32>, %n: tile<i32>) {\n"
                                "  %0 = fpowi %x, %n : tile<f32>, tile<i32>\n"
                                "}\n");
  EXPECT_EQ(run_tw("verify " + late).status, 0);
  EXPECT_EQ(run_tw("verify --tool 13.3 " + late).status, 1);
  const std::string own = save("own",
                               "entry @k(%n: tile<i32>) {\n"
                               "  tw.print %n site = <\"print\", \"{}\"> : tile<i32>\n"
                               "}\n");
  EXPECT_EQ(run_tw("verify " + own).status, 0);
  EXPECT_EQ(run_tw("verify --only-tile-ir " + own).status, 1);
}

TEST_F(ModuleFileTest, MistakesOfATextHaveTheirLine) {
  const std::string bad = save("bad.mlir", "entry @k() {\n  %0 = oops\n}\n");
  for (const char* command : {"dis ", "verify "}) {
    const Outcome outcome = run_tw(command + bad);
    EXPECT_EQ(outcome.status, 1);
    EXPECT_THAT(outcome.output, HasSubstr("bad.mlir:2: no op is called 'oops'"));
    EXPECT_THAT(outcome.output, HasSubstr("\n         ^"));
  }
  EXPECT_THAT(run_tw("dis - < " + bad).output, HasSubstr("<stdin>:2: "));
}

TEST_F(ModuleFileTest, FilesAndCommandLinesMayBeWrong) {
  EXPECT_EQ(run_tw("dis /nowhere/file").status, 1);
  EXPECT_THAT(run_tw("dis /nowhere/file").output, HasSubstr("cannot read /nowhere/file"));
  EXPECT_EQ(run_tw("as " + save("k", doubled) + " -o /nowhere/file").status, 1);
  EXPECT_EQ(run_tw("dis " + save("cut", std::string("\x7fTileIR\0", 8))).status, 1);
  EXPECT_EQ(run_tw("as " + in_folder("k")).status, 2);
  EXPECT_EQ(run_tw("dis").status, 2);
  EXPECT_EQ(run_tw("as --version 12.0 -o x " + in_folder("k")).status, 2);
}

}  // namespace
}  // namespace tw::tests
