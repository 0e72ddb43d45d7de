// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tilewright/core/error.hpp>
#include <tilewright/core/os_library.hpp>
#include <tilewright/driver/table.hpp>

namespace tw::inline v0::driver {
namespace {

/// The version of CUDA in which the youngest function of the table appeared.
constexpr const char* oldest_cuda = "12.0";
constexpr const char* oldest_driver = "525.60";

/// The symbols of a library.
class LibrarySymbols final : public Symbols {
 public:
  explicit LibrarySymbols(os::Library library) : library_(library) {}
  [[nodiscard]] void* find(const std::string& name) const noexcept override {
    return library_.find(name);
  }

 private:
  os::Library library_;
};

std::string cuda_version(int version) {
  return fmt::format("CUDA {}.{}", version / 1000, version % 1000 / 10);
}

std::atomic<const Table*>& replacement() {
  static std::atomic<const Table*> table = nullptr;
  return table;
}

}  // namespace

Table::Table(const Symbols& symbols, Location where) : symbols_(&symbols) {
  symbols_ = nullptr;
  if (missing_.empty()) return;
  int number = 0;
  const void* can_tell = symbols.find(driver_get_version.name());
  const bool known = can_tell != nullptr && driver_get_version.attempt(&number) == Result::success;
  throw DeviceError(
      fmt::format("the NVIDIA driver{} is too old: it lacks {}; install one for CUDA {} or later "
                  "({} or later on Linux)",
                  known ? fmt::format(" ({})", cuda_version(number)) : "",
                  fmt::join(missing_, ", "), oldest_cuda, oldest_driver),
      where);
}

void* Table::bind(const char* name, const char* version) {
  void* address = symbols_->find(fmt::format("{}{}", name, version));
  if (address == nullptr) missing_.emplace_back(name);
  return address;
}

int Table::version(Location where) const {
  int number = 0;
  driver_get_version(where, &number);
  return number;
}

void Table::fail(const char* name, Result result, Location where) const {
  Name code = nullptr;
  Name meaning = nullptr;
  if (get_error_name.attempt(result, &code) != Result::success || code == nullptr) {
    throw DeviceError(fmt::format("{} failed: CUDA error {}", name, static_cast<int>(result)),
                      where);
  }
  const bool explained =
      get_error_string.attempt(result, &meaning) == Result::success && meaning != nullptr;
  throw DeviceError(
      fmt::format("{} failed: {}{}", name, code, explained ? fmt::format(" ({})", meaning) : ""),
      where);
}

std::unique_ptr<const Table> load(const std::string& library, Location where) {
  const os::LoadedLibrary loaded = os::load_library(library);
  if (!loaded.library) {
    throw DeviceError(
        fmt::format("no NVIDIA driver was found ({}); install it, or give the container its GPUs "
                    "(docker run --gpus all)",
                    loaded.problem),
        where);
  }
  auto table = std::make_unique<const Table>(LibrarySymbols(*loaded.library), where);
  table->init(where, 0);
  return table;
}

const Table& table(Location where) {
  if (const Table* replaced = replacement().load()) return *replaced;
  static const Table& own = *load("libcuda.so.1", where).release();
  return own;
}

const Table* replace_table(const Table* table) noexcept { return replacement().exchange(table); }

}  // namespace tw::inline v0::driver
