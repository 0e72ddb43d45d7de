// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace tw::inline v0::detail {

/// An array whose size is fixed when it is made; up to `N` values lie in the object.
template <class T, std::uint32_t N>
class Few {
 public:
  explicit Few(std::size_t size)
      : heap_(size > N ? std::make_unique<T[]>(size) : nullptr),
        size_(static_cast<std::uint32_t>(size)) {}

  [[nodiscard]] std::span<T> span() noexcept {
    return {heap_ ? heap_.get() : values_.data(), size_};
  }
  T& operator[](std::size_t i) noexcept { return span()[i]; }

 private:
  std::array<T, N> values_{};
  std::unique_ptr<T[]> heap_;
  std::uint32_t size_;
};

}  // namespace tw::inline v0::detail
