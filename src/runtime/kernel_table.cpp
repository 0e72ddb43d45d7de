// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <mutex>

#include <tilewright/core/os.hpp>
#include <tilewright/runtime/kernel_table.hpp>

#include "runtime/specialised.hpp"

namespace tw::inline v0::detail {
namespace {

/// Held while a table changes. Tables change rarely and only on the way to a compilation.
os::ProcessMutex& change() {
  static auto* mutex = new os::ProcessMutex;
  return *mutex;
}
const os::MadeBeforeForks<change> made;

bool has_key(const Specialised& specialised, std::span<const std::uint64_t> key) noexcept {
  return std::ranges::equal(specialised.key(), key);
}

}  // namespace

/// An open-addressing hash table that is at most half full. A table that grows gets new slots; the
/// old ones stay for readers that still walk them.
struct KernelTable::Slots {
  explicit Slots(std::size_t count)
      : mask(count - 1), entries(std::make_unique<std::atomic<Specialised*>[]>(count)) {}

  [[nodiscard]] Specialised* find(std::span<const std::uint64_t> key,
                                  std::uint64_t hash) const noexcept {
    for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
      Specialised* entry = entries[i].load(std::memory_order_acquire);
      if (entry == nullptr || (entry->hash() == hash && has_key(*entry, key))) return entry;
    }
  }
  void insert(Specialised& entry) noexcept {
    std::size_t i = entry.hash() & mask;
    while (entries[i].load(std::memory_order_relaxed) != nullptr) i = (i + 1) & mask;
    entries[i].store(&entry, std::memory_order_release);
    ++used;
  }
  [[nodiscard]] bool full() const noexcept { return 2 * (used + 1) > mask + 1; }

  std::size_t mask;
  std::size_t used = 0;
  const Slots* outgrown = nullptr;  ///< the table before this one, in which others may still look
  std::unique_ptr<std::atomic<Specialised*>[]> entries;
};

Specialised* KernelTable::find(std::span<const std::uint64_t> key) noexcept {
  Specialised* last = last_.load(std::memory_order_acquire);
  if (last != nullptr && has_key(*last, key)) return last;
  const Slots* slots = slots_.load(std::memory_order_acquire);
  if (slots == nullptr) return nullptr;
  Specialised* found = slots->find(key, hash_of(key));
  if (found != nullptr) last_.store(found, std::memory_order_release);
  return found;
}

std::uint64_t KernelTable::serial() noexcept {
  static std::atomic<std::uint64_t> last{0};
  std::uint64_t serial = serial_.load(std::memory_order_relaxed);
  if (serial != 0) return serial;
  const std::uint64_t fresh = last.fetch_add(1, std::memory_order_relaxed) + 1;
  return serial_.compare_exchange_strong(serial, fresh, std::memory_order_relaxed) ? fresh : serial;
}

Specialised& KernelTable::add(std::unique_ptr<Specialised> specialised) {
  const std::lock_guard lock(change());
  Slots* slots = slots_.load(std::memory_order_relaxed);
  if (slots != nullptr) {
    if (Specialised* other = slots->find(specialised->key(), specialised->hash())) return *other;
  }
  if (slots == nullptr || slots->full()) {
    auto grown = std::make_unique<Slots>(slots == nullptr ? 8 : 2 * (slots->mask + 1));
    for (Specialised* entry = newest_; entry != nullptr; entry = entry->older()) {
      grown->insert(*entry);
    }
    grown->outgrown = slots;
    slots = grown.release();
    slots_.store(slots, std::memory_order_release);
  }
  Specialised& entry = *specialised.release();
  entry.chain(newest_);
  newest_ = &entry;
  slots->insert(entry);
  return entry;
}

std::vector<Specialised*> KernelTable::all() const {
  const std::lock_guard lock(change());
  std::vector<Specialised*> result;
  for (Specialised* entry = newest_; entry != nullptr; entry = entry->older()) {
    result.push_back(entry);
  }
  std::ranges::reverse(result);
  return result;
}

std::uint64_t hash_of(std::span<const std::uint64_t> words) noexcept {
  std::uint64_t hash = 0x9e3779b97f4a7c15u * (words.size() + 1);
  for (const std::uint64_t word : words) {
    hash = (hash ^ word) * 0x9fb21c651e98df25u;
    hash ^= hash >> 32;
  }
  return hash;
}

}  // namespace tw::inline v0::detail
