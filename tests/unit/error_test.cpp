// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <gtest/gtest.h>

#include <tilewright/core/error.hpp>

namespace tw {
namespace {

std::string place(const Location& where) {
  return std::string(where.file_name()) + ":" + std::to_string(where.line());
}

TEST(Diagnostic, PrintsItsPlaceAndNotes) {
  const Location use = Location::current();
  const Location move = Location::current();
  EXPECT_EQ(to_string(Diagnostic{"x was moved from", use, {{"moved here", move}}}),
            place(use) + ": x was moved from\n  " + place(move) + ": moved here");
  EXPECT_EQ(to_string(Diagnostic{"no place", {}, {}}), "no place");
}

TEST(Error, JoinsItsDiagnostics) {
  const Location first = Location::current();
  const Location second = Location::current();
  const KernelError error({{"one", first, {}}, {"two", second, {}}});
  EXPECT_EQ(error.what(), place(first) + ": one\n" + place(second) + ": two");
  EXPECT_EQ(error.diagnostics().size(), 2u);
  EXPECT_EQ(error.where().line(), first.line());
}

TEST(Error, AlwaysHasADiagnostic) {
  EXPECT_EQ(BugError(std::vector<Diagnostic>()).diagnostics().size(), 1u);
  EXPECT_STREQ(LaunchError("too small", {}).what(), "too small");
}

}  // namespace
}  // namespace tw
