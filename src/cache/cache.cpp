// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <utility>

#include <fmt/format.h>

#include <tilewright/cache/cache.hpp>
#include <tilewright/core/os.hpp>
#include <tilewright/core/os_file.hpp>

#include "cache/disk_cache.hpp"
#include "cache/flights.hpp"

namespace tw::inline v0::cache {
namespace {

using Clock = std::chrono::steady_clock;

Blob blob_of(std::vector<std::byte> bytes) {
  return std::make_shared<const std::vector<std::byte>>(std::move(bytes));
}

std::string folder_of(const CacheOptions& options) {
  return options.folder.empty() ? "" : fmt::format("{}/{}", options.folder, options.schema);
}

}  // namespace

std::string default_folder() {
  // A relative path is to be ignored, says the XDG base directory specification.
  const std::optional<std::string> xdg = os::environment("XDG_CACHE_HOME");
  if (xdg && xdg->starts_with('/')) return *xdg + "/tilewright";
  const std::optional<std::string> home = os::environment("HOME");
  return home ? *home + "/.cache/tilewright" : "";
}

struct Cache::State {
  explicit State(const CacheOptions& options)
      : memory(options.memory_limit), disk(folder_of(options), options.disk_limit) {}

  Blob in_memory(Key key) { return count(memory.find(key), memory_hits); }

  Blob in_bundles(Key key) {
    const std::shared_lock lock(bundles_mutex);
    for (const Bundle& bundle : bundles) {
      if (const auto bytes = bundle.find(key)) {
        return count(blob_of({bytes->begin(), bytes->end()}), bundle_hits);
      }
    }
    return nullptr;
  }

  Blob on_disk(Key key) {
    std::optional<std::vector<std::byte>> bytes = disk.find(key);
    return bytes ? count(blob_of(std::move(*bytes)), disk_hits) : nullptr;
  }

  /// From wherever it is kept but memory, and from now on there as well.
  Blob load(Key key) {
    Blob blob = in_bundles(key);
    if (blob == nullptr) blob = on_disk(key);
    if (blob != nullptr) memory.put(key, blob, blob->size());
    return blob;
  }

  Blob load_or_make(Key key, const std::function<std::vector<std::byte>()>& make) {
    // Whoever waited for this thread's blob and came too late for the flight finds it in memory.
    if (Blob blob = in_memory(key)) return blob;
    if (Blob blob = load(key)) return blob;
    const std::optional<os::FileLock> lock = disk.lock(key);
    // Another process may have made it while this one waited.
    if (Blob blob = lock ? load(key) : nullptr) return blob;
    Blob blob = timed(make);
    disk.put(key, *blob);
    memory.put(key, blob, blob->size());
    return blob;
  }

  Blob timed(const std::function<std::vector<std::byte>()>& make) {
    const Clock::time_point begin = Clock::now();
    Blob blob = blob_of(make());
    compile_time += (Clock::now() - begin).count();
    ++compiles;
    return blob;
  }

  static Blob count(Blob blob, std::atomic<std::uint64_t>& hits) {
    if (blob != nullptr) ++hits;
    return blob;
  }

  MemoryCache<std::vector<std::byte>> memory;
  DiskCache disk;
  Flights flights;
  std::shared_mutex bundles_mutex;
  std::vector<Bundle> bundles;
  std::atomic<std::uint64_t> memory_hits = 0;
  std::atomic<std::uint64_t> bundle_hits = 0;
  std::atomic<std::uint64_t> disk_hits = 0;
  std::atomic<std::uint64_t> compiles = 0;
  std::atomic<Clock::rep> compile_time = 0;
};

Cache::Cache(const CacheOptions& options) : state_(std::make_unique<State>(options)) {}
Cache::~Cache() = default;

Blob Cache::get(Key key, const std::function<std::vector<std::byte>()>& make) {
  if (Blob blob = state_->in_memory(key)) return blob;
  auto [blob, is_mine] = state_->flights.join(key, [&] { return state_->load_or_make(key, make); });
  if (!is_mine) ++state_->memory_hits;
  return std::move(blob);
}

Blob Cache::find(Key key) {
  if (Blob blob = state_->in_memory(key)) return blob;
  return state_->load(key);
}

void Cache::add(Bundle bundle) {
  const std::unique_lock lock(state_->bundles_mutex);
  state_->bundles.push_back(std::move(bundle));
}

void Cache::erase(Key key) {
  state_->memory.erase(key);
  state_->disk.erase(key);
}

void Cache::retain(std::span<const Key> keys) { state_->memory.retain(keys); }

void Cache::clear() {
  state_->memory.clear();
  state_->disk.clear();
}

CacheCounters Cache::counters() const {
  return {.memory_hits = state_->memory_hits,
          .bundle_hits = state_->bundle_hits,
          .disk_hits = state_->disk_hits,
          .compiles = state_->compiles,
          .compile_seconds =
              std::chrono::duration<double>(Clock::duration(state_->compile_time)).count(),
          .repairs = state_->disk.repairs()};
}

std::uint64_t Cache::memory_bytes() const { return state_->memory.bytes(); }

}  // namespace tw::inline v0::cache
