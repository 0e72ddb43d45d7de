// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <tilewright/core/error.hpp>
#include <tilewright/core/export.hpp>
#include <tilewright/core/location.hpp>
#include <tilewright/runtime/argument.hpp>
#include <tilewright/runtime/constant.hpp>
#include <tilewright/runtime/event.hpp>
#include <tilewright/runtime/hints.hpp>
#include <tilewright/runtime/host_number.hpp>
#include <tilewright/runtime/kernel_table.hpp>
#include <tilewright/runtime/partition.hpp>
#include <tilewright/runtime/storage.hpp>
#include <tilewright/runtime/stream.hpp>

namespace tw::inline v0 {
namespace detail {

struct LaunchState;

/// What launches must know of a kernel function; one for each instantiation.
struct KernelInfo {
  const char* name;  ///< "vadd<float, 128>", for messages and profilers only
  /// Calls the kernel function once, with the constants of `launch`, and gives what it recorded.
  ir::Kernel (*trace)(const Specialisation& specialisation, const LaunchState& launch,
                      Location where);
  KernelTable* table;
};

/// The type of a kernel parameter, as far as arguments are checked against it.
struct ParameterType {
  ParameterKind kind;
  DType dtype = DType::f32;
  std::int8_t rank = 0;
  bool fixes_extents = false;
  /// Extents that the parameter's type fixes, of the tensor for In, of a block for outputs; others
  /// -1.
  std::int32_t extents[max_rank] = {-1, -1, -1, -1, -1, -1};
};

/// Hints of a launch for one architecture.
struct ArchitectureHints {
  Architecture architecture;
  Hints hints;
};

/// Everything that a launch holds before it runs: what it knows of its arguments, and handles on
/// their storages, so that it may outlive the tensors. States are reused, with the memory of their
/// tables, so that launches allocate nothing in the long run.
struct LaunchState {
  const KernelInfo* kernel = nullptr;
  std::vector<HostArgument> arguments;
  std::vector<TensorUse> tensors;
  std::vector<runtime::StorageRef> storages;  ///< of each of `tensors`
  std::vector<std::max_align_t> constants;    ///< the values, each where its argument says
  KeyWords key;                               ///< begins with the words of the constants
  std::vector<std::uint64_t> words;           ///< the arguments of the entry
  bool hinted = false;
  Hints hints;
  std::vector<ArchitectureHints> architecture_hints;
  bool deny_device_checks = false;
  /// What was found wrong before the launch had a place to report; their places are not yet known.
  std::vector<Diagnostic> problems;

  /// The constant of type `T` that was passed for a parameter.
  template <class T>
  [[nodiscard]] const T& constant(std::size_t parameter) const noexcept TILEWRIGHT_LIFETIMEBOUND {
    return *std::launder(reinterpret_cast<const T*>(&constants[arguments[parameter].scalar]));
  }
};

/// Owns a launch's state.
class TILEWRIGHT_API LaunchHandle {
 public:
  /// An empty state for a launch of `kernel`.
  explicit LaunchHandle(const KernelInfo& kernel);
  LaunchHandle(LaunchHandle&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
  /// What this held goes now: the other handle is empty, like one that was moved from.
  LaunchHandle& operator=(LaunchHandle&& other) noexcept {
    LaunchHandle taken(std::move(other));
    std::swap(state_, taken.state_);
    return *this;
  }
  ~LaunchHandle() {
    if (state_ != nullptr) give_back();
  }

  [[nodiscard]] LaunchState& operator*() const noexcept { return *state_; }
  [[nodiscard]] LaunchState* operator->() const noexcept { return state_; }
  [[nodiscard]] explicit operator bool() const noexcept { return state_ != nullptr; }

 private:
  void give_back() noexcept;

  LaunchState* state_;
};

// The untyped half of binding arguments: each call adds the next argument and takes its storage
// over. None throws for a wrong
// argument: it is noted in `problems`, to be thrown from where the launch runs.

TILEWRIGHT_API void bind_absent(LaunchState& launch, const ParameterType& type);
/// A tensor that all blocks share; `written` for an Atomic.
TILEWRIGHT_API void bind_tensor(LaunchState& launch, const ParameterType& type,
                                runtime::StorageRef&& storage, const runtime::Layout& layout);
TILEWRIGHT_API void bind_list(LaunchState& launch, const ParameterType& type,
                              std::vector<runtime::TensorState> tensors);
TILEWRIGHT_API void bind_output(LaunchState& launch, const ParameterType& type,
                                runtime::StorageRef&& storage, const runtime::Layout& layout,
                                const Division& division);
TILEWRIGHT_API void bind_output_list(LaunchState& launch, const ParameterType& type,
                                     std::span<const runtime::TensorState> tensors,
                                     const Division& division);
TILEWRIGHT_API void bind_grid(LaunchState& launch, const ParameterType& type,
                              std::span<const std::int64_t> extents);
/// A run-time number.
TILEWRIGHT_API void bind_scalar(LaunchState& launch, const ParameterType& type, HostNumber number);
/// Room for the value of a constant, `size` bytes, aligned for any fundamental type; `fits` says
/// whether the parameter's type holds the argument.
[[nodiscard]] TILEWRIGHT_API void* bind_constant(LaunchState& launch, std::size_t size, bool fits);
/// An argument that was used up before: notes `error` with the place of the launch.
TILEWRIGHT_API void bind_refused(LaunchState& launch, const ParameterType& type,
                                 const Error& error);

// All of these throw LaunchError for a launch that was run or moved away before.

/// Checks a launch's arguments, compiles what is missing and enqueues it. Throws LaunchError,
/// KernelError or CompilerError; nothing has then happened. The state is used up.
TILEWRIGHT_API Event enqueue(LaunchHandle launch, const StreamRef& stream, Location where);
/// Checks a launch's arguments and records the kernel for them, before any pass. Throws LaunchError
/// or KernelError. The state is used up.
[[nodiscard]] TILEWRIGHT_API ir::Kernel record(LaunchHandle launch, Location where);
/// Waits for a launch and throws its fault; `launched` is what `enqueue` returned.
TILEWRIGHT_API void wait(Event launched, Location where);
/// The current stream of the device that the launch's tensors lie on.
[[nodiscard]] TILEWRIGHT_API StreamRef stream_of(const LaunchHandle& launch, Location where);

}  // namespace detail
}  // namespace tw::inline v0
