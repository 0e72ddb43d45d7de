// SPDX-License-Identifier: Apache-2.0
#include <exception>
#include <new>
#include <utility>

#include <fmt/format.h>

#include <tilewright/core/error.hpp>
#include <tilewright/runtime/event.hpp>
#include <tilewright/runtime/loan.hpp>
#include <tilewright/runtime/storage.hpp>

#include "runtime/borrowed_ranges.hpp"
#include "runtime/cpu/host_memory.hpp"

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
  BorrowedStorage(Loan loan, Location where)
      : Storage(static_cast<std::byte*>(loan.address), loan.bytes, loan.device),
        give_back_(std::move(loan.give_back)) {
    borrowed_ = true;
    scoped_ = loan.scoped;
    set_written();
    if (loan.read_only) set_read_only();
    enter_borrowed_range(data(), bytes(), loan.read_only, where);
  }
  ~BorrowedStorage() {
    leave_borrowed_range(data(), bytes());
    if (give_back_) give_back_();
  }

 private:
  std::function<void()> give_back_;
};

StorageRef Storage::allocate(Device device, std::size_t bytes, Location where) {
  Storage* storage = OwnedStorage::make(device, bytes);
  if (storage == nullptr) {
    throw DeviceError(fmt::format("{} has no {} bytes of memory left", device.name(), bytes),
                      where);
  }
  return StorageRef(storage);
}

StorageRef Storage::borrow(Loan loan, Location where) {
  if (loan.address == nullptr && loan.bytes != 0) {
    throw LaunchError("the memory to borrow is at a null pointer", where);
  }
  return StorageRef(new BorrowedStorage(std::move(loan), where));
}

void Storage::wait_for_writers(Location where) {
  Event(ledger_.last_write()).wait(where);
  if (auto error = faults_.collect_first()) std::rethrow_exception(error);
}

void Storage::leave_scope() noexcept {
  if (handles_.fetch_sub(1, std::memory_order_acq_rel) == 1) ledger_.wait_until_idle();
}

void Storage::destroy() noexcept {
  if (borrowed_) {
    delete static_cast<BorrowedStorage*>(this);
  } else {
    static_cast<OwnedStorage*>(this)->destroy();
  }
}

}  // namespace tw::inline v0::runtime
