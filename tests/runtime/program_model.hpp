// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

/// What programs on tensors of int must do, one statement after the other, on vectors of the host.
namespace tw::tests::model {

/// A check that fails, told by the index that its kernel was given.
struct Fault {
  int index;
  unsigned line;  ///< of the launch
  bool collected = false;
};
using FaultRef = std::shared_ptr<Fault>;

/// Collects the oldest fault that nobody has collected; null when there is none.
inline FaultRef collect_first(const std::vector<FaultRef>& faults) {
  for (const FaultRef& fault : faults) {
    if (!std::exchange(fault->collected, true)) return fault;
  }
  return nullptr;
}

/// Elements that were shared, and the line.
struct Frozen {
  std::size_t begin;
  std::size_t count;
  unsigned line;
};

struct Memory {
  std::vector<int> values;
  std::vector<FaultRef> faults = {};  ///< of its writers
  std::vector<Frozen> frozen = {};
};

/// The elements that a tensor or a view names.
struct Part {
  std::shared_ptr<Memory> memory;
  std::size_t begin = 0;
  std::size_t count = 0;

  static Part of(std::vector<int> values) {
    const std::size_t count = values.size();
    return {std::make_shared<Memory>(Memory{std::move(values)}), 0, count};
  }
  [[nodiscard]] Part slice(std::size_t start, std::size_t size) const {
    return {memory, begin + start, size};
  }
  [[nodiscard]] int& operator[](std::size_t i) const { return memory->values.at(begin + i); }
  [[nodiscard]] std::vector<int> values() const {
    const auto first = memory->values.begin() + static_cast<std::ptrdiff_t>(begin);
    return {first, first + static_cast<std::ptrdiff_t>(count)};
  }
  [[nodiscard]] bool overlaps(const Part& other) const {
    return memory == other.memory && overlaps(other.begin, other.count);
  }
  void freeze(unsigned line) const { memory->frozen.push_back({begin, count, line}); }
  /// The latest line that shared some of it; 0 when there is none.
  [[nodiscard]] unsigned frozen_at() const {
    unsigned line = 0;
    for (const Frozen& each : memory->frozen) {
      if (overlaps(each.begin, each.count)) line = each.line;
    }
    return line;
  }

 private:
  [[nodiscard]] bool overlaps(std::size_t from, std::size_t size) const {
    return count > 0 && size > 0 && begin < from + size && from < begin + count;
  }
};

/// Who took what a variable held.
struct Taker {
  std::string name = {};  ///< empty after a plain move
  unsigned line = 0;      ///< 0 where a launch took it
};

/// Why a statement is refused: what its error says, and what its note does, if there is one.
struct Problem {
  std::string text;
  std::string note = {};
  unsigned line = 0;  ///< of the note
};

inline Problem moved_away(const Taker& taker) {
  const std::string note = taker.name.empty() ? "" : "taken by " + taker.name;
  return {"the tensor was moved away", note, taker.line};
}

/// What a statement throws: a refusal, a fault, or nothing.
struct Outcome {
  std::vector<Problem> problems = {};
  FaultRef fault = nullptr;

  [[nodiscard]] bool throws() const { return !problems.empty() || fault != nullptr; }
};

enum class Kernel : std::uint8_t {
  add,        ///< out = x + y
  increment,  ///< out += number
  pick,       ///< out = x, but the block `bad_block` reads the tile `number`, which x does not have
};
inline constexpr Kernel kernels[] = {Kernel::add, Kernel::increment, Kernel::pick};

/// A launch over blocks of `cut` elements.
struct Work {
  Kernel kernel = Kernel::add;
  Part out = {};
  int cut = 1;
  std::vector<Part> inputs = {};
  int number = 0;
  int bad_block = -1;

  /// Why it is refused if it runs now.
  [[nodiscard]] std::vector<Problem> problems() const {
    std::vector<Problem> found;
    if (const unsigned line = out.frozen_at()) {
      found.push_back({"argument 1 (" + out_type() + ") is written, but its memory is read-only",
                       "shared here", line});
    }
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (out.overlaps(inputs[i])) {
        found.push_back(
            {"is written by the launch, but shares memory with argument " + std::to_string(i + 2)});
      }
    }
    return found;
  }
  [[nodiscard]] bool fails() const {
    return kernel == Kernel::pick && bad_block >= 0 &&
           static_cast<std::size_t>(bad_block) * static_cast<std::size_t>(cut) < out.count;
  }
  /// Writes what the kernel writes.
  void run() const {
    for (std::size_t i = 0; i < out.count; ++i) out[i] = element(i);
  }

 private:
  [[nodiscard]] std::string out_type() const {
    return kernel == Kernel::increment ? "InOut<int32_t> of rank 1" : "Out<int32_t> of rank 1";
  }
  [[nodiscard]] int element(std::size_t i) const {
    switch (kernel) {
      case Kernel::add:
        return wrapped_sum(inputs[0][i], inputs[1][i]);
      case Kernel::increment:
        return wrapped_sum(out[i], number);
      case Kernel::pick:
        break;
    }
    const bool bad = static_cast<int>(i) / cut == bad_block;
    return bad ? 0 : inputs[0][i];
  }
  static int wrapped_sum(int a, int b) {
    return static_cast<int>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
  }
};

}  // namespace tw::tests::model
