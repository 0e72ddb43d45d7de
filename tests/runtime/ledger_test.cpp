// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <tilewright/core/error.hpp>
#include <tilewright/runtime/create.hpp>
#include <tilewright/runtime/loan.hpp>
#include <tilewright/runtime/storage.hpp>
#include <tilewright/runtime/stream.hpp>
#include <tilewright/runtime/submit.hpp>
#include <tilewright/runtime/transfer.hpp>

#include "tests/runtime/gate.hpp"

namespace {

using tw::Device;
using tw::Event;
using tw::Location;
using tw::Stream;
using tw::detail::memory_of;
using tw::runtime::Access;
using tw::runtime::Lease;
using tw::runtime::Storage;
using tw::runtime::StorageRef;
using tw::runtime::Use;
using tw::testing::enqueue;
using tw::testing::Gate;

StorageRef make_storage(std::size_t bytes = 64) {
  return Storage::allocate(Device::cpu(), bytes, Location::current());
}

std::array<Use, 1> reads(const StorageRef& storage) { return {{{storage.get(), Access::read}}}; }
std::array<Use, 1> writes(const StorageRef& storage) { return {{{storage.get(), Access::write}}}; }

/// A use on one stream that is held up, and one on another stream.
struct Pair {
  StorageRef storage = make_storage();
  Stream first, second;
  Gate gate;
  Event held, other;

  Pair(Access earlier, Access later) {
    const Use uses[] = {{storage.get(), earlier}};
    held = gate.close(first, uses);
    const Use later_uses[] = {{storage.get(), later}};
    other = enqueue(second, [this] { saw_held_done = held.done(); }, later_uses);
  }
  bool saw_held_done = false;
};

TEST(Ledger, ReadsAndWritesOfOtherStreamsFollowAWrite) {
  for (const Access later : {Access::read, Access::write}) {
    Pair pair(Access::write, later);
    EXPECT_FALSE(pair.other.done());
    pair.gate.open();
    pair.other.wait();
    EXPECT_TRUE(pair.saw_held_done);
  }
}

TEST(Ledger, WritesOfOtherStreamsFollowARead) {
  Pair pair(Access::read, Access::write);
  EXPECT_FALSE(pair.other.done());
  pair.gate.open();
  pair.other.wait();
  EXPECT_TRUE(pair.saw_held_done);
}

TEST(Ledger, ReadsRunBesideEachOther) {
  Pair pair(Access::read, Access::read);
  pair.other.wait();
  EXPECT_FALSE(pair.saw_held_done);
}

TEST(Ledger, WritesFollowTheReadsOfAllStreams) {
  const StorageRef storage = make_storage();
  constexpr std::size_t readers = 9;  // more than the ledger has slots, or a wait list room for
  std::array<Stream, readers> streams;
  std::array<Gate, readers> gates;
  for (std::size_t i = 0; i < readers; ++i) {
    EXPECT_TRUE(gates[i].close(streams[i], reads(storage)) != Event());
  }
  Stream writer;
  std::atomic<int> open = 0;
  int seen = 0;
  const Event written = enqueue(writer, [&] { seen = open; }, writes(storage));
  for (std::size_t i = readers; i-- > 0;) {
    EXPECT_FALSE(written.done());
    ++open;
    gates[i].open();
  }
  written.wait();
  EXPECT_EQ(seen, static_cast<int>(readers));
}

TEST(Ledger, ACommandAwaitsAllItsConflicts) {
  constexpr std::size_t count = 10;
  std::array<StorageRef, count> storages;
  std::array<Stream, count> streams;
  std::array<Gate, count> gates;
  std::vector<Use> uses;
  for (std::size_t i = 0; i < count; ++i) {
    storages[i] = make_storage();
    gates[i].close(streams[i], writes(storages[i]));
    uses.push_back({storages[i].get(), Access::read});
  }
  Stream reader;
  const Event read = enqueue(reader, [] {}, uses);
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT_FALSE(read.done());
    gates[i].open();
  }
  read.wait();
}

