// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tilewright/bytecode/reader.hpp>
#include <tilewright/bytecode/writer.hpp>

#include "tests/bytecode/hex.hpp"
#include "tests/bytecode/small_modules.hpp"
#include "tests/ir/op_samples.hpp"
#include "tests/ir/sample_module.hpp"

namespace tw::bytecode {
namespace {

using namespace ir;
using ::testing::HasSubstr;

using Bytes = std::vector<std::byte>;

/// Adds one to the float that its parameter points to; from NVIDIA's writer, with its offsets.
Bytes increment() {
  return from_hex(
      "7f 54 69 6c 65 49 52 00 0d 01 00 00 82 20 08 cb "  // 00 header, functions
      "01 00 03 02 00 19 10 04 00 3d 04 05 00 00 00 02 "  // 10 one function; 16 its body; 1f addf
      "04 00 00 02 01 65 05 08 00 00 04 03 5c 00 00 cb "  // 20 flags of addf at 21
      "84 15 08 cb cb cb cb cb 01 cb cb cb cb cb cb cb "  // 30 constants
      "00 00 00 00 00 00 00 00 04 00 00 80 3f 85 2a 04 "  // 40 4d types
      "06 cb cb cb 00 00 00 00 01 00 00 00 03 00 00 00 "  // 50 where the types start
      "06 00 00 00 0a 00 00 00 0d 00 00 00 07 0c 00 0d "  // 60 6c the types
      "01 00 10 01 02 00 0d 00 00 11 81 0b 04 cb cb cb "  // 70 7a strings
      "01 cb cb cb 00 00 00 00 69 6e 63 00 ");            // 80 8b the end
}

struct Refusal {
  std::uint64_t offset = 0;
  std::string message;
};

Refusal refusal(const Bytes& bytes, const ReadOptions& options = {}) {
  try {
    read(bytes, options);
  } catch (const ReadError& error) {
    return {error.offset(), error.what()};
  }
  return {};
}

struct Change {
  std::size_t offset;
  std::uint8_t value;
  std::uint64_t found_at;  ///< just behind what is wrong
  std::string_view message;
};

void expect_refused(const std::vector<Change>& changes) {
  for (const Change& each : changes) {
    Bytes bytes = increment();
    bytes[each.offset] = std::byte{each.value};
    const Refusal found = refusal(bytes);
    EXPECT_THAT(found.message, HasSubstr(each.message)) << each.offset;
    EXPECT_EQ(found.offset, each.found_at) << found.message;
  }
}

TEST(Reader, SaysWhatIsWrongWithTheHeader) {
  expect_refused({
      {0x01, 'E', 0x08, "this is no Tile IR bytecode"},
      {0x08, 250, 0x0c, "a version for tests only"},
      {0x08, 14, 0x0c, "there is no bytecode version 14.1"},
      {0x09, 9, 0x0c, "there is no bytecode version 13.9"},
      {0x0a, 1, 0x0c, "the file uses preview features"},
      {0x0a, 2, 0x0c, "the version has the tag 0x2"},
  });
  EXPECT_EQ(read_version(increment()), (ir::Version{13, 1}));
}

TEST(Reader, SaysWhatIsWrongWithSections) {
  expect_refused({
      {0x0c, 0x88, 0x0d, "there is no section 8"},
      {0x0c, 0x02, 0x0e, "section 2 is not aligned"},
      {0x0e, 0x04, 0x0f, "section 2 has alignment 4"},
      {0x0f, 0x00, 0x10, "padding is not 0xcb"},
      {0x7b, 0x7f, 0x80, "section 1 has 127 bytes"},
      {0x7a, 0x85, 0x80, "section 5 is there twice"},
      {0x54, 0x01, 0x58, "the type 0 starts at 1, out of order"},
      {0x60, 0x02, 0x64, "the type 3 starts at 2, out of order"},
      {0x80, 0x02, 0x84, "1 bytes are missing"},
  });
  Bytes longer = increment();
  longer.push_back(std::byte{0});
  EXPECT_THAT(refusal(longer).message, HasSubstr("1 bytes follow the end"));
}

TEST(Reader, SaysWhatIsWrongWithFunctions) {
  expect_refused({
      {0x11, 0x01, 0x12, "there is no string 1"},
      {0x12, 0x02, 0x12, "has to be a function's"},
      {0x12, 0x07, 0x13, "there is no type 7"},
      {0x13, 0x00, 0x14, "the preview feature simt"},
      {0x13, 0x0a, 0x14, "no version defines the bits 0x8"},
      {0x14, 0x01, 0x15, "there is no debug info of function 1"},
      {0x15, 0x20, 0x16, "a body has 32 bytes"},
      {0x15, 0x18, 0x2e, "the file or a part of it ends too early"},
      {0x75, 0x01, 0x76, "1 entries do not fit into the 0 bytes that are left"},
  });
}

TEST(Reader, SaysWhatIsWrongWithOps) {
  expect_refused({
      {0x16, 0x16, 0x17, "is entry, which cannot stand in a body"},
      {0x16, 0x19, 0x17, "there is no opcode 0x19"},
      {0x16, 0x6e, 0x17, "atan2 came with 13.2, and the file is 13.1"},
      {0x16, 0x7d, 0x17, "multimem_store_view_tko"},
      {0x17, 0x06, 0x18, "there is no type 6"},
      {0x17, 0x02, 0x18, "a constant is no tile of numbers"},
      {0x18, 0x01, 0x19, "there is no constant 1"},
      {0x21, 0x0a, 0x22, "no version defines the bits 0xa in the flags of addf"},
      {0x22, 0x08, 0x23, "an enumeration is 8, which is above 7"},
      {0x22, 0x07, 0x23, "nearest_away came with 13.4"},
      {0x23, 0x04, 0x24, "addf uses value 4, and there are 4"},
      {0x2d, 0x01, 0x2e, "return has 1 results"},
      {0x48, 0x03, 0x4c, "a constant goes on for 1 bytes"},
  });
}

TEST(Reader, SaysWhatIsWrongWithTypes) {
  expect_refused({
      {0x79, 0x1f, 0x7a, "there is no kind of type 31"},
      {0x6c, 0x13, 0x6d, "f4E2M1FN came with 13.3, and the file is 13.1"},
      {0x6e, 0x02, 0x6e, "has to be one of elements"},
      {0x70, 0x03, 0x70, "has to be one of elements"},
      {0x74, 0x03, 0x74, "a function takes a function"},
  });
}

// One sample has a type that older files spell otherwise, which is noticed before the op.
TEST(Reader, RefusesOpsThatCameLaterThanTheFile) {
  for (const OpSample& each : samples::all()) {
    const ir::Version since = row(each.code).since;
    if (since.minor_number == 1) continue;
    Bytes bytes = write(each.module(), {.version = since});
    bytes[9] = static_cast<std::byte>(since.minor_number - 1);
    const bool by_type = each.code == Opcode::atomic_red_view_tko;
    EXPECT_THAT(refusal(bytes).message,
                HasSubstr(by_type ? "has to be a tensor view" : "came with 13."))
        << each.text;
  }
}

TEST(Reader, LenientlyAcceptsWhatMeansNothing) {
  const auto accepted = [](std::size_t offset, std::uint8_t value) {
    Bytes bytes = increment();
    bytes[offset] = std::byte{value};
    return hex(write(read(bytes, {.lenient = true}))) == hex(increment());
  };
  EXPECT_TRUE(accepted(0x0f, 0x00));  // padding
  EXPECT_TRUE(accepted(0x13, 0x12));  // a flag of the function
  EXPECT_TRUE(accepted(0x21, 0x08));  // a flag of addf
}

TEST(Reader, RefusesSectionsThatOccurTwice) {
  Bytes bytes = increment();
  bytes.pop_back();
  const Bytes more = from_hex("81 0b 04 cb cb 01 cb cb cb 00 00 00 00 64 65 63 00 ");  // "dec"
  bytes.insert(bytes.end(), more.begin(), more.end());
  EXPECT_THAT(refusal(bytes).message, HasSubstr("section 1 is there twice"));
  EXPECT_EQ(read(bytes, {.lenient = true}).functions.front().name, "dec");
}

/// The file with some of its bytes replaced by as many others.
Bytes replaced(const Bytes& file, std::string_view from, std::string_view to) {
  std::string text = hex(file);
  EXPECT_THAT(text, HasSubstr(from));
  text.replace(text.find(from), from.size(), to);
  return from_hex(text);
}

// A writer that computes zig-zag in wider numbers loses the sign of a double in its 65th bit. Plus
// infinity is 0x7ff0'0000'0000'0000 << 1: seven groups of zeros, and one bit in the last group.
TEST(Reader, RefusesNumbersOfMoreThan64Bits) {
  const Bytes file = write(reduction({ElementKind::f64, 0x7ff0'0000'0000'0000}));
  const Bytes longer =
      replaced(file, "80 80 80 80 80 80 80 f0 ff 01", "80 80 80 80 80 80 80 f0 ff 03");
  EXPECT_THAT(refusal(longer).message, HasSubstr("a number has more than 64 bits"));
  EXPECT_EQ(hex(write(read(longer, {.lenient = true}))), hex(file));
}

// A tf32 has 19 bits as an attribute and three bytes as a constant; some writers give it 32.
TEST(Reader, RefusesTf32OfFourBytes) {
  const Bytes number = write(reduction({ElementKind::tf32, 0x7fc00}));  // << 1: 80 f0 3f
  EXPECT_THAT(refusal(replaced(number, " 01 80 f0 3f ", " 01 80 80 40 ")).message,
              HasSubstr("a number of 19 bits is 0x80000"));
  const Bytes constant = write(with_constant(ElementKind::f32, {8}, splat(ElementKind::f32, 1)));
  EXPECT_THAT(refusal(replaced(constant, " 07 0d ", " 08 0d ")).message,
              HasSubstr("a constant of 8 elements has 4 bytes"));
}

TEST(Reader, KeepsToItsLimits) {
  const Bytes bytes = write(SampleModule::build());
  const auto with = [](ReadLimits limits) { return ReadOptions{.limits = limits}; };
  EXPECT_THAT(refusal(bytes, with({.memory = 1000})).message, HasSubstr("takes more memory"));
  EXPECT_THAT(refusal(bytes, with({.entries = 8})).message, HasSubstr("entries are too many"));
  EXPECT_THAT(refusal(bytes, with({.depth = 1})).message, HasSubstr("nested too deeply"));
  EXPECT_THAT(refusal(bytes, with({.rank = 1})).message, HasSubstr("there are 2 axes"));
  EXPECT_EQ(refusal(bytes, with({.depth = 2, .rank = 2})).message, "");
}

// One constant may be named by any number of ops, each of which holds a copy.
TEST(Reader, CountsTheMemoryOfSharedConstants) {
  std::vector<std::uint64_t> elements(1u << 16);
  for (std::size_t i = 0; i < elements.size(); ++i) elements[i] = i;
  Module module;
  Function function{.name = "k"};
  Builder builder(function);
  for (int i = 0; i < 100; ++i) {
    OpDraft draft(Opcode::constant);
    draft.set(AttributeName::value, dense(ElementKind::i32, elements));
    builder.append(draft, {tile_type(ElementKind::i32, {1 << 16})});
  }
  builder.append(OpDraft(Opcode::return_), {});
  module.functions.push_back(std::move(function));
  const Bytes bytes = write(module);
  EXPECT_LT(bytes.size(), 300'000u);
  EXPECT_THAT(refusal(bytes, {.limits = {.memory = 20'000'000}}).message,
              HasSubstr("takes more memory"));
  EXPECT_EQ(refusal(bytes, {.limits = {.memory = 30'000'000}}).message, "");
}

// So may one file name by any number of scopes.
TEST(Reader, CountsTheMemoryOfScopes) {
  Module module;
  Function function{.name = "k"};
  const std::string file(100'000, 'f');
  function.location = module.locations.add(SourcePlace{"k.cpp", 1, 1});
  const ScopeId outer = module.locations.add(SourceScope{.file = "k.cpp", .name = "k"});
  Builder builder(function);
  for (std::uint32_t line = 0; line < 100; ++line) {
    const ScopeId scope =
        module.locations.add(SourceScope{.file = file, .line = line, .parent = outer});
    builder.at(module.locations.add(SourcePlace{"k.cpp", line, 1, scope}));
    builder.integer(ElementKind::i32, 1);
  }
  builder.append(OpDraft(Opcode::return_), {});
  module.functions.push_back(std::move(function));
  const Bytes bytes = write(module);
  EXPECT_LT(bytes.size(), 200'000u);
  EXPECT_THAT(refusal(bytes, {.limits = {.memory = 10'000'000}}).message,
              HasSubstr("takes more memory"));
  EXPECT_EQ(refusal(bytes, {.limits = {.memory = 40'000'000}}).message, "");
}

}  // namespace
}  // namespace tw::bytecode
