// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>

#include <tilewright/core/export.hpp>

namespace tw::inline v0 {

/// The largest rank of a tensor.
inline constexpr int max_rank = 6;

/// The extents, strides or coordinates of something with axes, outermost first. Up to eight stay
/// in the object; rank 0 is a scalar. Iterators and references last until the next change of rank.
class Shape {
 public:
  static constexpr std::size_t inline_capacity = 8;

  using value_type = std::int64_t;
  using iterator = std::int64_t*;
  using const_iterator = const std::int64_t*;

  Shape() noexcept : inline_{} {}
  Shape(std::initializer_list<std::int64_t> extents) : Shape(extents.begin(), extents.end()) {}
  /// `rank` axes that all hold `extent`.
  TILEWRIGHT_API static Shape filled(std::size_t rank, std::int64_t extent);
  /// The values from `first` up to `last`.
  TILEWRIGHT_API Shape(const std::int64_t* first, const std::int64_t* last);

  // Every launch copies and moves shapes, nearly all of them short.
  Shape(const Shape& other) : size_(other.size_) {
    other.on_heap() ? copy_long(other) : copy_inline(other);
  }
  Shape(Shape&& other) noexcept : Shape() { take(other); }
  Shape& operator=(const Shape& other) {
    if (this != &other) *this = Shape(other);
    return *this;
  }
  Shape& operator=(Shape&& other) noexcept {
    if (this == &other) return *this;
    if (on_heap()) delete[] heap_;
    take(other);
    return *this;
  }
  ~Shape() {
    if (on_heap()) delete[] heap_;
  }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] std::int64_t* data() noexcept TILEWRIGHT_LIFETIMEBOUND {
    return on_heap() ? heap_ : inline_;
  }
  [[nodiscard]] const std::int64_t* data() const noexcept TILEWRIGHT_LIFETIMEBOUND {
    return on_heap() ? heap_ : inline_;
  }
  [[nodiscard]] iterator begin() noexcept TILEWRIGHT_LIFETIMEBOUND { return data(); }
  [[nodiscard]] iterator end() noexcept TILEWRIGHT_LIFETIMEBOUND { return data() + size_; }
  [[nodiscard]] const_iterator begin() const noexcept TILEWRIGHT_LIFETIMEBOUND { return data(); }
  [[nodiscard]] const_iterator end() const noexcept TILEWRIGHT_LIFETIMEBOUND {
    return data() + size_;
  }
  /// The value of `axis`, which must be below `size()`.
  [[nodiscard]] std::int64_t& operator[](std::size_t axis) noexcept TILEWRIGHT_LIFETIMEBOUND {
    return data()[axis];
  }
  [[nodiscard]] std::int64_t operator[](std::size_t axis) const noexcept { return data()[axis]; }
  [[nodiscard]] std::int64_t front() const noexcept { return data()[0]; }
  [[nodiscard]] std::int64_t back() const noexcept { return data()[size_ - 1]; }

  void push_back(std::int64_t value) { insert(size_, value); }
  /// Makes `axis` hold `value` and shifts the later axes by one; `axis` may be `size()`.
  TILEWRIGHT_API void insert(std::size_t axis, std::int64_t value);
  /// Removes `axis`, which must be below `size()`.
  TILEWRIGHT_API void erase(std::size_t axis) noexcept;
  void clear() noexcept { size_ = 0; }

 private:
  [[nodiscard]] bool on_heap() const noexcept { return capacity_ > inline_capacity; }
  void reserve(std::size_t capacity);
  void copy_inline(const Shape& other) noexcept {
    std::memcpy(inline_, other.inline_, sizeof(inline_));
  }
  TILEWRIGHT_API void copy_long(const Shape& other);
  // Whatever this held must have been released; `other` is left with rank 0.
  void take(Shape& other) noexcept {
    copy_inline(other);  // which the pointer is a part of
    size_ = std::exchange(other.size_, 0);
    capacity_ = std::exchange(other.capacity_, inline_capacity);
  }

  union {
    std::int64_t inline_[inline_capacity];
    std::int64_t* heap_;
  };
  std::size_t size_ = 0;
  std::size_t capacity_ = inline_capacity;
};

/// Whether rank and values are equal.
TILEWRIGHT_API bool operator==(const Shape& a, const Shape& b) noexcept;

/// "4x8", or "scalar" for rank 0.
TILEWRIGHT_API std::string to_string(const Shape& shape);

/// The product of all extents, one for rank 0; nothing if it is beyond 64 bits.
TILEWRIGHT_API std::optional<std::int64_t> checked_product(const Shape& shape) noexcept;

/// The product of all extents, which the caller knows to fit in 64 bits; one for rank 0.
TILEWRIGHT_API std::int64_t product(const Shape& shape) noexcept;

}  // namespace tw::inline v0