TEST(Ledger, SameStreamNeverWaitsAndMayRunOnTheCaller) {
  const StorageRef storage = make_storage();
  Stream stream;
  enqueue(stream, [] {}, writes(storage)).wait();
  bool ran = false;
  tw::runtime::submit(
      stream, writes(storage), [&] { ran = true; }, tw::runtime::RunOn::caller_if_idle,
      Location::current());
  EXPECT_TRUE(ran);
}

TEST(Ledger, WorkThatHasToWaitDoesNotRunOnTheCaller) {
  const StorageRef storage = make_storage();
  Stream first, second;
  Gate gate;
  gate.close(first, writes(storage));
  const Event after = tw::runtime::submit(
      second, reads(storage), [] {}, tw::runtime::RunOn::caller_if_idle, Location::current());
  EXPECT_FALSE(after.done());
  gate.open();
  after.wait();
}

TEST(Ledger, OrderingIsTransitiveAcrossStreams) {
  const StorageRef a = make_storage(), b = make_storage();
  Stream first, second, third;
  Gate gate;
  std::vector<int> order;
  gate.close(first, writes(a));
  enqueue(first, [&] { order.push_back(1); }, writes(a));
  const Use from_a_to_b[] = {{a.get(), Access::read}, {b.get(), Access::write}};
  enqueue(second, [&] { order.push_back(2); }, from_a_to_b);
  const Event last = enqueue(third, [&] { order.push_back(3); }, reads(b));
  gate.open();
  last.wait();
  EXPECT_EQ(order, (std::vector{1, 2, 3}));
}

TEST(Ledger, MarksWhatWasWritten) {
  const StorageRef storage = make_storage();
  EXPECT_FALSE(storage->written());
  Stream stream;
  enqueue(stream, [] {}, reads(storage));
  EXPECT_FALSE(storage->written());
  Gate gate;
  gate.close(stream, writes(storage));
  EXPECT_TRUE(storage->written());
}

// Commands of many threads, each with uses on several storages, in any combination. Were the uses
// of one command recorded one by one, two commands could await each other; were one lost, the
// counts would show it, since commands that write a storage change it without synchronisation.
TEST(Ledger, ManyThreadsNeitherDeadlockNorRace) {
  constexpr std::size_t count = 5;
  std::array<StorageRef, count> storages;
  for (auto& storage : storages) {
    storage = make_storage();
    *reinterpret_cast<std::int64_t*>(memory_of(*storage)) = 0;
  }
  std::array<Stream, 4> streams;
  std::array<std::atomic<std::int64_t>, count> expected{};
  const auto submit_some = [&](unsigned seed) {
    std::minstd_rand random(seed);
    for (int i = 0; i < 300; ++i) {
      std::vector<Use> uses;
      std::vector<std::int64_t*> written;
      for (std::size_t s = 0; s < count; ++s) {
        const auto dice = random() % 4;
        if (dice == 0) uses.push_back({storages[s].get(), Access::read});
        if (dice == 1) {
          uses.push_back({storages[s].get(), Access::write});
          written.push_back(reinterpret_cast<std::int64_t*>(memory_of(*storages[s])));
          ++expected[s];
        }
      }
      enqueue(
          streams[random() % streams.size()],
          [written = std::move(written)] {
            for (std::int64_t* value : written) ++*value;
          },
          uses);
    }
  };
  std::vector<std::thread> threads;
  for (unsigned seed = 1; seed <= 4; ++seed) threads.emplace_back(submit_some, seed);
  for (auto& thread : threads) thread.join();
  for (auto& stream : streams) stream.sync();
  for (std::size_t s = 0; s < count; ++s) {
    EXPECT_EQ(*reinterpret_cast<std::int64_t*>(memory_of(*storages[s])), expected[s]);
  }
}

TEST(Storage, LivesUntilItsLastLeaseIsGone) {
  bool given_back = false;
  std::array<std::byte, 8> memory{};
  StorageRef storage = Storage::borrow(
      {.address = memory.data(), .bytes = memory.size(), .give_back = [&] { given_back = true; }},
      Location::current());
  Stream stream;
  Gate gate;
  gate.close(stream);
  const auto uses = writes(storage);
  const Event event =
      enqueue(stream, [lease = Lease(storage)] { *memory_of(*lease) = std::byte{5}; }, uses);
  storage = {};  // does not block
  EXPECT_FALSE(given_back);
  gate.open();
  event.wait();
  EXPECT_TRUE(given_back);
  EXPECT_EQ(memory[0], std::byte{5});
}

