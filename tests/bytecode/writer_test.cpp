// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tilewright/bytecode/writer.hpp>
#include <tilewright/core/error.hpp>

#include "tests/bytecode/hex.hpp"
#include "tests/bytecode/located_module.hpp"
#include "tests/ir/make_value.hpp"
#include "tests/ir/op_samples.hpp"
#include "tests/ir/sample_module.hpp"

namespace tw::bytecode {
namespace {

using namespace ir;
using ::testing::HasSubstr;

/// Adds one to the float that its parameter points to.
Module increment() {
  const Type scalar = tile_type(ElementKind::f32);
  Module module;
  Function function{.name = "inc"};
  Builder builder(function);
  const Value pointer = add_parameter(function, pointer_tile_type(ElementKind::f32));
  const Value one = builder.constant(ElementKind::f32, 0x3f800000);
  const Value loaded =
      builder.append(OpDraft(Opcode::load_ptr_tko)
                         .operand(pointer)
                         .set(AttributeName::memory_ordering, MemoryOrdering::weak),
                     {scalar, token_type()});
  const Value token = builder.block().ops.back().result(1);
  const Value sum = builder.float_op(Opcode::addf, loaded, one, RoundingMode::nearest_even, false);
  OpDraft store(Opcode::store_ptr_tko);
  store.operand(pointer).operand(sum).optional({}).optional(token);
  builder.append(store.set(AttributeName::memory_ordering, MemoryOrdering::weak), {token_type()});
  builder.append(OpDraft(Opcode::return_), {});
  module.functions.push_back(std::move(function));
  return module;
}

// What NVIDIA's cuda-tile-translate 13.3 writes for this kernel.
TEST(Writer, GivesTheBytesOfTheOfficialWriter) {
  EXPECT_EQ(hex(write(increment())),
            "7f 54 69 6c 65 49 52 00 0d 01 00 00 82 20 08 cb "
            "01 00 03 02 00 19 10 04 00 3d 04 05 00 00 00 02 04 00 00 02 01 65 05 08 00 00 04 03 "
            "5c 00 00 cb "
            "84 15 08 cb cb cb cb cb 01 cb cb cb cb cb cb cb 00 00 00 00 00 00 00 00 04 00 00 80 "
            "3f "
            "85 2a 04 06 cb cb cb 00 00 00 00 01 00 00 00 03 00 00 00 06 00 00 00 0a 00 00 00 0d "
            "00 00 00 "
            "07 0c 00 0d 01 00 10 01 02 00 0d 00 00 11 "
            "81 0b 04 cb cb cb 01 cb cb cb 00 00 00 00 69 6e 63 00");
}

// The bytes that NVIDIA's writer gives for the ops of the sample module, in the order of its text.
TEST(Writer, GivesTheOfficialBytesOfManyOps) {
  const std::string body =
      "10 04 01 10 08 02 10 0a 03 2c 02 01 "
      "29 01 08 01 04 02 01 02 03 01 01 02 04 08 02 02 08 01 01 07 03 11 00 01 08 "
      "41 01 0b 01 01 01 01 01 04 04 0f 0d 02 01 07 01 32 00 08 02 01 00 02 10 0b 04 0a 00 01 09 "
      "00 03 04 03 07 01 11 00 01 09 "
      "0e 0e 00 01 03 03 10 0d 05 32 02 04 0b 09 02 01 00 01 6d 00 02 02 07 01 00 01 6d 00 02 01 "
      "07 "
      "58 01 06 01 01 02 00 80 80 80 f8 1f 01 06 01 01 02 0b 0b 02 45 0b 03 0c 0d 6d 00 01 0e "
      "5e 01 08 00 01 01 02 00 00 01 06 01 01 02 0b 0b 02 02 0b 00 00 0d 0e 6d 00 01 0f "
      "30 04 04 04 15 04 01 02 01 0e 44 0f 3c 01 0f 02 12 12 55 01 0f 01 06 01 11 13 05 07 09 "
      "06 02 08 10 00 00 08 0b 0f 03 04 02 04 15 07 09 14 "
      "65 0f 0f 03 01 01 04 0a 01 08 01 07 03 15 16 09 17 25 10 01 01 "
      "53 08 02 01 00 00 00 00 00 00 00 03 0c 11 00 03 1a 26 01 12 03 1b 02 02 "
      "64 08 00 04 03 17 08 04 03 5c 00 00";
  // One private-or-not byte short of nothing: name, type, constant, alignment, public, constant.
  const std::string global = "01 01 06 00 10 00 01 82";
  const std::string head = "01 00 05 06 00 0b 02 02 0a 01 03 01 07 04 04 0a 01 05 01 07 02 8b 02 ";
  const std::string written = hex(write(SampleModule::build()));
  EXPECT_THAT(written, HasSubstr("0d 03 00 00 06 07 " + global));
  EXPECT_THAT(written, HasSubstr(head + body));
}

Module with_constants(std::initializer_list<Type> types) {
  Module module;
  Function function{.name = "k"};
  Builder builder(function);
  for (const Type& each : types) make_value(builder, each);
  builder.append(OpDraft(Opcode::return_), {});
  module.functions.push_back(std::move(function));
  return module;
}

// An entry is `04 01 00 00 00`; the section's length is 8 for their number and 13 each.
TEST(Writer, SharesConstantsOfOneTypeAndValue) {
  const Type four = tile_type(ElementKind::i32, {4});
  EXPECT_THAT(hex(write(with_constants({four, four}))), HasSubstr(" 84 15 08 "));
  EXPECT_THAT(hex(write(with_constants({four, tile_type(ElementKind::i32, {8})}))),
              HasSubstr(" 84 22 08 "));
}

TEST(Writer, ChoosesTheLowestVersionThatHoldsTheModule) {
  const auto lowest = [](const Module& module) -> int {
    return lowest_version(module).minor_number;
  };
  EXPECT_EQ(lowest(increment()), 1);
  EXPECT_EQ(lowest(SampleModule::build()), 3);  // its global is constant
  EXPECT_EQ(lowest(with_constants({tile_type(ElementKind::f8e8m0)})), 2);
  EXPECT_EQ(lowest(with_constants({tile_type(ElementKind::i4)})), 3);
  EXPECT_EQ(lowest(with_constants({tile_type(ElementKind::f8e5m3)})), 4);
  Module produced = increment();
  produced.producer = "me";
  EXPECT_EQ(lowest(produced), 3);
  EXPECT_EQ(int{std::to_integer<int>(write(produced)[9])}, 3);
}

// What each version brought, by the samples of the ops; everything else is 13.1.
TEST(Writer, KnowsWhenOpsAttributesAndTypesCame) {
  std::map<std::string_view, std::set<int>> later;
  for (const OpSample& each : samples::all()) {
    const int minor = lowest_version(each.module()).minor_number;
    if (minor != 1) later[row(each.code).name].insert(minor);
  }
  const std::map<std::string_view, std::set<int>> expected{
      {"alloca", {3}},
      {"atan2", {2}},
      {"atomic_red_view_tko", {3}},
      {"exti", {3}},  // of an i4
      {"fpowi", {4}},
      {"ftof", {4}},  // nearest_away
      {"ftoi", {4}},  // saturating
      {"gdc_launch_dependents_tko", {4}},
      {"gdc_wait_tko", {4}},
      {"insert", {4}},
      {"load_view_tko", {3, 4}},  // strided and gather views, inbounds
      {"make_gather_scatter_view", {3}},
      {"make_strided_view", {3}},
      {"make_tensor_view", {4}},  // of a pointer with an attribute
      {"memory_fence_alias_tko", {4}},
      {"mmaf", {3}},  // fast_acc
      {"mmaf_scaled", {3}},
      {"negi", {2}},  // overflow
      {"pack", {3}},
      {"print_tko", {2}},  // a token
      {"tanh", {2}},       // rounding
      {"unpack", {3}},
  };
  EXPECT_EQ(later, expected);
}

std::string refusal(const Module& module, ir::Version version) {
  try {
    write(module, {.version = version});
  } catch (const CompilerError& error) {
    return error.what();
  }
  return "";
}

Module sample(Opcode code) {
  return std::ranges::find(samples::all(), code, &OpSample::code)->module();
}

TEST(Writer, NamesWhatAVersionCannotHold) {
  EXPECT_THAT(refusal(sample(Opcode::fpowi), {13, 3}),
              HasSubstr("bytecode 13.3 cannot hold fpowi, which came with 13.4"));
  EXPECT_THAT(refusal(sample(Opcode::tanh), {13, 1}),
              HasSubstr("cannot hold rounding_mode of tanh, which came with 13.2"));
  EXPECT_THAT(refusal(sample(Opcode::print_tko), {13, 1}),
              HasSubstr("cannot hold token of print_tko, which came with 13.2"));
  EXPECT_THAT(refusal(with_constants({tile_type(ElementKind::f8e8m0)}), {13, 1}),
              HasSubstr("cannot hold tile<f8E8M0FNU>, which came with 13.2"));
  EXPECT_THAT(refusal(SampleModule::build(), {13, 2}), HasSubstr("cannot hold a constant global"));
  EXPECT_EQ(refusal(sample(Opcode::fpowi), {13, 4}), "");
  EXPECT_THAT(refusal(increment(), {13, 0}), HasSubstr("there is no bytecode version 13.0"));
  EXPECT_THAT(refusal(increment(), {14, 1}), HasSubstr("there is no bytecode version 14.1"));
}

TEST(Writer, SaysWhereThatStands) {
  Module module = sample(Opcode::fpowi);
  std::vector<Op>& ops = module.functions.front().body.ops;
  std::ranges::find(ops, Opcode::fpowi, &Op::code)->location =
      module.locations.add(SourcePlace{"k.cpp", 7, 3});
  EXPECT_THAT(refusal(module, {13, 2}), HasSubstr("k.cpp:7: bytecode 13.2"));
}

// A print of 13.1 gives no token, so nobody may use it.
TEST(Writer, LeavesOutTheTokensOfPrintsBefore13_2) {
  const auto printing = [](bool used) {
    Module module;
    Function function{.name = "k"};
    Builder builder(function);
    OpDraft print(Opcode::print_tko);
    print.set(AttributeName::format, Attribute("x"));
    const Value token = builder.append(print, {token_type()});
    if (used) builder.append(OpDraft(Opcode::join_tokens).group({token, token}), {token_type()});
    builder.append(OpDraft(Opcode::return_), {});
    module.functions.push_back(std::move(function));
    return module;
  };
  // Two ops: print_tko without results and operands, and return.
  EXPECT_THAT(hex(write(printing(false))), HasSubstr(" 07 55 00 01 00 5c 00 00 "));
  EXPECT_EQ(lowest_version(printing(true)), (ir::Version{13, 2}));
  EXPECT_THAT(refusal(printing(true), {13, 1}), HasSubstr("the result of print_tko"));
}

TEST(Writer, RefusesOpsThatAreNotPartOfTileIR) {
  Module module;
  Function function{.name = "k"};
  Builder builder(function);
  builder.at(module.locations.add(SourcePlace{"k.cpp", 5, 1}));
  builder.append(OpDraft(Opcode::print).set(AttributeName::site, Attribute(std::int64_t{0})), {});
  module.functions.push_back(std::move(function));
  EXPECT_THAT(refusal(module, {13, 5}), HasSubstr("k.cpp:5: tw.print is not part of Tile IR"));
}

// NVIDIA's disassembler prints these entries as the places, scopes and files of the module.
TEST(Writer, WritesDebugInfo) {
  const std::string functions = "01 cb cb cb 00 00 00 00 ";
  const std::string indices =
      "05 cb cb cb cb cb cb cb 04 00 00 00 00 00 00 00 05 00 00 00 00 00 00 00 "
      "08 00 00 00 00 00 00 00 0e 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 ";
  const std::string entries =
      "02 01 02 01 01 05 01 03 00 00 02 03 04 03 03 03 06 "           // k.cpp, k, its place
      "04 03 03 04 0a 02 04 05 03 03 06 01 01 04 07 06 09 02 "        // a place, and in h.hpp
      "02 07 02 05 09 14 08 09 02 15 03 0a 09 16 03 04 0b 0a 17 05 "  // helper, a block, a place
      "04 03 03 05 07 06 0c 0d ";                                     // its call
  const std::string written = hex(write(located_module()));
  EXPECT_THAT(written, HasSubstr(functions + indices + "0e "));
  EXPECT_THAT(written, HasSubstr(entries));
  EXPECT_THAT(written, HasSubstr(" 01 00 00 02 01 0c 10 "));  // the function names its first place
}

TEST(Writer, LeavesOutDebugInfoOnRequest) {
  const std::string written = hex(write(located_module(), {.debug_info = false}));
  EXPECT_THAT(written, HasSubstr(" 01 00 00 02 00 0c 10 "));
  EXPECT_THAT(written, HasSubstr(" 81 09 04 "));  // one string, the function's name
}

}  // namespace
}  // namespace tw::bytecode
