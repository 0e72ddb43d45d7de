// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tilewright/cache/memory_cache.hpp>
#include <tilewright/core/export.hpp>
#include <tilewright/core/os_file.hpp>

namespace tw::inline v0::cache {

/// Blobs by key in a folder that many processes share. Nothing that is wrong with the folder is an
/// error: what cannot be read is not there, what cannot be written is not kept, and the log is told
/// once. Thread-safe.
class TILEWRIGHT_API DiskCache {
 public:
  /// Uses the folder, which is made if need be; an empty path: keeps nothing.
  DiskCache(const std::string& folder, std::uint64_t limit);

  /// The blob of a key. A damaged file is removed.
  [[nodiscard]] std::optional<std::vector<std::byte>> find(Key key);

  /// Keeps a blob, and removes those that nobody used for longest if the files would otherwise take
  /// more than the limit.
  void put(Key key, std::span<const std::byte> blob);

  void erase(Key key);
  void clear();

  /// Waits for all who make the blob of this key; from then on they wait for the holder. Nothing
  /// when the folder does not let anybody lock, or another holder takes longer than any compiler.
  [[nodiscard]] std::optional<os::FileLock> lock(Key key);

  /// How many damaged files were removed.
  [[nodiscard]] std::uint64_t repairs() const { return repairs_; }

 private:
  struct Folders {
    os::Folder root;
    os::Folder objects;
  };

  void store(const Folders& folders, const std::string& name, std::span<const std::byte> file);
  void announce(const Folders& folders, const std::string& name, std::uint64_t bytes);
  void say_once(std::string_view problem) noexcept;

  std::string path_;
  std::uint64_t limit_;
  std::optional<Folders> folders_;
  std::atomic<bool> said_ = false;
  std::atomic<std::uint64_t> repairs_ = 0;
};

}  // namespace tw::inline v0::cache
