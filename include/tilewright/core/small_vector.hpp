// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include <tilewright/core/attributes.hpp>

namespace tw::inline v0 {

/// A list like `std::vector` for elements that are nearly always few: up to `N` lie in the object,
/// more on the heap. Holds less than 2^32 elements. Iterators and references last until the next
/// change of the number of elements, or until the list is moved.
template <class T, std::size_t N>
class SmallVector {
  static_assert(N > 0 && std::is_nothrow_move_constructible_v<T>);

 public:
  using value_type = T;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using reference = T&;
  using const_reference = const T&;
  using iterator = T*;
  using const_iterator = const T*;

  SmallVector() noexcept : heap_(nullptr) {}
  SmallVector(std::initializer_list<T> values) : SmallVector(values.begin(), values.end()) {}
  SmallVector(std::size_t count, const T& value) : SmallVector() { assign(count, value); }
  explicit SmallVector(std::size_t count) : SmallVector() { resize(count); }
  template <std::forward_iterator Iterator>
  SmallVector(Iterator first, Iterator last) : SmallVector() {
    append(first, last);
  }
  explicit SmallVector(std::span<const T> values) : SmallVector(values.begin(), values.end()) {}

  SmallVector(const SmallVector& other) : SmallVector(other.begin(), other.end()) {}
  SmallVector(SmallVector&& other) noexcept : SmallVector() { take(other); }
  SmallVector& operator=(const SmallVector& other) {
    if (this != &other) assign(other.begin(), other.end());
    return *this;
  }
  SmallVector& operator=(SmallVector&& other) noexcept {
    if (this == &other) return *this;
    release();
    take(other);
    return *this;
  }
  SmallVector& operator=(std::initializer_list<T> values) {
    assign(values.begin(), values.end());
    return *this;
  }
  ~SmallVector() { release(); }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
  [[nodiscard]] T* data() noexcept TILEWRIGHT_LIFETIMEBOUND { return on_heap() ? heap_ : inline_; }
  [[nodiscard]] const T* data() const noexcept TILEWRIGHT_LIFETIMEBOUND {
    return on_heap() ? heap_ : inline_;
  }
  [[nodiscard]] iterator begin() noexcept TILEWRIGHT_LIFETIMEBOUND { return data(); }
  [[nodiscard]] iterator end() noexcept TILEWRIGHT_LIFETIMEBOUND { return data() + size_; }
  [[nodiscard]] const_iterator begin() const noexcept TILEWRIGHT_LIFETIMEBOUND { return data(); }
  [[nodiscard]] const_iterator end() const noexcept TILEWRIGHT_LIFETIMEBOUND {
    return data() + size_;
  }

  /// The element at `index`, which must be below `size()`.
  [[nodiscard]] T& operator[](std::size_t index) noexcept TILEWRIGHT_LIFETIMEBOUND {
    return data()[index];
  }
  [[nodiscard]] const T& operator[](std::size_t index) const noexcept TILEWRIGHT_LIFETIMEBOUND {
    return data()[index];
  }
  /// The same; throws std::out_of_range.
  [[nodiscard]] T& at(std::size_t index) TILEWRIGHT_LIFETIMEBOUND {
    check(index);
    return data()[index];
  }
  [[nodiscard]] const T& at(std::size_t index) const TILEWRIGHT_LIFETIMEBOUND {
    check(index);
    return data()[index];
  }
  [[nodiscard]] T& front() noexcept TILEWRIGHT_LIFETIMEBOUND { return data()[0]; }
  [[nodiscard]] const T& front() const noexcept TILEWRIGHT_LIFETIMEBOUND { return data()[0]; }
  [[nodiscard]] T& back() noexcept TILEWRIGHT_LIFETIMEBOUND { return data()[size_ - 1]; }
  [[nodiscard]] const T& back() const noexcept TILEWRIGHT_LIFETIMEBOUND {
    return data()[size_ - 1];
  }

  void reserve(std::size_t capacity) {
    if (capacity > capacity_) move_to_heap(capacity);
  }
  /// Fills up with elements that hold what `T()` does.
  void resize(std::size_t count) {
    if (count < size_) return truncate(count);
    reserve(count);
    std::uninitialized_value_construct(end(), data() + count);
    size_ = static_cast<std::uint32_t>(count);
  }
  void clear() noexcept { truncate(0); }

