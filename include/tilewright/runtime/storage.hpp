// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <tilewright/core/export.hpp>
#include <tilewright/core/location.hpp>
#include <tilewright/runtime/device.hpp>
#include <tilewright/runtime/fault_list.hpp>
#include <tilewright/runtime/ledger.hpp>

namespace tw::inline v0::runtime {

class StorageRef;

struct Loan;

/// A piece of device memory, aligned to 64 bytes when the library allocated it. It lasts until the
/// last handle (StorageRef) and the last lease (Lease) are gone, so work in flight never loses it
/// and dropping a handle does not wait.
class TILEWRIGHT_API Storage {
 public:
  static constexpr std::size_t alignment = 64;

  /// Memory of unspecified contents. Throws DeviceError when there is too little.
  [[nodiscard]] static StorageRef allocate(Device device, std::size_t bytes, Location where);
  /// Memory of somebody else. Throws LaunchError when it overlaps other borrowed memory, unless
  /// both are read-only.
  [[nodiscard]] static StorageRef borrow(Loan loan, Location where);

  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;

  [[nodiscard]] std::byte* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
  [[nodiscard]] Device device() const noexcept { return device_; }
  [[nodiscard]] bool borrowed() const noexcept { return borrowed_; }
  /// Whether nobody may write it any more.
  [[nodiscard]] bool read_only() const noexcept {
    return read_only_.load(std::memory_order_relaxed);
  }
  void set_read_only() noexcept { read_only_.store(true, std::memory_order_relaxed); }

  /// Whether somebody has written it, or has enqueued work that will.
  [[nodiscard]] bool written() const noexcept { return written_.load(std::memory_order_relaxed); }
  void set_written() noexcept { written_.store(true, std::memory_order_relaxed); }

  [[nodiscard]] Ledger& ledger() noexcept { return ledger_; }
  [[nodiscard]] const Ledger& ledger() const noexcept { return ledger_; }

  /// Blocks until the last write has run; throws the first fault of a writer that nobody has
  /// collected yet.
  void wait_for_writers(Location where);
  /// The faults of its writers, for whoever reads it.
  [[nodiscard]] FaultList& faults() noexcept { return faults_; }

 protected:
  Storage(std::byte* data, std::size_t bytes, Device device) noexcept
      : data_(data), bytes_(bytes), device_(device) {}
  ~Storage() = default;

  bool borrowed_ = false;
  bool scoped_ = false;

 private:
  friend class StorageRef;
  friend class Lease;

  void hold() noexcept { holds_.fetch_add(1, std::memory_order_relaxed); }
  void release() noexcept {
    if (holds_.fetch_sub(1, std::memory_order_acq_rel) == 1) destroy();
  }
  void add_handle() noexcept {
    hold();
    if (scoped_) handles_.fetch_add(1, std::memory_order_relaxed);
  }
  void drop_handle() noexcept {
    if (scoped_) leave_scope();
    release();
  }
  void leave_scope() noexcept;
  void destroy() noexcept;

  std::byte* data_;
  std::size_t bytes_;
  Device device_;
  std::atomic<bool> written_ = false;
  std::atomic<bool> read_only_ = false;
  std::atomic<std::uint32_t> holds_ = 0;
  std::atomic<std::uint32_t> handles_ = 0;  ///< counted for scoped loans only
  Ledger ledger_;
  FaultList faults_;
};

/// A counted handle on a storage: what tensors, views, loans and pending launches keep.
class StorageRef {
 public:
  StorageRef() noexcept = default;
  explicit StorageRef(Storage* storage) noexcept : storage_(storage) {
    if (storage_ != nullptr) storage_->add_handle();
  }
  StorageRef(const StorageRef& other) noexcept : StorageRef(other.storage_) {}
  StorageRef(StorageRef&& other) noexcept : storage_(std::exchange(other.storage_, nullptr)) {}
  StorageRef& operator=(StorageRef other) noexcept {
    std::swap(storage_, other.storage_);
    return *this;
  }
  ~StorageRef() {
    if (storage_ != nullptr) storage_->drop_handle();
  }

  [[nodiscard]] Storage* get() const noexcept { return storage_; }
  Storage& operator*() const noexcept { return *storage_; }
  Storage* operator->() const noexcept { return storage_; }
  explicit operator bool() const noexcept { return storage_ != nullptr; }
  friend class Lease;
  friend bool operator==(const StorageRef&, const StorageRef&) noexcept = default;

 private:
  Storage* storage_ = nullptr;
};

/// A counted hold on a storage for work in flight: part of the command that uses it.
class Lease {
 public:
  Lease() noexcept = default;
  explicit Lease(const StorageRef& storage) noexcept : storage_(storage.get()) {
    if (storage_ != nullptr) storage_->hold();
  }
  /// Takes over the hold of a handle, so that the counts need no change. Of a scoped loan, whose
  /// handles count apart, the handle stays as it is.
  [[nodiscard]] static Lease from(StorageRef& handle) noexcept {
    Lease lease;
    if (handle && handle->scoped_) {
      lease = Lease(handle);
    } else {
      lease.storage_ = std::exchange(handle.storage_, nullptr);
    }
    return lease;
  }
  Lease(const Lease& other) noexcept : storage_(other.storage_) {
    if (storage_ != nullptr) storage_->hold();
  }
  Lease(Lease&& other) noexcept : storage_(std::exchange(other.storage_, nullptr)) {}
  Lease& operator=(Lease other) noexcept {
    std::swap(storage_, other.storage_);
    return *this;
  }
  ~Lease() {
    if (storage_ != nullptr) storage_->release();
  }

  [[nodiscard]] Storage* get() const noexcept { return storage_; }
  Storage& operator*() const noexcept { return *storage_; }
  Storage* operator->() const noexcept { return storage_; }
  explicit operator bool() const noexcept { return storage_ != nullptr; }

 private:
  Storage* storage_ = nullptr;
};

}  // namespace tw::inline v0::runtime
