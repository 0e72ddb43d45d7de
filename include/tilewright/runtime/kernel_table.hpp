// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <tilewright/core/export.hpp>

namespace tw::inline v0::detail {

class Specialised;

/// The specialisations of one kernel by their keys. Looking one up takes no lock; what is in the
/// table stays where it is until the process ends. Needs no construction, so that it may be a
/// global of any program.
class TILEWRIGHT_API KernelTable {
 public:
  constexpr KernelTable() noexcept = default;
  KernelTable(const KernelTable&) = delete;
  KernelTable& operator=(const KernelTable&) = delete;

  /// The specialisation with this key, or null.
  [[nodiscard]] Specialised* find(std::span<const std::uint64_t> key) noexcept;
  /// Takes a specialisation in and returns it, or the equal one that another thread took in before.
  Specialised& add(std::unique_ptr<Specialised> specialised);
  /// Tells this table from all others that the process ever had, also from one that stood at the
  /// same address in a library that was unloaded; never zero.
  [[nodiscard]] std::uint64_t serial() noexcept;
  /// All specialisations, in the order of their arrival.
  [[nodiscard]] std::vector<Specialised*> all() const;

 private:
  struct Slots;

  std::atomic<Specialised*> last_{nullptr};  ///< that a launch found
  std::atomic<Slots*> slots_{nullptr};
  std::atomic<std::uint64_t> serial_{0};
  Specialised* newest_ = nullptr;  ///< heads the list of all
};

/// A hash of the words of a key.
[[nodiscard]] TILEWRIGHT_API std::uint64_t hash_of(std::span<const std::uint64_t> words) noexcept;

}  // namespace tw::inline v0::detail
