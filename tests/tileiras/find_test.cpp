// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tilewright/backend/tileiras/assembler.hpp>
#include <tilewright/core/error.hpp>

#include "backend/tileiras/version_text.hpp"
#include "tests/tileiras/fake_assembler.hpp"

namespace tw::tests {
namespace {

using backend::tileiras::Candidate;
using backend::tileiras::find;
using backend::tileiras::Search;
using backend::tileiras::ToolVersion;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::SizeIs;

/// Sees no assembler but those that a test makes, and no toolkit of the machine's.
class FindTileiras : public ::testing::Test {
 protected:
  ScratchFolder folder_;
  Variable override_{"TILEWRIGHT_TILEIRAS", nullptr};
  Variable environment_{"VIRTUAL_ENV", nullptr};
  Variable path_{"PATH", (folder_ / "path").c_str()};
};

TEST_F(FindTileiras, VariableGoesBeforeEverything) {
  const std::string named = write_assembler(folder_ / "named", "13.5.37");
  write_assembler(folder_ / "path", "13.5.37");
  const Variable variable("TILEWRIGHT_TILEIRAS", named.c_str());
  const Search search = find();
  ASSERT_TRUE(search.assembler);
  EXPECT_EQ(search.assembler->path, named);
  EXPECT_EQ(search.assembler->version, (ToolVersion{13, 5, 37}));
  EXPECT_EQ(search.assembler->bytecode.back(), (ir::Version{13, 5}));
}

TEST_F(FindTileiras, NothingElseIsTriedWhenTheVariableIsWrong) {
  write_assembler(folder_ / "path", "13.5.37");
  const Variable variable("TILEWRIGHT_TILEIRAS", (folder_ / "none").c_str());
  const Search search = find();
  EXPECT_FALSE(search.assembler);
  EXPECT_THAT(search.candidates,
              ElementsAre(Field(&Candidate::problem, "there is no such program")));
}

TEST_F(FindTileiras, EnvironmentGoesBeforePath) {
  const std::string wheel =
      write_assembler(folder_ / "env/lib/python3.12/site-packages/nvidia/cu13/bin", "13.4.1");
  write_assembler(folder_ / "path", "13.5.37");
  const Variable variable("VIRTUAL_ENV", (folder_ / "env").c_str());
  const Search search = find();
  ASSERT_TRUE(search.assembler);
  EXPECT_EQ(search.assembler->path, wheel);
}

TEST_F(FindTileiras, OldOneIsPassedOver) {
  write_assembler(folder_ / "env/lib/python3.12/site-packages/nvidia/cu13/bin", "13.1.80");
  const std::string later = write_assembler(folder_ / "path", "13.3.36");
  const Variable variable("VIRTUAL_ENV", (folder_ / "env").c_str());
  const Search search = find();
  ASSERT_TRUE(search.assembler);
  EXPECT_EQ(search.assembler->path, later);
  ASSERT_THAT(search.candidates, SizeIs(2));
  EXPECT_EQ(search.candidates[0].problem, "version 13.1.80 is older than 13.3");
}

TEST_F(FindTileiras, OneWithoutPtxasIsPassedOver) {
  const std::string alone = write_script(folder_ / "path/tileiras", answers("13.5.37", ""));
  const Search search = find();
  EXPECT_FALSE(search.assembler);
  ASSERT_THAT(search.candidates, SizeIs(1));
  EXPECT_THAT(search.candidates[0].problem, HasSubstr("there is no ptxas in "));
}

TEST_F(FindTileiras, IsAskedAgainOnlyWhenTheFileChanges) {
  const std::string path = write_assembler(folder_ / "path", "13.4.1");
  EXPECT_EQ(find().assembler.value().version, (ToolVersion{13, 4, 1}));
  write_script(path, "echo x >> '" + folder_ / "asked'" + "\n" + answers("13.5.37", ""));
  EXPECT_EQ(find().assembler.value().version, (ToolVersion{13, 5, 37}));
  const auto asked = std::filesystem::file_size(folder_ / "asked");
  EXPECT_EQ(find().assembler.value().version, (ToolVersion{13, 5, 37}));
  EXPECT_EQ(std::filesystem::file_size(folder_ / "asked"), asked);
}

TEST_F(FindTileiras, ErrorSaysWhatToInstallAndWhatWasSeen) {
  write_assembler(folder_ / "path", "13.2.86");
  try {
    static_cast<void>(backend::tileiras::require());
    FAIL();
  } catch (const CompilerError& error) {
    EXPECT_THAT(error.what(), HasSubstr("pip install nvidia-cuda-tileiras"));
    EXPECT_THAT(error.what(), HasSubstr("(PATH): version 13.2.86 is older than 13.3"));
    EXPECT_STREQ(error.where().file_name(), __FILE__);
  }
}

TEST(VersionText, IsFoundBehindTheFirstVThatHasOne) {
  using backend::tileiras::version_in;
  EXPECT_EQ(version_in("NVIDIA (R) Very\nrelease 13.3, V13.3.36\n"), (ToolVersion{13, 3, 36}));
  EXPECT_EQ(version_in("V13.3"), std::nullopt);
  EXPECT_EQ(version_in("V-1.2.3"), std::nullopt);
  EXPECT_EQ(version_in(""), std::nullopt);
}

TEST(VersionText, ListsTheVersionsOfBytecodeThatAreKnown) {
  using backend::tileiras::bytecode_versions_in;
  EXPECT_THAT(bytecode_versions_in("13.1\n13.3\n14.0\n"),
              ElementsAre(ir::Version{13, 1}, ir::Version{13, 3}));
  EXPECT_THAT(bytecode_versions_in("unknown option 13.1 --list-versions\n"), ElementsAre());
}

}  // namespace
}  // namespace tw::tests
