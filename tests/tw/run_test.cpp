// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "program.hpp"

namespace tw::tests {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class RunTest : public TwTest {
 protected:
  /// "run example:NAME --arg FIRST --arg ..."
  template <class... A>
  static std::string command(const std::string& name, const A&... arguments) {
    return "run example:" + name + (std::string() + ... + (" --arg " + std::string(arguments)));
  }
  /// The same with results written to files.
  [[nodiscard]] std::string out(const std::string& name) const { return " --out " + target(name); }
};

TEST_F(RunTest, VaddPrintsStatisticsOfWhatIsNotWritten) {
  const Outcome outcome = run_tw(command("vadd", file<float>("x", {4}, {1, 2, 3, 4}),
                                         file<float>("y", {4}, {10, 20, 30, 40}), "block=2"));
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.output, "z: 4 f32, min 11, max 44, mean 27.5\n");
}

TEST_F(RunTest, StatisticsCountNaNApartAndTakeNothingAtAll) {
  const float nan = std::nanf("");
  EXPECT_EQ(
      run_tw(command("vadd", file<float>("x", {3}, {1, nan, 3}), file<float>("y", {3}, {1, 1, 1})))
          .output,
      "z: 3 f32, min 2, max 4, mean 3, 1 NaN\n");
  EXPECT_EQ(run_tw(command("vadd", file<float>("x", {0}, {}), file<float>("y", {0}, {}))).output,
            "z: 0 f32, no numbers\n");
}

TEST_F(RunTest, VaddTakesHalves) {
  const std::vector<half> x = {half(1.5f), half(-2.f)};
  const Outcome outcome =
      run_tw(command("vadd", file<half>("x", {2}, x), file<half>("y", {2}, x)) + out("z"));
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_EQ(outcome.output, "");
  EXPECT_THAT(read<half>("z", {2}), ElementsAre(half(3.f), half(-4.f)));
}

TEST_F(RunTest, TypesThatNumpyLacksTravelAsIntegers) {
  const std::vector<std::uint16_t> x = {bf16(1.5f).bits(), bf16(-2.f).bits()};
  const std::string assignment = file<std::uint16_t>("x", {2}, x).replace(0, 1, "x:bf16");
  const Outcome outcome =
      run_tw(command("vadd", assignment, "y:bf16=" + path("x").string()) + out("z"));
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_THAT(read<std::uint16_t>("z", {2}), ElementsAre(bf16(3.f).bits(), bf16(-4.f).bits()));
}

TEST_F(RunTest, SoftmaxNormalisesRows) {
  const Outcome outcome =
      run_tw(command("softmax", file<float>("x", {2, 2}, {5, 5, 0, std::log(3.f)})) + out("y"));
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  const std::vector<float> want = {0.5f, 0.5f, 0.25f, 0.75f};
  const std::vector<float> got = read<float>("y", {2, 2});
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(got[i], want[i], 1e-6f);
}

TEST_F(RunTest, MatmulMultipliesUnderAnySchedule) {
  const std::string files = command("matmul", file<float>("a", {2, 3}, {1, 2, 3, 4, 5, 6}),
                                    file<float>("b", {3, 2}, {1, 0, 0, 1, 1, 1}));
  for (const char* schedule :
       {"", " --arg bm=1 --arg bn=1 --arg swizzle=2", " --arg bm=1 --arg bn=1 --arg blocks=2"}) {
    const Outcome outcome = run_tw(files + schedule + out("c"));
    EXPECT_EQ(outcome.status, 0) << outcome.output;
    EXPECT_THAT(read<float>("c", {2, 2}), ElementsAre(4, 5, 10, 11));
  }
}

TEST_F(RunTest, AttentionGivesTheFirstTokenItsOwnValue) {
  const Outcome outcome = run_tw(command("attention", file<float>("q", {1, 1, 2, 2}, {9, 9, 0, 0}),
                                         file<float>("k", {1, 1, 2, 2}, {1, 2, 3, 4}),
                                         file<float>("v", {1, 1, 2, 2}, {2, 4, 6, 8})) +
                                 out("out"));
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  // The second query is zero, so that it weighs both values alike.
  EXPECT_THAT(read<float>("out", {1, 1, 2, 2}), ElementsAre(2, 4, 4, 6));
}

TEST_F(RunTest, LayerNormKeepsMeansAndDeviations) {
  const Outcome outcome = run_tw(command("layer_norm", file<float>("x", {2, 2}, {1, 3, 10, 20}),
                                         file<float>("weight", {2}, {1, 2}),
                                         file<float>("bias", {2}, {0, 100}), "eps=0") +
                                 out("y") + out("mean") + out("rstd"));
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_THAT(read<float>("mean", {2}), ElementsAre(2, 15));
  EXPECT_THAT(read<float>("rstd", {2}),
              ElementsAre(::testing::FloatNear(1, 1e-6f), ::testing::FloatNear(0.2f, 1e-6f)));
  const std::vector<float> got = read<float>("y", {2, 2});
  const std::vector<float> want = {-1, 102, -1, 102};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(got[i], want[i], 1e-4f);
}

TEST_F(RunTest, DropoutScalesWhatItKeeps) {
  const std::vector<float> x(1000, 3.f);
  EXPECT_EQ(run_tw(command("dropout", file<float>("x", {1000}, x), "p=0.25") + out("z")).status, 0);
  std::size_t dropped = 0;
  for (const float z : read<float>("z", {1000})) {
    if (z == 0) {
      ++dropped;
    } else {
      EXPECT_FLOAT_EQ(z, 4);
    }
  }
  EXPECT_NEAR(static_cast<double>(dropped), 250, 60);
}

