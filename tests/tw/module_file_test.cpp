// SPDX-License-Identifier: Apache-2.0
// The commands for files of Tile IR.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

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
  const std::string named = "entry @k(%x: tile<f32>) {\n  return\n}\n";
  EXPECT_EQ(run_tw("dis --names " + save("named", named)).output, named);
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

TEST_F(ModuleFileTest, VerifyKnowsArchitecturesFilesAndWarnings) {
  const std::string small = save("f8", "entry @k(%x: tile<f8E4M3FN>) {}\n");
  EXPECT_EQ(run_tw("verify --arch sm_89 " + small).status, 0);
  EXPECT_EQ(run_tw("verify --arch 89 --tool 13.4 " + small).status, 1);
  EXPECT_EQ(run_tw("verify --arch sm_91 " + small).status, 1);
  EXPECT_EQ(run_tw("verify --arch hopper " + small).status, 2);

  const std::string late = save("late",
                                "entry @k(%x: tile<f32>, %n: tile<i32>) {\n"
                                "  %0 = fpowi %x, %n : tile<f32>, tile<i32>\n"
                                "}\n");
  EXPECT_EQ(run_tw("verify --bytecode-version 13.4 " + late).status, 0);
  const Outcome old = run_tw("verify --bytecode-version 13.3 " + late);
  EXPECT_EQ(old.status, 1);
  EXPECT_THAT(old.output, HasSubstr("fpowi"));
  const std::string bytes = in_folder("old.tilebc");
  EXPECT_EQ(run_tw("as --bytecode-version 13.5 " + small + " -o " + bytes).status, 0);
  EXPECT_THAT(run_tw("verify --tool 13.4 " + bytes).output,
              HasSubstr("a tool of 13.4 does not read bytecode of 13.5"));

  const std::string hinted =
      save("hinted", "entry @k() optimization_hints=<sm_90 = {occupancy = 99}> {}\n");
  const Outcome warned = run_tw("verify " + hinted);
  EXPECT_EQ(warned.status, 0);
  EXPECT_THAT(warned.output, HasSubstr("warning: "));
  EXPECT_THAT(warned.output, HasSubstr("hinted:1: hints_c3: occupancy = 99 for sm_90"));
  EXPECT_EQ(run_tw("verify --tool 13.2 " + hinted).status, 1);
  const auto json = nlohmann::json::parse(run_tw("verify --json " + hinted).output);
  EXPECT_EQ(json["valid"], true);
  EXPECT_EQ(json["warnings"][0]["line"], 1);
  EXPECT_TRUE(json["errors"].empty());
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

TEST_F(ModuleFileTest, DiffTellsHowModulesDiffer) {
  const std::string one = save("one", doubled);
  const std::string commuted = save("commuted",
                                    "entry @k(%a: tile<f32>, %b: tile<f32>) {\n"
                                    "  %0 = addf %a, %b : tile<f32>\n"
                                    "  print_tko \"%f\", %0 : tile<f32> -> token\n"
                                    "}\n");
  const std::string swapped = save("swapped",
                                   "entry @k(%a: tile<f32>, %b: tile<f32>) {\n"
                                   "  %0 = addf %b, %a : tile<f32>\n"
                                   "  print_tko \"%f\", %0 : tile<f32> -> token\n"
                                   "}\n");
  const Outcome same = run_tw("diff " + one + " - < " + one);
  EXPECT_EQ(same.status, 0);
  EXPECT_EQ(same.output, "identical\n");
  const Outcome alike = run_tw("diff " + commuted + " " + swapped);
  EXPECT_EQ(alike.status, 0);
  EXPECT_EQ(alike.output,
            "equivalent\n"
            "  commuted operands\n"
            "    < @k/0:addf\n"
            "      %0 = addf %arg0, %arg1  : tile<f32>\n"
            "    > @k/0:addf\n"
            "      %0 = addf %arg1, %arg0  : tile<f32>\n");
  EXPECT_EQ(run_tw("diff --exact " + commuted + " " + swapped).status, 4);
  EXPECT_EQ(run_tw("diff " + one + " " + commuted).status, 4);
  const Outcome json = run_tw(
      "diff --json --ignore-places " + one + " " +
      save("other",
           "entry @k(%a: tile<f32>) {\n  %0 = subf %a, %a : tile<f32> loc(\"o.cpp\":7:2)\n}\n"));
  EXPECT_EQ(json.status, 4);
  const auto answer = nlohmann::json::parse(json.output);
  EXPECT_EQ(answer["likeness"], "different");
  EXPECT_EQ(answer["divergence"]["what"], "op");
  EXPECT_EQ(answer["divergence"]["left"]["line"], 4);
  EXPECT_EQ(answer["divergence"]["right"]["file"], "o.cpp");
  EXPECT_EQ(answer["divergence"]["right"]["path"], "@k/0:subf");
  EXPECT_EQ(run_tw("diff " + one).status, 2);
  EXPECT_EQ(run_tw("diff " + one + " /nowhere/file").status, 1);
}

TEST_F(ModuleFileTest, StatCountsOps) {
  const std::string file = save("k", doubled);
  EXPECT_EQ(run_tw("stat " + file).output, "k\n  ops\n         1 addf\n         1 return\n");
  const auto json = nlohmann::json::parse(run_tw("stat --json - < " + file).output);
  EXPECT_EQ(json[0]["name"], "k");
  EXPECT_EQ(json[0]["ops"]["addf"], 1);
  EXPECT_TRUE(json[0]["hints"].empty());
}

TEST_F(ModuleFileTest, MinVersionIsThatOfTheNewestPart) {
  EXPECT_EQ(run_tw("min-version " + save("old", doubled)).output, "13.1\n");
  const std::string late = save("late",
                                "entry @k(%x: tile<f32>, %n: tile<i32>) {\n"
                                "  %0 = fpowi %x, %n : tile<f32>, tile<i32>\n"
                                "}\n");
  EXPECT_EQ(run_tw("min-version " + late).output, "13.4\n");
  EXPECT_EQ(nlohmann::json::parse(run_tw("min-version --json " + late).output)["version"], "13.4");
}

/// y[4 * block + i] = a * x[4 * block + i]
constexpr const char* scaled =
    "entry @scale(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>, %a: tile<f32>) {\n"
    "  %block, %by, %bz = get_tile_block_id : tile<i32>\n"
    "  %four = constant <i32: 4> : tile<i32>\n"
    "  %first = muli %block, %four : tile<i32>\n"
    "  %one = reshape %first : tile<i32> -> tile<1xi32>\n"
    "  %firsts = broadcast %one : tile<1xi32> -> tile<4xi32>\n"
    "  %lane = iota : tile<4xi32>\n"
    "  %at = addi %firsts, %lane : tile<4xi32>\n"
    "  %x1 = reshape %x : tile<ptr<f32>> -> tile<1xptr<f32>>\n"
    "  %x4 = broadcast %x1 : tile<1xptr<f32>> -> tile<4xptr<f32>>\n"
    "  %from = offset %x4, %at : tile<4xptr<f32>>, tile<4xi32> -> tile<4xptr<f32>>\n"
    "  %v, %t = load_ptr_tko weak %from : tile<4xptr<f32>> -> tile<4xf32>, token\n"
    "  %a1 = reshape %a : tile<f32> -> tile<1xf32>\n"
    "  %a4 = broadcast %a1 : tile<1xf32> -> tile<4xf32>\n"
    "  %w = mulf %v, %a4 : tile<4xf32>\n"
    "  %y1 = reshape %y : tile<ptr<f32>> -> tile<1xptr<f32>>\n"
    "  %y4 = broadcast %y1 : tile<1xptr<f32>> -> tile<4xptr<f32>>\n"
    "  %to = offset %y4, %at : tile<4xptr<f32>>, tile<4xi32> -> tile<4xptr<f32>>\n"
    "  %u = store_ptr_tko weak %to, %w : tile<4xptr<f32>>, tile<4xf32> -> token\n"
    "}\n";

TEST_F(ModuleFileTest, RunsAKernelOnFiles) {
  const std::string kernel = save("scale.mlir", scaled);
  const std::string x = file<float>("arg0", {8}, {1, 2, 3, 4, 5, 6, 7, 8});
  const Outcome outcome = run_tw("run " + kernel + " --grid 2 --arg " + x +
                                 " --arg arg1=8 --arg arg2=-0.5 --out " + target("arg1"));
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.output, "arg0: 8 f32, min 1, max 8, mean 4.5\n");
  EXPECT_EQ(read<float>("arg1", {8}),
            (std::vector<float>{-0.5f, -1, -1.5f, -2, -2.5f, -3, -3.5f, -4}));
}

