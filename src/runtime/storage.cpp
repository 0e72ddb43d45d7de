// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <mutex>
#include <new>
#include <utility>

#include <fmt/format.h>

#include <tilewright/core/error.hpp>
#include <tilewright/runtime/loan.hpp>
#include <tilewright/runtime/storage.hpp>

#include "runtime/borrowed_ranges.hpp"
#include "runtime/cpu/host_memory.hpp"
#include "runtime/cuda/device_storage.hpp"
#include "runtime/frozen_part.hpp"
#include "runtime/ledger_lock.hpp"

namespace tw::inline v0::runtime {

/// A storage at the front of the block that holds its data.
class OwnedStorage final : public Storage {
 public:
  static OwnedStorage* make(Device device, std::size_t bytes) noexcept {
    if (bytes > address_space) return nullptr;
    void* block = allocate_host_memory(header_bytes() + bytes);
    if (block == nullptr) return nullptr;
    return ::new (block)
        OwnedStorage(static_cast<std::byte*>(block) + header_bytes(), bytes, device);
  }

  void destroy() noexcept {
    const std::size_t block_bytes = header_bytes() + bytes();
    this->~OwnedStorage();
    release_host_memory(this, block_bytes);
  }

 private:
  static constexpr std::size_t address_space = std::size_t{1} << 48;

  using Storage::Storage;

  // The data begin at the next multiple of the alignment.
  static constexpr std::size_t header_bytes() noexcept {
    return (sizeof(OwnedStorage) + alignment - 1) / alignment * alignment;
  }
};

/// A storage in the memory of somebody else.
class BorrowedStorage final : public Storage {
 public:
  BorrowedStorage(detail::Loan loan, Location where)
      : Storage(static_cast<std::byte*>(loan.address), loan.bytes, loan.device),
        give_back_(std::move(loan.give_back)) {
    borrowed_ = true;
    scoped_ = loan.scoped;
    read_only_ = loan.read_only;
    borrowed_at_ = where;
    set_written();
    enter_borrowed_range(detail::memory_of(*this), bytes(), loan.read_only, where);
  }
  ~BorrowedStorage() {
    leave_register();
    if (give_back_) give_back_();
  }

  void leave_register() noexcept {
    if (std::exchange(registered_, false)) leave_borrowed_range(detail::memory_of(*this), bytes());
  }

 private:
  bool registered_ = true;
  std::function<void()> give_back_;
};

StorageRef Storage::allocate(Device device, std::size_t bytes, Location where) {
  if (device != Device::cpu()) return StorageRef(cuda::make_storage(device, bytes, where));
  Storage* storage = OwnedStorage::make(device, bytes);
  if (storage == nullptr) {
    throw DeviceError(fmt::format("{} has no {} bytes of memory left", device.name(), bytes),
                      where);
  }
  return StorageRef(storage);
}

StorageRef Storage::borrow(detail::Loan loan, Location where) {
  if (loan.address == nullptr && loan.bytes != 0) {
    throw LaunchError("the memory to borrow is at a null pointer", where);
  }
  return StorageRef(new BorrowedStorage(std::move(loan), where));
}

void Storage::freeze(const Layout& part, Location where) {
  auto frozen = std::make_unique<FrozenPart>(FrozenPart{geometry_of(*this, part), where, nullptr});
  const std::scoped_lock lock(ledger_mutex());
  frozen->earlier = frozen_.load(std::memory_order_relaxed);
  frozen_.store(frozen.release(), std::memory_order_release);
}

// What is recorded before is waited for, and what comes later is refused.
void Storage::end_scope() noexcept {
  {
    const std::scoped_lock lock(ledger_mutex());
    ended_.store(true, std::memory_order_relaxed);
  }
  ledger_.wait_until_idle();
  static_cast<BorrowedStorage*>(this)->leave_register();
}

void Storage::destroy() noexcept {
  for (const FrozenPart* part = frozen_.load(std::memory_order_acquire); part != nullptr;) {
    delete std::exchange(part, part->earlier);
  }
  if (borrowed_) {
    delete static_cast<BorrowedStorage*>(this);
  } else if (device_ != Device::cpu()) {
    cuda::destroy_storage(this);
  } else {
    static_cast<OwnedStorage*>(this)->destroy();
  }
}

}  // namespace tw::inline v0::runtime