TEST_F(RunTest, RopeTurnsPairs) {
  // A quarter turn: (lo, hi) becomes (-hi, lo).
  const Outcome outcome =
      run_tw(command("rope", file<float>("q", {1, 1, 1, 4}, {1, 2, 3, 4}),
                     file<float>("k", {1, 2, 1, 4}, {5, 6, 7, 8, 1, 0, 0, 1}),
                     file<float>("cos", {1, 1, 2}, {0, 0}), file<float>("sin", {1, 1, 2}, {1, 1})) +
             out("q") + out("k"));
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_THAT(read<float>("q", {1, 1, 1, 4}), ElementsAre(-3, -4, 1, 2));
  EXPECT_THAT(read<float>("k", {1, 2, 1, 4}), ElementsAre(-7, -8, 5, 6, 0, -1, 1, 0));
}

TEST_F(RunTest, HistogramCounts) {
  const Outcome outcome = run_tw(
      command("histogram", file<int>("x", {6}, {0, 2, 2, -1, 1, 2}), "bins=4") + out("counts"));
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_THAT(read<int>("counts", {4}), ElementsAre(1, 1, 3, 0));
}

TEST_F(RunTest, FusedMoeMultipliesByTheExpertsOfEachToken) {
  // Expert 0 keeps a row, expert 1 doubles it, expert 2 exchanges its elements.
  const Outcome outcome =
      run_tw(command("fused_moe", file<float>("a", {2, 2}, {1, 2, 3, 4}),
                     file<float>("w", {3, 2, 2}, {1, 0, 0, 1, 2, 0, 0, 2, 0, 1, 1, 0}),
                     file<int>("ids", {2, 2}, {1, 2, 0, 2}),
                     file<float>("weight", {2, 2}, {1, 0.5f, 1, 10}), "block=2") +
             out("c"));
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_THAT(read<float>("c", {4, 2}), ElementsAre(2, 4, 1, 0.5f, 3, 4, 40, 30));
}

TEST_F(RunTest, AFailedCheckOfTheKernelHasStatusThree) {
  const Outcome outcome = run_tw(command("histogram", file<int>("x", {2}, {0, 9}), "bins=4"));
  EXPECT_EQ(outcome.status, 3) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("histogram.hpp"));
}

TEST_F(RunTest, AFileThatCannotBeReadHasStatusOne) {
  EXPECT_EQ(run_tw("run example:softmax --arg x=/no/such/file.npy").status, 1);
}

/// What is wrong with the command line is said with both sides, and has status two.
class RunMisuseTest : public RunTest {
 protected:
  static void expect_misuse(const std::string& arguments, const std::string& message) {
    const Outcome outcome = run_tw(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_THAT(outcome.output, HasSubstr(message));
  }
};

TEST_F(RunMisuseTest, MissingAndSuperfluousArguments) {
  expect_misuse("run example:matmul --arg bm=8", "matmul also needs --arg a=FILE --arg b=FILE");
  const std::string x = file<float>("x", {2, 2}, {1, 2, 3, 4});
  expect_misuse(command("softmax", x, "z=1"), "softmax does not take 'z' here; it takes x, block");
  expect_misuse(command("softmax", x, "rows=2"), "softmax does not take 'rows' here");
  expect_misuse(command("softmax", x, x), "x is given twice");
  expect_misuse(command("softmax", x) + " --out z=z.npy", "softmax has no output 'z'; it has y");
  expect_misuse(command("softmax", "x"), "'x' is not of the form NAME=VALUE");
}

TEST_F(RunMisuseTest, NumbersThatAreNone) {
  const std::string x = file<float>("x", {2, 2}, {1, 2, 3, 4});
  expect_misuse(command("softmax", x, "block=many"), "block must be a number, not 'many'");
  expect_misuse(command("softmax", x, "block=1.5"), "block must be a whole number of 32 bits");
  expect_misuse(command("softmax", x, "block=0"), "block must be at least one, not 0");
}

TEST_F(RunMisuseTest, FilesOfAnotherType) {
  const std::string x = file<float>("x", {2}, {1, 2});
  expect_misuse(command("vadd", x, file<half>("y", {2}, {half(1.f), half(2.f)})),
                "y.npy holds f16, but y must be f32");
  expect_misuse(command("vadd", x, file<int>("y", {2}, {1, 2})),
                "y.npy holds int32_t, but y must be f32");
  expect_misuse(command("softmax", file<double>("x", {1, 1}, {1})),
                "softmax takes f32, f16, bf16, not f64");
  expect_misuse(command("softmax", "x:bf16=" + path("x").string()),
                "x.npy holds f64, but bf16 is read from uint16_t");
  expect_misuse(command("softmax", "x:f33=" + path("x").string()),
                "there is no element type 'f33'");
}

TEST_F(RunMisuseTest, FilesOfAnotherShape) {
  expect_misuse(command("softmax", file<float>("x", {2}, {1, 2})),
                "x.npy has rank 1, but x must have rank 2: [rows, columns]");
  expect_misuse(
      command("matmul", file<float>("a", {1, 2}, {1, 2}), file<float>("b", {3, 1}, {1, 2, 3})),
      "b.npy is 3x1, but b must be [k, n] with k = 2");
}

}  // namespace
}  // namespace tw::tests