TEST_F(ModuleFileTest, RunSaysWhatIsMissing) {
  const std::string kernel = save("scale.mlir", scaled);
  const Outcome outcome = run_tw("run " + kernel + " --arg arg0=8");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.output, HasSubstr("arg1=... (tile<ptr<f32>>) arg2=... (tile<f32>)"));
  const std::string all = " --arg arg0=8 --arg arg1=8 --arg arg2=1";
  EXPECT_EQ(run_tw("run " + kernel + all).status, 0);
  EXPECT_EQ(run_tw("run " + kernel + all + " --arg arg3=1").status, 2);
  EXPECT_EQ(run_tw("run " + kernel + all + " --out " + target("arg2")).status, 2);
  const std::string wrong = file<std::int32_t>("arg1", {8}, std::vector<std::int32_t>(8));
  EXPECT_THAT(run_tw("run " + kernel + " --arg arg0=8 --arg arg2=1 --arg " + wrong).output,
              HasSubstr("holds int32_t, but the pointer is to f32"));
  EXPECT_EQ(run_tw("run example:vadd --grid 2").status, 2);
}

TEST_F(ModuleFileTest, RunRefusesATypeThatTheParameterDoesNotHave) {
  const std::string run = "run " + save("scale.mlir", scaled) + " --arg arg0=8";
  EXPECT_THAT(run_tw(run + " --arg arg1=8 --arg arg2:int32_t=1").output,
              HasSubstr("arg2 is a tile<f32>, not int32_t"));
  EXPECT_THAT(run_tw(run + " --arg arg1:f64=8 --arg arg2=1").output,
              HasSubstr("arg1 is a tile<ptr<f32>>, not f64"));
  EXPECT_EQ(run_tw(run + " --arg arg1:f32=8 --arg arg2:f32=1").status, 0);
}

