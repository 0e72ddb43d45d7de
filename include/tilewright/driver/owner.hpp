// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include <tilewright/core/export.hpp>
#include <tilewright/core/location.hpp>
#include <tilewright/driver/table.hpp>
#include <tilewright/driver/types.hpp>

namespace tw::inline v0::driver {

/// Makes a context current for the calling thread until it goes out of scope; then the thread has
/// the context back that it had.
class TILEWRIGHT_API CurrentContext {
 public:
  CurrentContext(const Table& table, ContextHandle context, Location where = Location::current());
  CurrentContext(const CurrentContext&) = delete;
  CurrentContext& operator=(const CurrentContext&) = delete;
  ~CurrentContext();

 private:
  const Table* table_;
};

/// A share of a device's primary context, which lives while anyone in the process holds one.
class TILEWRIGHT_API PrimaryContext {
 public:
  PrimaryContext(const Table& table, DeviceNumber device, Location where = Location::current());
  PrimaryContext(PrimaryContext&& other) noexcept
      : table_(std::exchange(other.table_, nullptr)),
        device_(other.device_),
        context_(other.context_) {}
  PrimaryContext& operator=(PrimaryContext&& other) noexcept {
    std::swap(table_, other.table_);
    std::swap(device_, other.device_);
    std::swap(context_, other.context_);
    return *this;
  }
  ~PrimaryContext();

  [[nodiscard]] const Table& table() const { return *table_; }
  [[nodiscard]] ContextHandle get() const { return context_; }
  [[nodiscard]] DeviceNumber device() const { return device_; }

 private:
  const Table* table_;
  DeviceNumber device_;
  ContextHandle context_ = nullptr;
};

/// What a destructor that gives things back to the driver does: it makes their context current if
/// that is possible, and sends what the driver says against it to the log.
class TILEWRIGHT_API ReleaseScope {
 public:
  ReleaseScope(const Table& table, ContextHandle context) noexcept;
  ReleaseScope(const ReleaseScope&) = delete;
  ReleaseScope& operator=(const ReleaseScope&) = delete;
  ~ReleaseScope();

  /// Takes what a call came to. A thing whose release reports an error is gone all the same.
  void report(const char* call, Result result) const noexcept;

 private:
  const Table* table_;
  bool is_current_;
};

/// The one owner of a thing that the driver made in a context, which must live longer. It may be
/// destroyed on any thread.
template <class Handle, Function<Handle> Table::* destroy>
class Owner {
 public:
  Owner() = default;
  Owner(const PrimaryContext& context, Handle handle)
      : table_(&context.table()), context_(context.get()), handle_(handle) {}
  Owner(Owner&& other) noexcept
      : table_(other.table_),
        context_(other.context_),
        handle_(std::exchange(other.handle_, Handle{})) {}
  Owner& operator=(Owner&& other) noexcept {
    std::swap(table_, other.table_);
    std::swap(context_, other.context_);
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Owner() {
    if (handle_ == Handle{}) return;
    const ReleaseScope scope(*table_, context_);
    const auto& release = table_->*destroy;
    scope.report(release.name(), release.attempt(handle_));
  }

  [[nodiscard]] Handle get() const { return handle_; }

 private:
  const Table* table_ = nullptr;
  ContextHandle context_ = nullptr;
  Handle handle_{};
};

using Stream = Owner<StreamHandle, &Table::stream_destroy>;
using Event = Owner<EventHandle, &Table::event_destroy>;
using MemoryPool = Owner<PoolHandle, &Table::mem_pool_destroy>;
using Module = Owner<ModuleHandle, &Table::module_unload>;
using DeviceMemory = Owner<DevicePointer, &Table::mem_free>;
using PinnedMemory = Owner<void*, &Table::mem_free_host>;

/// A stream that runs beside all others.
[[nodiscard]] TILEWRIGHT_API Stream make_stream(const PrimaryContext& context,
                                                Location where = Location::current());
/// An event; `flags` is timed_event or untimed_event.
[[nodiscard]] TILEWRIGHT_API Event make_event(const PrimaryContext& context, unsigned flags,
                                              Location where = Location::current());
/// A pool of the context's device that keeps up to `kept_bytes` which nobody uses.
[[nodiscard]] TILEWRIGHT_API MemoryPool make_memory_pool(const PrimaryContext& context,
                                                         std::uint64_t kept_bytes,
                                                         Location where = Location::current());
/// The code in a cubin.
[[nodiscard]] TILEWRIGHT_API Module load_module(const PrimaryContext& context, const void* image,
                                                Location where = Location::current());
/// Memory of the device that is ready at once, outside of all streams.
[[nodiscard]] TILEWRIGHT_API DeviceMemory allocate(const PrimaryContext& context, std::size_t bytes,
                                                   Location where = Location::current());
/// Memory of the host that the device addresses and copies without staging.
[[nodiscard]] TILEWRIGHT_API PinnedMemory allocate_pinned(const PrimaryContext& context,
                                                          std::size_t bytes,
                                                          Location where = Location::current());

}  // namespace tw::inline v0::driver
