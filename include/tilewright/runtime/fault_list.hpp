// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <exception>

#include <tilewright/core/export.hpp>
#include <tilewright/runtime/mark.hpp>

namespace tw::inline v0::runtime {

class Fault;

/// The latest faults of a stream, or of the writers of a storage; from any thread. A fault may be
/// in several lists and is collected once; one that nobody collects goes to the log sink.
class TILEWRIGHT_API FaultList {
 public:
  /// The oldest of more faults than this are let go.
  static constexpr std::size_t capacity = 64;

  FaultList() noexcept = default;
  FaultList(const FaultList&) = delete;
  FaultList& operator=(const FaultList&) = delete;
  ~FaultList() { clear(); }

  void add(Fault& fault);
  /// The oldest error that nobody has collected, or null.
  [[nodiscard]] std::exception_ptr collect_first();
  /// The error of one command, unless somebody has collected it.
  [[nodiscard]] std::exception_ptr collect(Mark command);
  void clear() noexcept {
    if (entries_ != nullptr) let_go();
  }

 private:
  struct Entries;

  void let_go() noexcept;

  Entries* entries_ = nullptr;  ///< null until the first fault
};

}  // namespace tw::inline v0::runtime
