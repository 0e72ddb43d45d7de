// SPDX-License-Identifier: Apache-2.0
// A program whose calls of the driver fail, one in each run.
#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tilewright/runtime/async.hpp>
#include <tilewright/tilewright.hpp>

#include "tests/support/fake_gpu.hpp"
#include "tests/support/log_capture.hpp"

namespace tw::tests {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

void increment(InOut<int, dyn> x, Int by) { x.store(x.load() + by); }
void add(Out<int, dyn> z, In1<int> x, In1<int> y) { z.store(x.load_like(z) + y.load_like(z)); }
void pick(Out<int, dyn> z, In1<int> x, In1<int> which) {
  z.store(x.tiles(dim<0>(z))(which.at(block<0>(z))));
}

Task<Partition<int, 1>> raised(StreamRef stream, Partition<int, 1> t) {
  co_return co_await launch<increment>(std::move(t), 5).async(stream);
}

/// A program of many uses of a GPU. What one use throws keeps none of the others from being tried.
class Program {
 public:
  explicit Program(const FakeGpu& gpu) : device_(gpu.device()) {}

  void run() {
    make_streams();
    if (streams_.size() < 2) return;
    launches();
    copies();
    events_and_tasks();
    faults();
    use([&] { streams_[0].sync(); });
    use([&] { streams_[1].sync(); });
    use([&] { current_stream(device_).sync(); });
  }

  /// What the uses threw.
  [[nodiscard]] const std::vector<std::string>& errors() const { return errors_; }
  /// How many uses there were, and how many did what they should.
  [[nodiscard]] int uses() const { return uses_; }
  [[nodiscard]] int right() const { return right_; }

 private:
  void use(const std::function<void()>& what) {
    ++uses_;
    try {
      what();
      ++right_;
    } catch (const Error& error) {
      errors_.emplace_back(error.what());
    }
  }
  void expect(const std::vector<int>& is, const std::vector<int>& should_be) {
    if (is != should_be) throw BugError("wrong values", Location::current());
  }
  Tensor<int, 1> number(int value) { return filled(device_, value, 5); }

  void make_streams() {
    use([&] { streams_.emplace_back(device_); });
    use([&] { streams_.emplace_back(device_); });
  }
  void launches() {
    const StreamRef one = streams_[0];
    const StreamRef two = streams_[1];
    use([&] {
      auto t = number(1);
      launch<increment>(mut(t).partition({4}), 2).on(one);
      launch<increment>(mut(t).partition({4}), 3).on(two);
      launch<increment>(mut(t).partition({4}), 4).on(one);
      expect(to_host(t), {10, 10, 10, 10, 10});
    });
    use([&] {
      const auto x = from_host<int>(device_, {1, 2, 3, 4, 5});
      auto z = launch<add>(empty<int>(device_, 5).partition({4}), x, number(10)).sync();
      expect(to_host(std::move(z).join()), {11, 12, 13, 14, 15});
    });
    use([&] {
      auto t = number(0);
      for (int i = 0; i < 40; ++i) launch<increment>(mut(t).partition({4}), 1).on(two);
      expect(to_host(t), {40, 40, 40, 40, 40});
    });
  }
  void copies() {
    const StreamRef one = streams_[0];
    const StreamRef two = streams_[1];
    use([&] {
      auto t = empty<int>(device_, 5);
      copy(mut(t), number(7), one);
      expect(to_host(clone(t, two)), {7, 7, 7, 7, 7});
    });
    use([&] {
      const auto source = from_host<int>(Device::cpu(), {1, 2, 3});
      auto there = empty<int>(device_, 3);
      auto back = zeroed<int>(Device::cpu(), 3);
      copy(mut(there), source, one);
      copy(mut(back), there, two);
      expect(to_host(back), {1, 2, 3});
    });
    use([&] {
      const View<int, 2> t = from_host<int>(device_, {1, 2, 3, 4}, 2, 2);
      expect(to_host(t.transposed()), {1, 3, 2, 4});
      expect(to_host(clone(t.transposed(), two)), {1, 3, 2, 4});
    });
    use([&] {
      const auto wide = filled<std::int64_t>(device_, 0x0102030405060708, 3000);
      if (to_host(wide).back() != 0x0102030405060708) expect({1}, {});
    });
  }
  void events_and_tasks() {
    const StreamRef one = streams_[0];
    const StreamRef two = streams_[1];
    use([&] {
      auto t = number(1);
      launch<increment>(mut(t).partition({4}), 2).on(one);
      const Event event = one.record();
      two.wait(event);
      while (!event.done()) {
      }
      event.wait();
      expect(to_host(t), {3, 3, 3, 3, 3});
    });
    use([&] {
      auto t = sync_wait(raised(one, number(1).partition({4})));
      expect(to_host(std::move(t).join()), {6, 6, 6, 6, 6});
    });
  }
  void faults() {
    use([&] {
      const auto x = number(4);
      auto z = empty<int>(device_, 2);
      try {
        launch<pick>(mut(z).partition({2}), x, from_host<int>(device_, {9})).sync();
      } catch (const DeviceFault& fault) {
        if (std::string(fault.what()).find("index 9") != std::string::npos) return;
      }
      throw BugError("no fault", Location::current());
    });
  }

  Device device_;
  std::vector<Stream> streams_;
  std::vector<std::string> errors_;
  int uses_ = 0;
  int right_ = 0;
};

TEST(GpuFailure, WithoutOneTheProgramIsRight) {
  FakeGpu gpu;
  {
    Program program(gpu);
    program.run();
    EXPECT_THAT(program.errors(), IsEmpty());
    EXPECT_EQ(program.right(), program.uses());
  }
  EXPECT_THAT(gpu.driver().violations(), IsEmpty());
  EXPECT_THAT(gpu.left_over(), IsEmpty());
}

/// Lets one call fail, and says which; empty when the program made fewer calls.
std::string run_with_failure(std::size_t nth) {
  FakeGpu gpu;
  LogCapture log;
  std::size_t before = 0;
  std::vector<std::string> told;
  bool all_right = false;
  {
    Program program(gpu);
    before = gpu.driver().calls().size();
    gpu.driver().fail_nth(nth, driver::Result::unknown);
    program.run();
    told = program.errors();
    all_right = program.right() == program.uses();
  }
  const std::vector<std::string> calls = gpu.driver().calls();
  if (calls.size() <= before + nth) return {};
  const std::string failed = calls[before + nth];

  for (const std::string& line : log.lines()) told.push_back(line);
  if (!all_right || !told.empty()) {
    EXPECT_THAT(told, Contains(HasSubstr(failed + " failed: CUDA_ERROR_UNKNOWN")))
        << "call " << nth;
  }
  {
    Program again(gpu);
    again.run();
    EXPECT_THAT(again.errors(), IsEmpty()) << "after " << failed << ", call " << nth;
  }
  EXPECT_THAT(gpu.driver().violations(), IsEmpty()) << failed << ", call " << nth;
  EXPECT_THAT(gpu.left_over(), IsEmpty()) << failed << ", call " << nth;
  return failed;
}

TEST(GpuFailure, EachCallInTurn) {
  std::size_t calls = 0;
  while (!run_with_failure(calls).empty() && !testing::Test::HasFailure()) ++calls;
  EXPECT_GT(calls, 300u);
}

}  // namespace
}  // namespace tw::tests
