// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <tilewright/driver/table.hpp>

#include "tests/support/timeline.hpp"

namespace tw::tests {

/// What a kernel of the fake driver was launched with.
class FakeArguments {
 public:
  FakeArguments(driver::Extent3 grid, std::vector<std::vector<std::byte>> values)
      : grid_(grid), values_(std::move(values)) {}

  [[nodiscard]] driver::Extent3 grid() const { return grid_; }
  [[nodiscard]] const std::vector<std::byte>& value(std::size_t index) const {
    return values_.at(index);
  }
  template <class T>
  [[nodiscard]] T at(std::size_t index) const {
    T value;
    std::memcpy(&value, values_.at(index).data(), sizeof(T));
    return value;
  }
  /// A parameter that is a device pointer: device memory is memory of the host.
  template <class T>
  [[nodiscard]] T* pointer(std::size_t index) const {
    return reinterpret_cast<T*>(at<driver::DevicePointer>(index));
  }

 private:
  driver::Extent3 grid_;
  std::vector<std::vector<std::byte>> values_;
};

/// A kernel of the fake driver: every module has it.
struct FakeKernel {
  std::vector<std::size_t> parameter_bytes;
  std::function<std::vector<Access>(const FakeArguments&)> accesses;
  std::function<void(const FakeArguments&)> run;
  std::map<driver::FunctionAttribute, int> attributes;
  int blocks_per_multiprocessor = 1;
};

struct FakeDevice {
  std::string name = "Fake H200";
  std::size_t memory = std::size_t{1} << 30;
  std::map<driver::DeviceAttribute, int> attributes = {
      {driver::DeviceAttribute::compute_capability_major, 9},
      {driver::DeviceAttribute::compute_capability_minor, 0},
      {driver::DeviceAttribute::multiprocessors, 132},
      {driver::DeviceAttribute::memory_pools, 1},
  };
};

/// A driver without a device, for tests. While it lives it stands in for libcuda (driver::table()
/// gives its table); one at a time. Its device memory is memory of the host; its streams and events
/// are a Timeline, so copies and kernels happen, late and in an order that the program asked for.
/// It is stricter than the real one: whatever works in a context needs a current one, and a handle
/// is never used again. What gives something back does so even when it refuses.
class FakeDriver {
 public:
  explicit FakeDriver(std::vector<FakeDevice> devices = {FakeDevice{}}, int cuda_version = 13000);
  FakeDriver(const FakeDriver&) = delete;
  FakeDriver& operator=(const FakeDriver&) = delete;
  ~FakeDriver();

  [[nodiscard]] const driver::Table& table() const;
  /// The functions by name, but for those left out: what an older driver would have.
  [[nodiscard]] static std::unique_ptr<driver::Symbols> symbols(
      std::vector<std::string> without = {});

  void define(std::string name, FakeKernel kernel);

  /// Lets the `nth` call from now on (0: the next one) come to `result`.
  void fail_nth(std::size_t nth, driver::Result result);
  /// The same, counting calls of the function `name` alone.
  void fail(const std::string& name, driver::Result result, std::size_t nth = 0);

  /// The names of all calls so far.
  [[nodiscard]] std::vector<std::string> calls() const;
  /// How many there are of each kind of thing that was made and not given back.
  [[nodiscard]] std::map<std::string, std::size_t> live() const;
  /// What a real driver would have punished with wrong results or worse: races, uses of memory that
  /// is not allocated, modules unloaded while their kernels run.
  [[nodiscard]] std::vector<std::string> violations() const;

  /// The order of all work; tests may run some of it, or let the host touch memory.
  [[nodiscard]] Timeline& timeline();

  struct State;

 private:
  std::unique_ptr<State> state_;
  std::unique_ptr<driver::Table> table_;
  const driver::Table* before_ = nullptr;
};

}  // namespace tw::tests
