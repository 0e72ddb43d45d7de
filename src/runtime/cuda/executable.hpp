// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include <tilewright/backend/backend.hpp>
#include <tilewright/core/export.hpp>

namespace tw::inline v0::runtime::cuda {

/// What an assembler makes of a kernel: code as the driver loads it, and the name of its entry.
struct DeviceCode {
  std::vector<std::byte> image;  ///< a cubin
  std::string entry;
};

/// Makes code for a GPU of a verified kernel. Throws CompilerError.
using Assembler = std::function<DeviceCode(const ir::Kernel& kernel, const backend::Target& target,
                                           const backend::Options& options)>;

/// Code that the driver has loaded.
struct LoadedCode;

/// A kernel for GPUs. The driver loads its code at the first launch.
class TILEWRIGHT_API Executable final : public backend::Executable {
 public:
  Executable(const ir::Kernel& kernel, DeviceCode code)
      : backend::Executable(kernel), code_(std::move(code)) {}

  [[nodiscard]] std::size_t byte_size() const noexcept override { return code_.image.size(); }

  /// Hands one launch to the stream, whose context is current. Throws DeviceError.
  void enqueue(backend::Queue queue, const backend::Grid& grid,
               std::span<const std::uint64_t> arguments) const override;

 private:
  [[nodiscard]] const LoadedCode& loaded() const;

  DeviceCode code_;
  mutable std::mutex loading_;
  mutable std::atomic<const LoadedCode*> loaded_ = nullptr;
  mutable std::atomic<std::uint64_t> loaded_in_ = 0;  ///< the session
};

/// The backend that makes code for GPUs.
[[nodiscard]] TILEWRIGHT_API backend::Backend& gpu_backend() noexcept;

/// Has `gpu_backend` use this assembler from now on; an empty one stands for the process's own. For
/// tests, with no other thread in the library.
TILEWRIGHT_API void replace_assembler(Assembler assembler);

/// Gives all loaded code back to the driver.
void release_code() noexcept;

}  // namespace tw::inline v0::runtime::cuda
