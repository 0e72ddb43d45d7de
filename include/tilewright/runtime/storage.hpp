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

namespace tw::inline v0 {
namespace runtime {
class Storage;
}

namespace detail {

struct Loan;

/// The memory behind a storage. Only the library asks for it; programs write `unsafe::address`.
[[nodiscard]] std::byte* memory_of(const runtime::Storage& storage) noexcept;

}  // namespace detail

namespace runtime {

class StorageRef;

struct FrozenPart;
struct Layout;

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
  [[nodiscard]] static StorageRef borrow(detail::Loan loan, Location where);

  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;

  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
  [[nodiscard]] Device device() const noexcept { return device_; }
  [[nodiscard]] bool borrowed() const noexcept { return borrowed_; }
  /// Whether it was borrowed for reading only.
  [[nodiscard]] bool read_only() const noexcept { return read_only_; }
  /// The parts that nobody may write any more, the latest first; null when there is none.
  [[nodiscard]] const FrozenPart* frozen() const noexcept {
    return frozen_.load(std::memory_order_acquire);
  }
  /// Refuses all writes of the elements of `part` that are not recorded in the ledger yet.
  TILEWRIGHT_API void freeze(const Layout& part, Location where);
  /// Whether it was borrowed for a scope that has ended: then nobody may use it any more.
  [[nodiscard]] bool ended() const noexcept { return ended_.load(std::memory_order_relaxed); }
  /// Where it was borrowed.
  [[nodiscard]] Location borrowed_at() const noexcept { return borrowed_at_; }

  /// Whether somebody has written some part of it, or has enqueued work that will: a test for
  /// memory that was forgotten altogether. Reads of parts that nobody wrote are for the sanitizer.
  [[nodiscard]] bool written() const noexcept { return written_.load(std::memory_order_relaxed); }
  void set_written() noexcept { written_.store(true, std::memory_order_relaxed); }

  [[nodiscard]] Ledger& ledger() noexcept { return ledger_; }
  [[nodiscard]] const Ledger& ledger() const noexcept { return ledger_; }

  /// The faults of its writers, for whoever reads it.
  [[nodiscard]] FaultList& faults() noexcept { return faults_; }

 protected:
  Storage(std::byte* data, std::size_t bytes, Device device) noexcept
      : data_(data), bytes_(bytes), device_(device) {}
  ~Storage() = default;

  bool borrowed_ = false;
  bool scoped_ = false;
  bool read_only_ = false;
  Location borrowed_at_;

 private:
  friend class StorageRef;
  friend class Lease;
  friend std::byte* detail::memory_of(const Storage& storage) noexcept;

  void hold() noexcept { holds_.fetch_add(1, std::memory_order_relaxed); }
  void release() noexcept {
    if (holds_.fetch_sub(1, std::memory_order_acq_rel) == 1) destroy();
  }
  void add_owner() noexcept {
    if (scoped_) owners_.fetch_add(1, std::memory_order_relaxed);
  }
  void drop_owner() noexcept {
    if (scoped_ && owners_.fetch_sub(1, std::memory_order_acq_rel) == 1) end_scope();
  }
  void end_scope() noexcept;
  void destroy() noexcept;

  std::byte* data_;
  std::size_t bytes_;
  Device device_;
  std::atomic<bool> written_ = false;
  std::atomic<bool> ended_ = false;
  std::atomic<const FrozenPart*> frozen_ = nullptr;
  std::atomic<std::uint32_t> holds_ = 0;
  std::atomic<std::uint32_t> owners_ = 0;  ///< counted for scoped loans only
  Ledger ledger_;
  FaultList faults_;
};

/// A counted handle on a storage: what tensors, views, loans and pending launches keep.
///
/// The first handle is its owner's. Moving a handle passes that on, a copy is a guest's. When the
/// last owner of memory that was borrowed for a scope is gone, guests are of no use any more.
class StorageRef {
 public:
  StorageRef() noexcept = default;
  StorageRef(const StorageRef& other) noexcept : storage_(other.storage_) {
    if (storage_ != nullptr) storage_->hold();
  }
  StorageRef(StorageRef&& other) noexcept
      : storage_(std::exchange(other.storage_, nullptr)), owns_(other.owns_) {}
  /// An owner's handle stays one when it is assigned a guest's of the same storage.
  StorageRef& operator=(StorageRef other) noexcept {
    if (storage_ == other.storage_ && owns_) return *this;
    std::swap(storage_, other.storage_);
    std::swap(owns_, other.owns_);
    return *this;
  }
  ~StorageRef() {
    if (storage_ == nullptr) return;
    if (owns_) storage_->drop_owner();
    storage_->release();
  }

  /// A further handle of the same kind, for tensors that are taken apart.
  [[nodiscard]] StorageRef twin() const noexcept {
    StorageRef other(*this);
    other.owns_ = owns_;
    if (storage_ != nullptr && owns_) storage_->add_owner();
    return other;
  }
  /// A handle that owns what this one did; this one stays as a guest's.
  [[nodiscard]] StorageRef pass_on() noexcept {
    StorageRef other(*this);
    other.owns_ = std::exchange(owns_, false);
    return other;
  }

  [[nodiscard]] Storage* get() const noexcept { return storage_; }
  Storage& operator*() const noexcept { return *storage_; }
  Storage* operator->() const noexcept { return storage_; }
  explicit operator bool() const noexcept { return storage_ != nullptr; }
  friend bool operator==(const StorageRef& a, const StorageRef& b) noexcept {
    return a.storage_ == b.storage_;
  }

 private:
  friend class Lease;
  friend class Storage;

  /// The first handle.
  explicit StorageRef(Storage* storage) noexcept : storage_(storage), owns_(true) {
    storage_->hold();
    storage_->add_owner();
  }

  Storage* storage_ = nullptr;
  bool owns_ = false;
};

/// A counted hold on a storage for work in flight: part of the command that uses it.
class Lease {
 public:
  Lease() noexcept = default;
  explicit Lease(const StorageRef& storage) noexcept : storage_(storage.get()) {
    if (storage_ != nullptr) storage_->hold();
  }
  /// Takes over the hold of a handle, so that the counts need no change. Of a scoped loan, whose
  /// owners count apart, the handle stays as it is.
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

}  // namespace runtime

inline std::byte* detail::memory_of(const runtime::Storage& storage) noexcept {
  return storage.data_;
}

}  // namespace tw::inline v0
