// SPDX-License-Identifier: Apache-2.0
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tilewright/bytecode/reader.hpp>
#include <tilewright/bytecode/writer.hpp>

#include "tests/bytecode/hex.hpp"
#include "tests/bytecode/located_module.hpp"
#include "tests/bytecode/same_module.hpp"
#include "tests/bytecode/small_modules.hpp"
#include "tests/ir/op_samples.hpp"
#include "tests/ir/sample_module.hpp"

namespace tw::bytecode {
namespace {

using namespace ir;

/// Writes, reads and writes again in every version that can hold the module.
void expect_round_trip(const Module& module) {
  for (const ir::Version version : versions()) {
    if (version < lowest_version(module)) continue;
    SCOPED_TRACE(int{version.minor_number});
    const auto bytes = write(module, {.version = version});
    EXPECT_EQ(read_version(bytes), version);
    const Module back = read(bytes);
    expect_same(module, back);
    EXPECT_EQ(hex(write(back, {.version = version})), hex(bytes));
  }
}

TEST(RoundTrip, KeepsEveryOpSample) {
  for (const OpSample& each : samples::all()) {
    SCOPED_TRACE(each.text);
    expect_round_trip(each.module());
  }
}

TEST(RoundTrip, KeepsEveryOpOfTheTable) {
  std::set<Opcode> seen;
  const auto note = [&](const Module& module) {
    for (const Function& function : module.functions) {
      walk(function.body, [&](const Op& op) { seen.insert(op.code); });
    }
  };
  for (const OpSample& each : samples::all()) note(each.module());
  note(SampleModule::build());
  for (const OpRow& each : all_rows()) {
    EXPECT_TRUE(each.code >= Opcode::check || seen.contains(each.code)) << each.name;
  }
  expect_round_trip(SampleModule::build());
}

TEST(RoundTrip, KeepsAnEmptyModule) { expect_round_trip({}); }

TEST(RoundTrip, KeepsTheProducer) {
  Module module = SampleModule::build();
  module.producer = "someone's compiler 1.0";
  expect_round_trip(module);
}

TEST(RoundTrip, KeepsDebugInfo) { expect_round_trip(located_module()); }

TEST(RoundTrip, KeepsGlobalsAndSeveralFunctions) {
  Module module = SampleModule::build();
  module.globals.push_back({.name = "h",
                            .type = tile_type(ElementKind::i8, {4}),
                            .value = dense(ElementKind::i8, {1, 2, 3, 255}),
                            .visibility = Visibility::private_});
  Module other = located_module();
  Function second = std::move(other.functions.front());
  second.name = "k2";
  second.location = LocationId::unknown;
  walk(second.body, [](Op& op) { op.location = LocationId::unknown; });
  second.visibility = Visibility::private_;
  module.functions.push_back(std::move(second));
  expect_round_trip(module);
}

TEST(RoundTrip, KeepsHintsOfEveryKind) {
  Module module = SampleModule::build();
  module.functions.front().hints = {
      {"default", {{"a", std::int64_t{-1}}, {"b", true}, {"c", "odd \"text\""}, {"d", ""}}}};
  expect_round_trip(module);
}

// `num_cta_in_cga = "a"` for sm_100, as the function's hints: tag, count and architecture, then the
// tag of a dictionary and one entry, whose value is a string by its tag and number.
TEST(RoundTrip, WritesAHintThatIsAString) {
  Module module;
  Function function{.name = "k"};
  Builder builder(function);
  builder.append(OpDraft(Opcode::return_), {});
  function.hints = {{"sm_100", {{"num_cta_in_cga", "a"}}}};
  module.functions.push_back(std::move(function));
  EXPECT_THAT(hex(write(module)), testing::HasSubstr("0b 01 01 0a 01 02 05 03"));
}

TEST(RoundTrip, KeepsConstantsOfEveryElementType) {
  for (std::size_t i = 0; i < element_kind_count; ++i) {
    const auto kind = static_cast<ElementKind>(i);
    if (kind == ElementKind::i4) continue;
    SCOPED_TRACE(info(kind).name);
    expect_round_trip(with_constant(kind, {2}, dense(kind, {0, 1})));
    expect_round_trip(with_constant(kind, {16}, splat(kind, 1)));
  }
  const std::vector<std::uint64_t> booleans{1, 0, 0, 1, 1, 1, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1};
  expect_round_trip(with_constant(ElementKind::i1, {16}, dense(ElementKind::i1, booleans)));
}

// The sign of a double is the 64th bit: zig-zag needs one more than a careless writer has. A tf32
// has 19 bits here, although a constant of it takes 24.
TEST(RoundTrip, KeepsIdentitiesOfEveryElementType) {
  for (std::size_t i = 0; i < element_kind_count; ++i) {
    const auto kind = static_cast<ElementKind>(i);
    if (kind == ElementKind::i4) continue;
    SCOPED_TRACE(info(kind).name);
    const std::uint64_t top = std::uint64_t{1} << (info(kind).bits - 1);
    for (const std::uint64_t bits : {std::uint64_t{0}, std::uint64_t{1}, top, top | (top - 1)}) {
      expect_round_trip(reduction({kind, bits}));
    }
  }
}

// The tag, type and value of minus infinity, by hand: 0xfff0'0000'0000'0000 << 1 ^ ~0 in 64 bits is
// 0x001f'ffff'ffff'ffff, which takes eight groups of seven bits.
TEST(RoundTrip, WritesANegativeDoubleIn64Bits) {
  EXPECT_THAT(hex(write(reduction({ElementKind::f64, 0xfff0'0000'0000'0000}))),
              testing::HasSubstr(" 00 01 02 01 ff ff ff ff ff ff ff 0f "));
  EXPECT_THAT(hex(write(reduction({ElementKind::tf32, 0x7fc00}))),
              testing::HasSubstr(" 00 01 02 01 80 f0 3f "));
}

}  // namespace
}  // namespace tw::bytecode
