// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <tilewright/cache/bundle.hpp>
#include <tilewright/cache/memory_cache.hpp>
#include <tilewright/core/export.hpp>

namespace tw::inline v0::cache {

/// The layout of the cache's folder. Libraries with different ones use it side by side.
inline constexpr std::uint32_t current_schema = 1;

/// $XDG_CACHE_HOME/tilewright, or ~/.cache/tilewright; empty when the user has no home.
[[nodiscard]] TILEWRIGHT_API std::string default_folder();

struct CacheOptions {
  /// Where blobs are kept from process to process; made if need be. Empty: nowhere.
  std::string folder = default_folder();
  std::uint32_t schema = current_schema;
  std::uint64_t memory_limit = std::uint64_t{256} << 20;  ///< bytes
  std::uint64_t disk_limit = std::uint64_t{2} << 30;      ///< bytes
};

/// What a cache has done so far in this process.
struct CacheCounters {
  std::uint64_t memory_hits = 0;  ///< also blobs that another thread was making just then
  std::uint64_t bundle_hits = 0;
  std::uint64_t disk_hits = 0;  ///< also blobs that another process was making just then
  std::uint64_t compiles = 0;
  double compile_seconds = 0;  ///< of all threads together
  std::uint64_t repairs = 0;   ///< damaged files that were removed
};

/// Bytes that stay while they are held.
using Blob = std::shared_ptr<const std::vector<std::byte>>;

/// Compiled code by key: in memory, in bundles, on disk, and made where there is none.
///
/// A key holds everything that the code depends on, so a blob never changes. Of all the threads of
/// all the processes that ask for a key at once, one makes its blob and the others wait for it. The
/// folder may be shared, missing, full, read-only or damaged: then more is made than need be, and
/// the log is told once. Files are trusted only in a folder where nobody but the user (or root) can
/// write. Thread-safe; a forked child needs a cache of its own.
class TILEWRIGHT_API Cache {
 public:
  explicit Cache(const CacheOptions& options = {});
  Cache(const Cache&) = delete;
  Cache& operator=(const Cache&) = delete;
  ~Cache();

  /// The blob of a key; `make` is called if it is kept nowhere. What that throws goes to the
  /// caller, and nothing is kept. `make` must not ask the cache for the same key.
  [[nodiscard]] Blob get(Key key, const std::function<std::vector<std::byte>()>& make);

  /// The blob of a key if it is kept anywhere; null otherwise.
  [[nodiscard]] Blob find(Key key);

  /// Lets the cache serve what the bundle holds.
  void add(Bundle bundle);

  /// Forgets a key, in memory and on disk. Bundles stay as they are.
  void erase(Key key);
  /// Forgets what is in memory, but for these keys.
  void retain(std::span<const Key> keys);
  /// Forgets everything, in memory and on disk.
  void clear();

  [[nodiscard]] CacheCounters counters() const;
  /// What blobs and keys take in memory.
  [[nodiscard]] std::uint64_t memory_bytes() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tw::inline v0::cache
