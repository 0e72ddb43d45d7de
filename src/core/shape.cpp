// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <tilewright/core/shape.hpp>

namespace tw::inline v0 {

Shape::Shape(const std::int64_t* first, const std::int64_t* last) : Shape() {
  reserve(static_cast<std::size_t>(last - first));
  std::copy(first, last, data());
  size_ = static_cast<std::size_t>(last - first);
}

Shape Shape::filled(std::size_t rank, std::int64_t extent) {
  Shape shape;
  shape.reserve(rank);
  std::fill_n(shape.data(), rank, extent);
  shape.size_ = rank;
  return shape;
}

void Shape::copy_long(const Shape& other) {
  heap_ = new std::int64_t[other.capacity_]();
  capacity_ = other.capacity_;
  std::copy(other.begin(), other.end(), heap_);
}

void Shape::reserve(std::size_t capacity) {
  if (capacity <= capacity_) return;
  const std::size_t grown = std::max(capacity, 2 * capacity_);
  auto* values = new std::int64_t[grown]();
  std::copy(begin(), end(), values);
  if (on_heap()) delete[] heap_;
  heap_ = values;
  capacity_ = grown;
}

void Shape::insert(std::size_t axis, std::int64_t value) {
  reserve(size_ + 1);
  std::copy_backward(begin() + axis, end(), end() + 1);
  ++size_;
  (*this)[axis] = value;
}

void Shape::erase(std::size_t axis) noexcept {
  std::copy(begin() + axis + 1, end(), begin() + axis);
  --size_;
}

bool operator==(const Shape& a, const Shape& b) noexcept {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

std::string to_string(const Shape& shape) {
  if (shape.empty()) return "scalar";
  std::string text;
  for (const std::int64_t extent : shape) {
    if (!text.empty()) text += 'x';
    text += std::to_string(extent);
  }
  return text;
}

std::optional<std::int64_t> checked_product(const Shape& shape) noexcept {
  // A zero makes the product zero even where the other extents alone are beyond 64 bits.
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
  std::int64_t result = 1;
  for (const std::int64_t extent : shape) {
    if (__builtin_mul_overflow(result, extent, &result)) return std::nullopt;
  }
  return result;
}

std::int64_t product(const Shape& shape) noexcept {
  std::int64_t result = 1;
  for (const std::int64_t extent : shape) result *= extent;
  return result;
}

}  // namespace tw::inline v0
