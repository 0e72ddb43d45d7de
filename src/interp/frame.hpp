// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <tilewright/core/fault_record.hpp>
#include <tilewright/interp/program.hpp>

namespace tw::inline v0::interp {

/// Where a value lies in a worker's arena: bytes from the frame's base. What keeps its place for
/// the whole run (arguments, constants) lies below the base.
struct Slot {
  std::ptrdiff_t offset = 0;
  friend bool operator==(Slot, Slot) = default;
};

/// What all blocks of one run share.
struct Launch {
  Grid grid;
  const RunOptions* options = nullptr;
  FaultRecord* fault = nullptr;
  std::uint32_t serial = 0;
};

/// The state of one block in progress.
class Frame {
 public:
  Frame(std::byte* base, const Launch& launch) : base_(base), launch_(&launch) {}

  /// The elements at `slot`. An arena holds numbers as C++ objects lie in memory: i1, i4 and f4e2m1
  /// in the low bits of a byte, tf32 as an f32, pointers as 64-bit addresses.
  template <class T>
  [[nodiscard]] T* at(Slot slot) const noexcept {
    return reinterpret_cast<T*>(base_ + slot.offset);
  }

  [[nodiscard]] const Launch& launch() const noexcept { return *launch_; }

  std::array<std::uint32_t, 3> block{};

 private:
  std::byte* base_;
  const Launch* launch_;
};

}  // namespace tw::inline v0::interp
