// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tilewright/core/error.hpp>
#include <tilewright/core/fault_record.hpp>

#include "tests/interp/test_kernel.hpp"

namespace tw::interp_test {
namespace {

using enum ElementKind;
using ::testing::HasSubstr;

class CheckKernel : public TestKernel {
 public:
  void check(Value condition, Value index, Value bound, std::int64_t site) {
    OpDraft draft(Opcode::check);
    draft.operand(condition).operand(index).operand(bound);
    draft.set(AttributeName::site, ir::Attribute(site));
    build().append(draft, {});
  }
  Value below(Value index, Value bound) {
    return build().compare_int(ir::ComparisonPredicate::less_than, index, bound,
                               ir::Signedness::signed_);
  }
};

const std::vector<ir::AbiSlot> with_faults{{ir::AbiKind::fault_block}, {ir::AbiKind::serial}};

TEST(Check, RecordsTheFirstFailingElement) {
  CheckKernel k;
  k.pointer(i32);
  k.scalar(i32);
  const Value indices = k.build().append(
      OpDraft(Opcode::constant).set(AttributeName::value, ir::dense(i32, {1, 9, 3, 12})),
      {ir::tile_type(i32, {4})});
  k.check(k.below(indices, k.build().constant(i32, 5, {4})), indices, k.i32(5), 7);
  FaultRecord record;
  const std::uint64_t arguments[] = {address(&record), 42};
  k.finish(with_faults).run({}, arguments);
  EXPECT_EQ(record.state, FaultRecord::written);
  EXPECT_EQ(record.serial, 42u);
  EXPECT_EQ(record.site, 7u);
  EXPECT_EQ(record.index, 9);
  EXPECT_EQ(record.bound, 5);
  EXPECT_EQ(record.count, 1u);
}

TEST(Check, KeepsTheFirstFaultAndGoesOn) {
  CheckKernel k;
  k.pointer(i32);
  k.scalar(i32);
  const Value out = k.pointer(i32);
  const auto id = k.build().block_ids();
  k.check(k.below(id[1], k.i32(1)), id[1], k.i32(1), 3);
  k.store(k.build().reshape(id[1], {1}), k.tiles(out, {4}, {1}), {id[1]});
  FaultRecord record;
  std::int32_t memory[4] = {-1, -1, -1, -1};
  const std::uint64_t arguments[] = {address(&record), 1, address(memory)};
  k.finish(with_faults).run({1, 4, 1}, arguments, {.threads = 1});
  EXPECT_EQ(record.index, 1);
  EXPECT_EQ(record.block[0], 0u);
  EXPECT_EQ(record.block[1], 1u);
  EXPECT_EQ(record.count, 3u);
  EXPECT_EQ(std::vector<int>(memory, memory + 4), std::vector<int>({0, 1, 2, 3}));
}

TEST(Check, CountsFaultsOfBlocksInParallel) {
  CheckKernel k;
  k.pointer(i32);
  k.scalar(i32);
  const auto id = k.build().block_ids();
  k.check(k.below(id[0], k.i32(0)), id[0], k.i32(0), 0);
  FaultRecord record;
  const std::uint64_t arguments[] = {address(&record), 1};
  k.finish(with_faults).run({1000}, arguments, {.threads = 4});
  EXPECT_EQ(record.count, 1000u);
  EXPECT_EQ(record.index, record.block[0]);
}

TEST(Check, ThatHoldsLeavesTheRecordAlone) {
  CheckKernel k;
  k.pointer(i32);
  k.scalar(i32);
  k.check(k.build().constant(i1, 1), k.i32(0), k.i32(1), 0);
  FaultRecord record;
  const std::uint64_t arguments[] = {address(&record), 1};
  k.finish(with_faults).run({}, arguments);
  EXPECT_EQ(record.state, FaultRecord::empty);
  EXPECT_EQ(record.count, 0u);
}

TEST(Check, WithoutARecordThrowsAfterTheLastBlock) {
  CheckKernel k;
  const Value out = k.pointer(i32);
  k.module().sites.resize(3);
  k.module().sites[2].location = k.module().locations.add(ir::SourcePlace{"softmax.cpp", 12, 3});
  k.check(k.build().constant(i1, 0), k.build().integer(i64, -6), k.build().integer(i64, 5), 2);
  k.store_all(k.i32(1), out);
  std::int32_t memory = 0;
  const std::uint64_t argument = address(&memory);
  const interp::Program program = k.finish();
  try {
    program.run({}, {&argument, 1});
    FAIL() << "no fault";
  } catch (const DeviceFault& fault) {
    EXPECT_THAT(fault.what(), HasSubstr("-6 is not below 5"));
    EXPECT_STREQ(fault.where().file_name(), "softmax.cpp");
    EXPECT_EQ(fault.where().line(), 12u);
  }
  EXPECT_EQ(memory, 1);
}

TEST(Assert, ThrowsItsMessageWithThePlace) {
  CheckKernel k;
  k.build().at(k.module().locations.add(ir::SourcePlace{"softmax.cpp", 12, 3}));
  k.build().append(
      OpDraft(Opcode::assert_)
          .operand(k.build().append(
              OpDraft(Opcode::constant).set(AttributeName::value, ir::dense(i1, {1, 0})),
              {ir::tile_type(i1, {2})}))
          .set(AttributeName::message, ir::Attribute(std::string("sum is zero"))),
      {});
  const interp::Program program = k.finish();
  for (const unsigned threads : {1u, 4u}) {
    try {
      program.run({100}, {}, {.threads = threads});
      FAIL() << "no fault";
    } catch (const DeviceFault& fault) {
      EXPECT_STREQ(fault.what(), "softmax.cpp:12: sum is zero");
    }
  }
}

TEST(Assert, ThatHoldsDoesNothing) {
  CheckKernel k;
  k.build().append(OpDraft(Opcode::assert_)
                       .operand(k.build().constant(i1, 1, {4}))
                       .set(AttributeName::message, ir::Attribute(std::string("no"))),
                   {});
  EXPECT_NO_THROW(k.finish().run({}, {}));
}

}  // namespace
}  // namespace tw::interp_test