TEST(Storage, ATensorDroppedInFlightIsCopiedAllTheSame) {
  Stream stream;
  Gate gate;
  gate.close(stream);
  std::optional<tw::Tensor<int, 1>> copy;
  {
    auto t = tw::filled(Device::cpu(), 9, 1000);
    copy.emplace(tw::clone(t, stream));
  }
  const auto reused = tw::filled(Device::cpu(), 1, 1000);  // gets no memory that is in use
  gate.open();
  for (const int value : tw::to_host(*copy)) ASSERT_EQ(value, 9);
}

TEST(Storage, ReadingWaitsForTheLastWriteOnly) {
  Stream writer, reader;
  Gate write_gate, read_gate;
  auto t = tw::filled(Device::cpu(), 1, 4);
  const StorageRef storage = tw::runtime::TensorAccess::state(t, Location::current()).storage;
  read_gate.close(reader, reads(storage));
  EXPECT_EQ(tw::to_host(t), (std::vector{1, 1, 1, 1}));
  auto next = tw::empty<int>(4);
  const StorageRef written = tw::runtime::TensorAccess::state(next, Location::current()).storage;
  write_gate.close(writer, writes(written));
  tw::copy(tw::mut(next), t, writer);
  std::thread opener([&] { write_gate.open(); });
  EXPECT_EQ(tw::to_host(next), (std::vector{1, 1, 1, 1}));
  opener.join();
}

/// Enqueues a command that writes all elements, one after the other.
void write_slowly(tw::Tensor<int, 1>& t, int value, const Stream& stream) {
  const StorageRef storage = tw::runtime::TensorAccess::state(t, Location::current()).storage;
  const auto fill = [lease = Lease(storage), value] {
    auto* ints = reinterpret_cast<int*>(memory_of(*lease));
    for (std::size_t i = 0; i < lease->bytes() / sizeof(int); ++i) ints[i] = value;
  };
  enqueue(stream, fill, writes(storage));
}

TEST(Storage, ReadingOnTheHostIsNeverTornByLaterWrites) {
  auto t = tw::filled(Device::cpu(), 0, 1 << 14);
  const tw::View<int, 1> view = t;
  std::atomic<bool> stop = false;
  std::thread writer([&] {
    Stream stream;
    for (int i = 1; !stop; ++i) write_slowly(t, i, stream);
  });
  for (int i = 0; i < 50; ++i) {
    const std::vector<int> values = tw::to_host(view);
    EXPECT_EQ(std::ranges::count(values, values.front()), std::ssize(values));
  }
  stop = true;
  writer.join();
}

TEST(Storage, ReadingWhatTheCommandItselfWritesIsRefused) {
  Stream stream;
  auto t = tw::filled(Device::cpu(), 1, 4);
  const StorageRef storage = tw::runtime::TensorAccess::state(t, Location::current()).storage;
  enqueue(stream, [&] { (void)tw::to_host(t); }, writes(storage));
  EXPECT_THROW(stream.sync(), tw::LaunchError);
  EXPECT_EQ(tw::to_host(t), (std::vector{1, 1, 1, 1}));
}

TEST(Storage, ReadingManyTimesTakesNoStreams) {
  const auto t = tw::filled(Device::cpu(), 1, 4);
  for (int i = 0; i < 5000; ++i) ASSERT_EQ(tw::to_host(t).size(), 4u);
}

TEST(Storage, FaultsOfItsWritersReachItsReader) {
  Stream stream;
  auto t = tw::filled(Device::cpu(), 1, 4);
  const StorageRef storage = tw::runtime::TensorAccess::state(t, Location::current()).storage;
  const auto fail = [lease = Lease(storage)](tw::runtime::Execution& execution) {
    execution.fail(std::make_exception_ptr(std::runtime_error("broken")), std::span(&lease, 1));
  };
  enqueue(stream, fail, writes(storage));
  enqueue(stream, [] {}, writes(storage));
  EXPECT_THROW((void)tw::to_host(t), std::runtime_error);
  EXPECT_EQ(tw::to_host(t).size(), 4u);
  stream.sync();  // it was delivered
}

}  // namespace