  void push_back(T value) { emplace_back(std::move(value)); }
  template <class... Args>
  T& emplace_back(Args&&... args) {
    if (size_ < capacity_) return construct(std::forward<Args>(args)...);
    T value(std::forward<Args>(args)...);  // which may be made from an element
    move_to_heap(std::size_t{2} * capacity_);
    return construct(std::move(value));
  }
  void pop_back() noexcept { truncate(size_ - std::size_t{1}); }

  /// Adds the elements of a range that is no part of this list.
  template <std::forward_iterator Iterator>
  void append(Iterator first, Iterator last) {
    const std::size_t count = size_ + static_cast<std::size_t>(std::distance(first, last));
    if (count > capacity_) move_to_heap(count > 2 * size() ? count : 2 * size());
    std::uninitialized_copy(first, last, end());
    size_ = static_cast<std::uint32_t>(count);
  }
  /// Replaces all by the elements of a range that is no part of this list.
  template <std::forward_iterator Iterator>
  void assign(Iterator first, Iterator last) {
    clear();
    append(first, last);
  }
  void assign(std::size_t count, T value) {
    clear();
    reserve(count);
    std::uninitialized_fill_n(data(), count, value);
    size_ = static_cast<std::uint32_t>(count);
  }

  iterator insert(const_iterator place, T value) {
    const std::ptrdiff_t index = place - begin();
    emplace_back(std::move(value));
    for (iterator each = end() - 1; each != begin() + index; --each) std::swap(each[-1], each[0]);
    return begin() + index;
  }
  iterator erase(const_iterator place) noexcept { return erase(place, place + 1); }
  iterator erase(const_iterator first, const_iterator last) noexcept {
    const iterator hole = begin() + (first - begin());
    iterator to = hole;
    for (iterator from = begin() + (last - begin()); from != end(); ++from, ++to) {
      *to = std::move(*from);
    }
    truncate(static_cast<std::size_t>(to - begin()));
    return hole;
  }

 private:
  [[nodiscard]] bool on_heap() const noexcept { return capacity_ > N; }

  void check(std::size_t index) const {
    if (index >= size_) throw std::out_of_range("an index is beyond the end of a list");
  }

  template <class... Args>
  T& construct(Args&&... args) {
    T* const element = std::construct_at(data() + size_, std::forward<Args>(args)...);
    ++size_;
    return *element;
  }

  void truncate(std::size_t count) noexcept {
    std::destroy(data() + count, end());
    size_ = static_cast<std::uint32_t>(count);
  }

  /// `capacity` is more than there is, and thus more than fits inline.
  void move_to_heap(std::size_t capacity) {
    T* const moved = std::allocator<T>().allocate(capacity);
    std::uninitialized_move(begin(), end(), moved);
    const std::uint32_t count = size_;
    release();
    heap_ = moved;
    size_ = count;
    capacity_ = static_cast<std::uint32_t>(capacity);
  }

  /// Destroys all; what is left is empty and inline.
  void release() noexcept {
    clear();
    if (on_heap()) deallocate();
    capacity_ = N;
  }

  // Not inline, where g++ would warn that an element in the object is no pointer to free.
  [[gnu::noinline]] void deallocate() noexcept { std::allocator<T>().deallocate(heap_, capacity_); }

  /// This must be empty and inline, as `other` is afterwards.
  void take(SmallVector& other) noexcept {
    if (other.on_heap()) {
      heap_ = other.heap_;
      size_ = std::exchange(other.size_, 0);
      capacity_ = std::exchange(other.capacity_, static_cast<std::uint32_t>(N));
    } else {
      std::uninitialized_move(other.begin(), other.end(), inline_);
      size_ = other.size_;
      other.clear();
    }
  }

  union {
    T inline_[N];
    T* heap_;
  };
  std::uint32_t size_ = 0;
  std::uint32_t capacity_ = N;
};

/// Whether both lists have equal elements, wherever these lie.
template <class T, std::size_t N, std::size_t M>
[[nodiscard]] bool operator==(const SmallVector<T, N>& a, const SmallVector<T, M>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!(a[i] == b[i])) return false;
  }
  return true;
}

}  // namespace tw::inline v0
