// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tilewright/runtime/fault_ring.hpp>
#include <tilewright/runtime/submit.hpp>

#include "tests/runtime/gate.hpp"

namespace {

using testing::HasSubstr;
using tw::FaultRecord;
using tw::Location;
using tw::runtime::FaultRing;

TEST(FaultRing, HasARecordForEachLaunchInFlight) {
  std::array<FaultRecord, 4> records;
  FaultRing ring(records);
  FaultRecord& first = ring.open(7);
  FaultRecord& second = ring.open(8);
  EXPECT_NE(&first, &second);
  EXPECT_EQ(first.serial, 7u);
  second.state = FaultRecord::written;
  second.index = 12;
  EXPECT_FALSE(ring.close(7).has_value());
  ASSERT_TRUE(ring.close(8).has_value());
  EXPECT_EQ(ring.close(8)->index, 12);
  EXPECT_EQ(&ring.open(12), &second);
  EXPECT_FALSE(ring.close(12).has_value());
}

TEST(FaultRing, IgnoresARecordThatIsBeingWritten) {
  std::array<FaultRecord, 1> records;
  FaultRing ring(records);
  ring.open(1).state = FaultRecord::writing;
  EXPECT_FALSE(ring.close(1).has_value());
}

TEST(FaultRing, SaysWhatWasWrongAndWhereItWasLaunched) {
  const FaultRecord record{.state = FaultRecord::written,
                           .serial = 3,
                           .site = 2,
                           .index = 128,
                           .bound = 100,
                           .block = {1, 2, 3},
                           .count = 5};
  const Location here = Location::current();
  const tw::DeviceFault fault = tw::runtime::fault_of(record, {.text = "load of x"}, here);
  EXPECT_THAT(
      fault.what(),
      HasSubstr("load of x: index 128 is not below 100, in block (1, 2, 3); 5 accesses failed"));
  EXPECT_EQ(fault.where().line(), here.line());
}

TEST(FaultRing, SaysNothingOfIndicesThatNobodyCompared) {
  const FaultRecord record{.state = FaultRecord::written, .index = 1, .count = 1};
  const tw::DeviceFault fault = tw::runtime::fault_of(
      record, {.text = "check: x is positive", .compares_index = false}, Location::current());
  EXPECT_THAT(fault.what(), HasSubstr("check: x is positive, in block (0, 0, 0)"));
  EXPECT_THAT(fault.what(), testing::Not(HasSubstr("index")));
  EXPECT_THAT(fault.what(), testing::Not(HasSubstr("accesses failed")));
}

TEST(Execution, HasAFreshFaultRecordAndASerialForEachCommand) {
  tw::Stream stream;
  std::uint32_t serials[2] = {};
  for (std::uint32_t& serial : serials) {
    tw::testing::enqueue(stream, [&serial](tw::runtime::Execution& execution) {
      FaultRecord& record = execution.fault_record();
      EXPECT_EQ(record.state, FaultRecord::empty);
      EXPECT_EQ(record.count, 0u);
      EXPECT_EQ(record.serial, execution.serial());
      record.state = FaultRecord::written;
      record.count = 1;
      serial = execution.serial();
    });
  }
  stream.sync();
  EXPECT_EQ(serials[1], serials[0] + 1);
}

}  // namespace
