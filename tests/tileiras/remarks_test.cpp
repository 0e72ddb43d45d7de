// SPDX-License-Identifier: Apache-2.0
#include "backend/tileiras/remarks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tilewright/backend/tileiras/cubin.hpp>
#include <tilewright/core/error.hpp>
#include <tilewright/ir/parser.hpp>

#include "backend/tileiras/diagnosis.hpp"

namespace tw::tests {
namespace {

using backend::tileiras::Cubin;
using backend::tileiras::errors_in;
using backend::tileiras::Remark;
using backend::tileiras::remarks_in;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr const char* yaml = R"(--- !Failure
Pass:            Memory
Name:            RemarkMemoryTmaLoadFailed
DebugLoc:        { File: 'user.hpp', Line: 3, Column: 52 }
Function:        kernel
Args:
  - RemarkId:    2
  - Remark:      Failed to select TMA load instruction
  - Reason:      'loc("user.hpp":3:52): base pointer not 16-byte aligned'
  - Reason:      'loc("user.hpp":3:52): base pointer not 16-byte aligned'
  - Reason:      'loc("user.hpp":3:52): stride isn''t known'
...
--- !Passed
Pass:            Tensor-core
Name:            RemarkTensorCoreMMA
DebugLoc:        { File: '/a/folder/with/a/name/that/is/longer/than/a/line, Line: 7/user.hpp',
                   Line: 4, Column: 9 }
Function:        kernel
Args:
  - Remark:      MMA operation optimized to use Tensor Cores
  - Instruction: Tensor-core SM90
  - Shape:       '[64, 128, 16]'
...
)";

TEST(Remarks, AreReadFromYaml) {
  const std::vector<Remark> remarks = remarks_in(yaml);
  ASSERT_THAT(remarks, SizeIs(2));
  EXPECT_EQ(remarks[0].kind, Remark::Kind::failed);
  EXPECT_EQ(remarks[0].name, "RemarkMemoryTmaLoadFailed");
  EXPECT_EQ(remarks[0].text, "Failed to select TMA load instruction");
  EXPECT_THAT(remarks[0].reasons,
              ElementsAre("base pointer not 16-byte aligned", "stride isn't known"));
  EXPECT_STREQ(remarks[0].where.file_name(), "user.hpp");
  EXPECT_EQ(remarks[0].where.line(), 3u);
  EXPECT_EQ(remarks[0].where.column(), 52u);
}

TEST(Remarks, PlacesMaySpanLinesAndLookLikeKeys) {
  const Remark remark = remarks_in(yaml).at(1);
  EXPECT_EQ(remark.kind, Remark::Kind::passed);
  EXPECT_STREQ(remark.where.file_name(),
               "/a/folder/with/a/name/that/is/longer/than/a/line, Line: 7/user.hpp");
  EXPECT_EQ(remark.where.line(), 4u);
  EXPECT_EQ(remark.where.column(), 9u);
  EXPECT_EQ(remark.instruction, "Tensor-core SM90");
  EXPECT_EQ(remark.shape, "[64, 128, 16]");
}

TEST(Remarks, OtherTextHasNone) {
  EXPECT_THAT(remarks_in(""), IsEmpty());
  EXPECT_THAT(remarks_in("--- !Other\nName: a\n...\n---"), IsEmpty());
  EXPECT_THAT(remarks_in("--- !Passed\nDebugLoc: { File: 'a"), SizeIs(1));
}

TEST(Remarks, FollowTheirOpsToOtherLines) {
  constexpr const char* text = R"(
entry @kernel() {
  %a = constant <f32: 1.0> : tile<f32>
  %b = addf %a, %a : tile<f32>
  return
})";
  const ir::Module here = ir::parse(text, "here.hpp", ir::DefaultPlace::text);
  const ir::Module there =
      ir::parse(std::string("\n\n") + text, "there.hpp", ir::DefaultPlace::text);
  std::vector<Remark> remarks(2);
  const ir::SourcePlace& place = here.locations[here.functions[0].body.ops[1].location];
  remarks[0].where = place;
  remarks[1].where = CodePlace("elsewhere.hpp", 1, 1);
  backend::tileiras::find_ops(remarks, here);
  EXPECT_EQ(remarks[0].op, 1u);
  EXPECT_EQ(remarks[1].op, Remark::no_op);
  backend::tileiras::find_lines(remarks, there);
  EXPECT_STREQ(remarks[0].where.file_name(), "there.hpp");
  EXPECT_EQ(remarks[0].where.line(), place.line + 2);
}

TEST(CubinBytes, AreReadBack) {
  Cubin cubin{
      .bytes = {std::byte{1}, std::byte{2}, std::byte{3}},
      .entry = "kernel",
      .resources = {.threads = 128, .registers = 155, .shared_bytes = 17432, .local_bytes = 8},
      .remarks = remarks_in(yaml)};
  cubin.remarks[1].op = 5;
  const Cubin again = backend::tileiras::cubin_from(to_bytes(cubin));
  EXPECT_EQ(again.bytes, cubin.bytes);
  EXPECT_EQ(again.entry, "kernel");
  EXPECT_EQ(again.resources, cubin.resources);
  ASSERT_THAT(again.remarks, SizeIs(2));
  EXPECT_EQ(again.remarks[0].reasons, cubin.remarks[0].reasons);
  EXPECT_EQ(again.remarks[1].instruction, "Tensor-core SM90");
  EXPECT_EQ(again.remarks[1].op, 5u);
  EXPECT_EQ(again.remarks[0].where.line(), 0u);
}

TEST(CubinBytes, CutAnywhereAreRefused) {
  const std::vector<std::byte> bytes = backend::tileiras::to_bytes(
      {.bytes = {std::byte{1}}, .entry = "kernel", .resources = {}, .remarks = remarks_in(yaml)});
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THROW(static_cast<void>(backend::tileiras::cubin_from(std::span(bytes).first(size))),
                 CompilerError);
  }
}

std::vector<std::string> texts(const std::vector<Diagnostic>& errors) {
  std::vector<std::string> result;
  for (const Diagnostic& error : errors) result.push_back(to_string(error));
  return result;
}

TEST(AssemblerErrors, StandWhereTheyAreSaidToOrAtTheKernel) {
  EXPECT_THAT(
      texts(errors_in("error: Incompatibility with architecture 'sm_80'\n"
                      "a.hpp:3:4: error: first\n"
                      "\"b b.hpp\":5:6: error: second\n"
                      "loc(\"c.hpp\":7:8): error: third\n"
                      "    error[Name]: fourth\n"
                      "      --> loc(\"d.hpp\":9:1)\n"
                      "    warning[]: High register usage\n"
                      "      --> loc(unknown)\n"
                      "error: failed to compile Tile IR program\n",
                      CodePlace("kernel.hpp", 1))),
      ElementsAre("kernel.hpp:1: Incompatibility with architecture 'sm_80'", "a.hpp:3: first",
                  "b b.hpp:5: second", "c.hpp:7: third", "d.hpp:9: fourth"));
}

TEST(AssemblerErrors, AreNotMadeUp) {
  EXPECT_THAT(errors_in("", {}), IsEmpty());
  EXPECT_THAT(errors_in("no errors: none\nterror: x\nerrors\n", {}), IsEmpty());
}

}  // namespace
}  // namespace tw::tests
