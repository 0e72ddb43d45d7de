// SPDX-License-Identifier: Apache-2.0
// Random programs on two fake GPUs and the CPU, beside a model that does everything at once.
#include <array>
#include <cstddef>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tilewright/tilewright.hpp>

#include "tests/cuda/any_gpu.hpp"
#include "tests/support/fake_gpu.hpp"

namespace tw::tests {
namespace {

using testing::IsEmpty;

void increment(InOut<int, dyn> x, Int by) { x.store(x.load() + by); }
void add(Out<int, dyn> z, In1<int> x, In1<int> y) { z.store(x.load_like(z) + y.load_like(z)); }

/// A tensor, and what its elements should be.
struct Variable {
  Tensor<int, 1> tensor;
  std::vector<int> values;
};

/// One random program; each may run on a thread of its own.
class RandomGpuProgram {
 public:
  RandomGpuProgram(unsigned seed, std::vector<Device> devices)
      : random_(seed), devices_(std::move(devices)) {
    for (const Device device : devices_) {
      for (Stream& stream : streams_.emplace_back(make_streams(device))) static_cast<void>(stream);
    }
  }

  void run(int statements) {
    constexpr std::array statement_of = {
        &RandomGpuProgram::make,    &RandomGpuProgram::drop,     &RandomGpuProgram::raise,
        &RandomGpuProgram::combine, &RandomGpuProgram::combine,  &RandomGpuProgram::copy_over,
        &RandomGpuProgram::move,    &RandomGpuProgram::read,     &RandomGpuProgram::wait,
        &RandomGpuProgram::sync,    &RandomGpuProgram::duplicate};
    make();
    for (int i = 0; i < statements; ++i) (this->*statement_of[below(statement_of.size())])();
    for (const Variable& each : variables_) expect(each);
  }

 private:
  static std::array<Stream, 3> make_streams(Device device) {
    return {Stream(device), Stream(device), Stream(device)};
  }
  std::size_t below(std::size_t bound) { return random_() % bound; }
  int number() { return static_cast<int>(below(1000)); }
  std::size_t any_device() { return below(devices_.size()); }
  StreamRef any_stream(std::size_t device) { return streams_[device][below(3)]; }
  StreamRef any_stream(Device device) {
    return any_stream(
        static_cast<std::size_t>(std::ranges::find(devices_, device) - devices_.begin()));
  }
  Variable* any() { return variables_.empty() ? nullptr : &variables_[below(variables_.size())]; }
  static void expect(const Variable& variable) {
    EXPECT_EQ(to_host(variable.tensor), variable.values);
  }

  void keep(Variable variable) {
    if (variables_.size() > 8) variables_.erase(variables_.begin());
    variables_.push_back(std::move(variable));
  }
  void make() {
    const Device device = devices_[any_device()];
    const std::size_t size = 1 + below(20);
    const int value = number();
    keep({filled(device, value, size), std::vector<int>(size, value)});
  }
  void drop() {
    if (!variables_.empty()) {
      variables_.erase(variables_.begin() + static_cast<std::ptrdiff_t>(below(variables_.size())));
    }
  }
  void raise() {
    Variable* x = any();
    if (x == nullptr) return;
    const int by = number();
    launch<increment>(mut(x->tensor).partition({4}), by).on(any_stream(x->tensor.device()));
    for (int& value : x->values) value += by;
  }
  // The sum is given back by the launch.
  void combine() {
    const Variable* x = any();
    const Variable* y = any();
    if (x == nullptr || x->values.size() != y->values.size()) return;
    const Device device = x->tensor.device();
    if (y->tensor.device() != device) return;
    const auto size = static_cast<std::int64_t>(x->values.size());
    auto z = launch<add>(empty<int>(device, size).partition({4}), x->tensor, y->tensor)
                 .on(any_stream(device));
    std::vector<int> sums = x->values;
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += y->values[i];
    keep({std::move(z).join(), std::move(sums)});
  }
  void copy_over() {
    Variable* to = any();
    const Variable* from = any();
    if (to == nullptr || to == from || to->values.size() != from->values.size()) return;
    copy(mut(to->tensor), from->tensor, any_stream(any_device()));
    to->values = from->values;
  }
  void duplicate() {
    const Variable* from = any();
    if (from == nullptr) return;
    keep({clone(from->tensor, any_stream(any_device())), std::vector<int>(from->values)});
  }
  void move() {
    if (Variable* x = any()) x->tensor = Tensor<int, 1>(std::move(x->tensor));
  }
  void read() {
    if (const Variable* x = any()) expect(*x);
  }
  void wait() { any_stream(any_device()).wait(any_stream(any_device()).record()); }
  void sync() { any_stream(any_device()).sync(); }

  std::mt19937 random_;
  std::vector<Device> devices_;
  std::vector<std::array<Stream, 3>> streams_;
  std::vector<Variable> variables_;
};

TEST(RandomGpuPrograms, DoWhatTheModelDoes) {
  FakeGpu gpu({FakeDevice{}, FakeDevice{}});
  for (unsigned seed = 0; seed < 200 && !testing::Test::HasFailure(); ++seed) {
    RandomGpuProgram(seed, {gpu.device(0), gpu.device(1), Device::cpu()}).run(80);
    EXPECT_THAT(gpu.driver().violations(), IsEmpty()) << seed;
  }
  EXPECT_THAT(gpu.left_over(), IsEmpty());
}

TEST(RandomGpuPrograms, RunBesideEachOther) {
  FakeGpu gpu({FakeDevice{}, FakeDevice{}});
  std::vector<std::thread> threads;
  for (unsigned seed = 0; seed < 4; ++seed) {
    threads.emplace_back([&gpu, seed] {
      for (unsigned round = 0; round < 10; ++round) {
        RandomGpuProgram(1000 + 10 * seed + round, {gpu.device(0), gpu.device(1), Device::cpu()})
            .run(60);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(gpu.driver().violations(), IsEmpty());
  EXPECT_THAT(gpu.left_over(), IsEmpty());
}

TEST_F(AnyGpu, DoesWhatTheModelDoes) {
  for (unsigned seed = 0; seed < 50 && !testing::Test::HasFailure(); ++seed) {
    RandomGpuProgram(5000 + seed, {device(), Device::cpu()}).run(100);
  }
}

}  // namespace
}  // namespace tw::tests
