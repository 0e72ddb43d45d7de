// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include <tilewright/core/export.hpp>

namespace tw::inline v0::cache {

/// What names a thing in a cache: everything that it depends on.
using Key = std::span<const std::byte>;

namespace detail {

/// The part of MemoryCache that does not know what it holds.
class TILEWRIGHT_API LruMap {
 public:
  explicit LruMap(std::uint64_t limit);
  LruMap(const LruMap&) = delete;
  LruMap& operator=(const LruMap&) = delete;
  ~LruMap();

  std::shared_ptr<const void> find(Key key);
  void put(Key key, std::shared_ptr<const void> value, std::uint64_t bytes);
  void erase(Key key);
  void retain(std::span<const Key> keys);
  void clear();
  [[nodiscard]] std::uint64_t bytes() const;
  [[nodiscard]] std::size_t count() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace detail

/// Values by key, up to a number of bytes; the ones that nobody asked for longest go first. A value
/// that was handed out lives on while it is held, whatever the cache does meanwhile. Thread-safe.
template <class Value>
class MemoryCache {
 public:
  explicit MemoryCache(std::uint64_t limit) : map_(limit) {}

  /// The value of a key; null when there is none.
  [[nodiscard]] std::shared_ptr<const Value> find(Key key) {
    return std::static_pointer_cast<const Value>(map_.find(key));
  }

  /// Keeps a value that takes `bytes`, in place of an older one of the same key. What alone is
  /// larger than the limit is not kept.
  void put(Key key, std::shared_ptr<const Value> value, std::uint64_t bytes) {
    map_.put(key, std::move(value), bytes);
  }

  void erase(Key key) { map_.erase(key); }
  /// Erases all but these.
  void retain(std::span<const Key> keys) { map_.retain(keys); }
  void clear() { map_.clear(); }

  /// What the values and their keys take; never more than the limit.
  [[nodiscard]] std::uint64_t bytes() const { return map_.bytes(); }
  [[nodiscard]] std::size_t count() const { return map_.count(); }

 private:
  detail::LruMap map_;
};

}  // namespace tw::inline v0::cache
