// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/executable.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <tilewright/core/error.hpp>
#include <tilewright/core/os.hpp>
#include <tilewright/driver/table.hpp>

#include "runtime/cuda/gpu.hpp"
#include "runtime/few.hpp"

namespace tw::inline v0::runtime::cuda {

/// A library of the driver's, which it loads into each context that uses it.
struct LoadedCode {
  LoadedCode(const driver::Table& driver, const DeviceCode& code) : table(driver) {
    table.library_load_data({}, &library, code.image.data(), nullptr, nullptr, 0, nullptr, nullptr,
                            0);
    try {
      table.library_get_kernel({}, &kernel, library, code.entry.c_str());
    } catch (...) {
      static_cast<void>(table.library_unload.attempt(library));
      throw;
    }
  }
  LoadedCode(const LoadedCode&) = delete;
  LoadedCode& operator=(const LoadedCode&) = delete;
  ~LoadedCode() { static_cast<void>(table.library_unload.attempt(library)); }

  const driver::Table& table;
  driver::LibraryHandle library = nullptr;
  driver::KernelHandle kernel = nullptr;
};

namespace {

/// All loaded code. Never destroyed, since threads outlive static objects.
struct CodeInUse {
  std::mutex mutex;
  std::vector<std::unique_ptr<const LoadedCode>> code;
};

CodeInUse& code_in_use() {
  static CodeInUse& all = *new CodeInUse;
  return all;
}
const os::MadeBeforeForks<code_in_use> code_made;

}  // namespace

// Code of an earlier session is gone.
const LoadedCode& Executable::loaded() const {
  const auto ready = [&] { return loaded_in_.load(std::memory_order_acquire) == session(); };
  if (ready()) return *loaded_.load(std::memory_order_relaxed);
  const std::scoped_lock loading(loading_);
  if (ready()) return *loaded_.load(std::memory_order_relaxed);
  auto code = std::make_unique<const LoadedCode>(driver::table(), code_);
  loaded_.store(code.get(), std::memory_order_relaxed);
  {
    const std::scoped_lock lock(code_in_use().mutex);
    code_in_use().code.push_back(std::move(code));
  }
  loaded_in_.store(session(), std::memory_order_release);
  return *loaded_.load(std::memory_order_relaxed);
}

// A kernel of a library may stand for the function of any context.
void Executable::enqueue(backend::Queue queue, const backend::Grid& grid,
                         std::span<const std::uint64_t> arguments) const {
  const LoadedCode& code = loaded();
  detail::Few<void*, 32> parameters(arguments.size());
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    parameters[i] = const_cast<std::uint64_t*>(&arguments[i]);
  }
  const driver::LaunchConfig config{.grid = {grid.x, grid.y, grid.z},
                                    .stream = static_cast<driver::StreamHandle>(queue.native)};
  code.table.launch_kernel({}, &config, reinterpret_cast<driver::FunctionHandle>(code.kernel),
                           parameters.span().data(), nullptr);
}

void release_code() noexcept { code_in_use().code.clear(); }

}  // namespace tw::inline v0::runtime::cuda
