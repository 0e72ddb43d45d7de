// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <tilewright/core/export.hpp>

namespace tw::inline v0::os {

/// An open file of the system, closed with its owner.
class TILEWRIGHT_API Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor();

  /// Below zero when it holds none.
  [[nodiscard]] int number() const { return number_; }
  /// Leaves the closing to the caller.
  [[nodiscard]] int release() { return std::exchange(number_, -1); }

 private:
  int number_ = -1;
};

/// A lock that a process holds against all others, and a thread against its siblings, until it is
/// destroyed. The system takes it back when the process dies, however it dies, and the children
/// that it forked meanwhile.
class TILEWRIGHT_API FileLock {
 public:
  FileLock(Descriptor file, std::uint64_t byte) : file_(std::move(file)), byte_(byte) {}
  FileLock(FileLock&&) noexcept = default;
  FileLock& operator=(FileLock&&) = delete;
  ~FileLock();

 private:
  Descriptor file_;
  std::uint64_t byte_;
};

/// A file as a folder lists it.
struct FileEntry {
  std::string name;
  std::uint64_t bytes = 0;
  /// When it was last written or touched, in nanoseconds of the system's clock.
  std::int64_t touched = 0;
};

/// An open folder of files: names are looked up in it, wherever it is moved. What goes wrong throws
/// std::system_error, unless it is said otherwise.
class TILEWRIGHT_API Folder {
 public:
  /// Opens the folder at `path`, which may not be a link. If there is none it is made, and so are
  /// those above it, for this user alone.
  explicit Folder(const std::string& path);

  [[nodiscard]] const std::string& path() const { return path_; }

  /// Whether it belongs to this user or to root, and nobody else can write in it.
  [[nodiscard]] bool is_private() const;

  /// The bytes of a file; nothing when there is no such file.
  [[nodiscard]] std::optional<std::vector<std::byte>> read(const std::string& name) const;

  /// Puts bytes in place of a file. Others see the old file or the new
  /// one, never a part of it.
  void write(const std::string& name, std::span<const std::byte> bytes) const;

  /// Removes a file, if there is one.
  void remove(const std::string& name) const;

  /// Notes that a file was used; a folder that cannot be written to is left as it is.
  void touch(const std::string& name) const noexcept;

  /// All regular files.
  [[nodiscard]] std::vector<FileEntry> list() const;

  /// Locks one byte, which need not exist, of a file that is made for it. Nothing when others still
  /// hold it after `patience`.
  [[nodiscard]] std::optional<FileLock> lock(const std::string& name, std::uint64_t byte,
                                             std::chrono::milliseconds patience) const;

 private:
  std::string path_;
  Descriptor folder_;
};

/// The bytes of a file; nothing when there is no such file.
[[nodiscard]] TILEWRIGHT_API std::optional<std::vector<std::byte>> read_file(
    const std::string& path);

/// Puts bytes in place of a file, as Folder::write() does.
TILEWRIGHT_API void write_file(const std::string& path, std::span<const std::byte> bytes);

/// What write() calls a file that it has not finished ends in this; one that stays was left behind
/// by a process that died.
inline constexpr const char* unfinished_suffix = ".tmp";

/// Nanoseconds of the system's clock, as in FileEntry::touched.
[[nodiscard]] TILEWRIGHT_API std::int64_t file_time_now();

}  // namespace tw::inline v0::os
