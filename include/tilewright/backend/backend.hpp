// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <tilewright/core/export.hpp>
#include <tilewright/ir/kernel.hpp>

/// The seam between the runtime and what generates and runs code for a kind of device.
namespace tw::inline v0::backend {

/// What code is generated for: the CPU that this program runs on, or an architecture of a GPU.
struct Target {
  std::int32_t sm = 0;  ///< 90 for sm_90; 0 for the CPU
  [[nodiscard]] bool is_cpu() const noexcept { return sm == 0; }
  bool operator==(const Target&) const = default;
};

struct Options {
  std::int32_t optimization_level = 3;  ///< 0 to 3
  bool operator==(const Options&) const = default;
};

/// The numbers of blocks along x, y and z.
struct Grid {
  std::uint32_t x = 1;
  std::uint32_t y = 1;
  std::uint32_t z = 1;
};

/// Where a launch takes its turn: the driver's handle of a GPU's stream (CUstream). On the CPU it
/// is null, because there the runtime waits for the turn of a launch before it enqueues it.
struct Queue {
  void* native = nullptr;
};

/// A compiled kernel. Immutable; any number of threads may enqueue it at once.
class TILEWRIGHT_API Executable {
 public:
  virtual ~Executable();
  Executable(const Executable&) = delete;
  Executable& operator=(const Executable&) = delete;

  /// The name of the entry, for profilers and messages.
  [[nodiscard]] const std::string& entry() const noexcept { return entry_; }
  /// What each argument carries, in order.
  [[nodiscard]] const std::vector<ir::AbiSlot>& parameters() const noexcept { return parameters_; }
  /// What the `site` of a fault record refers to, with the file and line of each.
  [[nodiscard]] const std::vector<ir::Site>& sites() const noexcept { return sites_; }
  [[nodiscard]] const ir::SourcePlace& place(const ir::Site& site) const {
    return locations_[site.location];
  }
  /// The memory that the code takes.
  [[nodiscard]] virtual std::size_t byte_size() const noexcept = 0;

  /// Lines up one launch; on the CPU, runs all its blocks before it returns. `arguments` holds one
  /// word for each parameter, the value in its low bytes, and is not needed any more after the
  /// call.
  virtual void enqueue(Queue queue, const Grid& grid,
                       std::span<const std::uint64_t> arguments) const = 0;

 protected:
  /// Takes the tables of `kernel` over.
  explicit Executable(const ir::Kernel& kernel);

 private:
  std::string entry_;
  std::vector<ir::AbiSlot> parameters_;
  std::vector<ir::Site> sites_;
  ir::LocationTable locations_;
};

/// A way to turn kernels into something that runs. Thread-safe.
class TILEWRIGHT_API Backend {
 public:
  virtual ~Backend();
  /// "interpreter", for messages and reports.
  [[nodiscard]] virtual const char* name() const noexcept = 0;
  /// Compiles a verified kernel. Throws CompilerError when the code generator refuses it.
  [[nodiscard]] virtual std::shared_ptr<const Executable> compile(const ir::Kernel& kernel,
                                                                  const Target& target,
                                                                  const Options& options) = 0;
};

/// The backend that generates code for `target`. Throws CompilerError when there is none.
[[nodiscard]] TILEWRIGHT_API Backend& backend_for(const Target& target,
                                                  Location where = Location::current());

}  // namespace tw::inline v0::backend