TEST_F(ModuleFileTest, RunPrintsAndFails) {
  const std::string kernel = save("k",
                                  "entry @k(%n: tile<i32>) {\n"
                                  "  print_tko \"n=%i\\n\", %n : tile<i32> -> token\n"
                                  "  %c = constant <i32: 3> : tile<i32>\n"
                                  "  %ok = cmpi less_than %n, %c, signed : tile<i32> -> tile<i1>\n"
                                  "  assert %ok, \"n is large\" : tile<i1>\n"
                                  "}\n");
  EXPECT_EQ(run_tw("run " + kernel + " --arg arg0=-2 --grid 1,2").output, "n=-2\nn=-2\n");
  const Outcome outcome = run_tw("run " + kernel + " --arg arg0=3");
  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(outcome.output, HasSubstr("n is large"));
  EXPECT_EQ(run_tw("run " + kernel + " --arg arg0=4294967296").status, 2);
  const std::string wide = save("wide",
                                "entry @k(%n: tile<i64>) {\n"
                                "  print_tko \"n=%i\\n\", %n : tile<i64> -> token\n"
                                "}\n");
  EXPECT_EQ(run_tw("run " + wide + " --arg arg0=-9223372036854775808").output,
            "n=-9223372036854775808\n");
}

}  // namespace
}  // namespace tw::tests
