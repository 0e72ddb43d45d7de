// SPDX-License-Identifier: Apache-2.0
// The canonical IR of every kernel is the same text under every compiler.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tilewright/ir/printer.hpp>
#include <tilewright/passes/pipeline.hpp>

#include "tests/identity/cases.hpp"

namespace tw::tests {
namespace {

namespace fs = std::filesystem;

const fs::path golden_folder = TILEWRIGHT_GOLDEN_FOLDER;
const fs::path kernel_folder = TILEWRIGHT_KERNEL_FOLDER;

const std::vector<Case>& all_cases() {
  static const std::vector<Case> all = [] {
    std::vector<Case> cases;
    for (const auto& some : {attention_cases(), delta_rule_cases(), matmul_cases(), moe_cases(),
                             pointwise_cases(), rows_cases()}) {
      cases.insert(cases.end(), some.begin(), some.end());
    }
    return cases;
  }();
  return all;
}

/// The kernels with a case, sorted.
std::vector<std::string> kernels_with_cases() {
  std::vector<std::string> names;
  for (const Case& each : all_cases()) names.emplace_back(each.kernel);
  std::ranges::sort(names);
  names.erase(std::ranges::unique(names).begin(), names.end());
  return names;
}

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

fs::path golden_file(const std::string& kernel) { return golden_folder / (kernel + ".tileir"); }

/// The canonical IR of all launches of a kernel, with and without the checks that a launch decides.
std::string canonical_text(std::string_view kernel) {
  std::string text;
  for (const Case& each : all_cases()) {
    if (each.kernel != kernel) continue;
    const passes::Prepared prepared = passes::prepare(each.record());
    for (const bool holds : {true, false}) {
      const ir::Kernel optimised =
          passes::optimise(prepared, {.predicate_holds = holds, .origins = passes::Origins::strip});
      if (!text.empty()) text += "\n";
      text += "// " + std::string(each.launch) + (each.launch.empty() ? "" : "; ") +
              (holds ? "the predicate holds\n" : "the predicate does not hold\n") +
              ir::print(optimised.module);
    }
  }
  return text;
}

/// Where two texts part, with both lines.
std::string first_difference(const std::string& golden, const std::string& traced) {
  std::istringstream expected(golden);
  std::istringstream actual(traced);
  for (int number = 1; expected || actual; ++number) {
    std::string left = "(the end)";
    std::string right = "(the end)";
    std::getline(expected, left);
    std::getline(actual, right);
    if (left != right || !expected != !actual) {
      return "line " + std::to_string(number) + "\n  golden: " + left + "\n  traced: " + right;
    }
  }
  return "the texts differ in their line ends";
}

bool refreshes() { return std::getenv("TILEWRIGHT_REFRESH_GOLDENS") != nullptr; }

class Identity : public testing::TestWithParam<std::string> {};

TEST_P(Identity, CanonicalTextIsTheGoldenOne) {
  const fs::path path = golden_file(GetParam());
  const std::string golden = content(path);
  const std::string traced = canonical_text(GetParam());
  if (golden == traced) return;
  if (refreshes()) {
    std::ofstream(path, std::ios::binary) << traced;
    FAIL() << path << " was rewritten: look at the difference and run the test again";
  }
  FAIL() << path << ", " << first_difference(golden, traced);
}

TEST_P(Identity, TracingAgainGivesTheSameText) {
  const std::string first = canonical_text(GetParam());
  const std::string second = canonical_text(GetParam());
  EXPECT_TRUE(first == second) << first_difference(first, second);
}

INSTANTIATE_TEST_SUITE_P(Kernels, Identity, testing::ValuesIn(kernels_with_cases()),
                         [](const auto& kernel) { return kernel.param; });

TEST(IdentityCases, EveryKernelFunctionHasOne) {
  const std::regex definition("\n(inline )?void ([a-z_0-9]+)\\(");
  std::vector<std::string> defined;
  for (const auto& entry : fs::directory_iterator(kernel_folder)) {
    const std::string header = content(entry.path());
    for (std::sregex_iterator found(header.begin(), header.end(), definition), end; found != end;
         ++found) {
      defined.push_back(found->str(2));
    }
  }
  EXPECT_THAT(kernels_with_cases(), testing::UnorderedElementsAreArray(defined));
}

TEST(IdentityCases, EveryGoldenFileHasOne) {
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(golden_folder)) {
    files.push_back(entry.path().filename());
  }
  std::vector<std::string> expected;
  for (const std::string& kernel : kernels_with_cases()) {
    expected.push_back(golden_file(kernel).filename());
  }
  EXPECT_THAT(files, testing::UnorderedElementsAreArray(expected));
}

}  // namespace
}  // namespace tw::tests
