// SPDX-License-Identifier: Apache-2.0
#include "cache/disk_cache.hpp"

#include <chrono>
#include <cstring>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include <tilewright/core/log.hpp>

#include "cache/content_file.hpp"
#include "cache/hash.hpp"
#include "cache/index.hpp"

namespace tw::inline v0::cache {
namespace {

using namespace std::chrono_literals;

constexpr const char* index_file = "index.db";
constexpr const char* index_journal = "index.db-journal";
constexpr const char* lock_file = "locks";

/// A compiler is stopped after 120 s: who holds a lock for longer is not compiling any more.
constexpr std::chrono::milliseconds lock_patience = 150s;
/// How long a process may take from announcing a file to its last byte.
constexpr std::chrono::nanoseconds write_patience = 10min;

std::string name_of(Key key) { return to_hex(hash_of({key})); }

std::uint64_t start_of(const Hash& hash) {
  std::uint64_t number = 0;
  std::memcpy(&number, hash.data(), sizeof number);
  return number;
}

bool is_unfinished(const os::FileEntry& file) { return file.name.ends_with(os::unfinished_suffix); }

/// Brings the index to what the folder holds, and removes what dead processes left unfinished.
void reconcile(Index& index, const os::Folder& objects) {
  const std::int64_t long_ago = os::file_time_now() - write_patience.count();
  std::vector<os::FileEntry> files = objects.list();
  std::erase_if(files, [&](const os::FileEntry& file) {
    if (!is_unfinished(file)) return false;
    if (file.touched < long_ago) objects.remove(file.name);
    return true;
  });
  index.reconcile(files, long_ago);
}

/// Removes the files that nobody used for longest until `bytes` more fit. It goes on to nine tenths
/// of the limit, so that a full cache does not list its folder for every file.
void make_room(Index& index, const os::Folder& objects, std::uint64_t limit, std::uint64_t bytes) {
  reconcile(index, objects);
  const std::uint64_t target = limit - limit / 10;
  while (index.total_bytes() + bytes > target) {
    const std::optional<os::FileEntry> oldest = index.oldest();
    if (!oldest) return;
    objects.remove(oldest->name);
    index.forget(oldest->name);
  }
}

}  // namespace

DiskCache::DiskCache(const std::string& folder, std::uint64_t limit)
    : path_(folder), limit_(limit) {
  if (folder.empty()) return;
  try {
    Folders folders{os::Folder(folder), os::Folder(folder + "/objects")};
    // What is in the cache gets executed.
    if (!folders.root.is_private() || !folders.objects.is_private()) {
      say_once("it belongs to somebody else, or others may write in it");
      return;
    }
    folders_ = std::move(folders);
  } catch (const std::system_error& error) {
    say_once(error.what());
  }
}

std::optional<std::vector<std::byte>> DiskCache::find(Key key) {
  if (!folders_) return std::nullopt;
  const std::string name = name_of(key);
  try {
    const std::optional<std::vector<std::byte>> file = folders_->objects.read(name);
    if (!file) return std::nullopt;
    Content content = decode_content(key, *file);
    if (content.state == ContentState::good) {
      folders_->objects.touch(name);
      return std::move(content.blob);
    }
    if (content.state == ContentState::corrupt) {
      ++repairs_;
      folders_->objects.remove(name);
    }
  } catch (const std::system_error& error) {
    say_once(error.what());
  }
  return std::nullopt;
}

void DiskCache::put(Key key, std::span<const std::byte> blob) {
  if (!folders_) return;
  const std::vector<std::byte> file = encode_content(key, blob);
  if (file.size() > limit_ - limit_ / 10) return;
  try {
    store(*folders_, name_of(key), file);
  } catch (const std::system_error& error) {
    say_once(error.what());
  } catch (const IndexError& error) {
    say_once(fmt::format("{}: {}", index_file, error.what()));
  }
}

/// The index hears of a file before it is there: then no crash leaves one that is not counted.
void DiskCache::store(const Folders& folders, const std::string& name,
                      std::span<const std::byte> file) {
  try {
    announce(folders, name, file.size());
  } catch (const IndexError& error) {
    if (!error.is_damaged()) throw;
    folders.root.remove(index_file);
    folders.root.remove(index_journal);
    announce(folders, name, file.size());
  }
  folders.objects.write(name, file);
}

void DiskCache::announce(const Folders& folders, const std::string& name, std::uint64_t bytes) {
  Index index(path_ + '/' + index_file);
  if (index.is_new()) reconcile(index, folders.objects);
  index.forget(name);
  if (index.total_bytes() + bytes > limit_) make_room(index, folders.objects, limit_, bytes);
  index.announce({name, bytes, os::file_time_now()});
  index.commit();
}

void DiskCache::erase(Key key) {
  if (!folders_) return;
  try {
    folders_->objects.remove(name_of(key));
  } catch (const std::system_error& error) {
    say_once(error.what());
  }
}

void DiskCache::clear() {
  if (!folders_) return;
  try {
    for (const os::FileEntry& file : folders_->objects.list()) {
      if (!is_unfinished(file)) folders_->objects.remove(file.name);
    }
  } catch (const std::system_error& error) {
    say_once(error.what());
  }
}

std::optional<os::FileLock> DiskCache::lock(Key key) {
  if (!folders_) return std::nullopt;
  try {
    // One byte a key of a file that stays empty: nothing is left to be cleaned up.
    const std::uint64_t byte = start_of(hash_of({key})) >> 2;
    return folders_->root.lock(lock_file, byte, lock_patience);
  } catch (const std::system_error& error) {
    say_once(error.what());
    return std::nullopt;
  }
}

void DiskCache::say_once(std::string_view problem) noexcept {
  if (said_.exchange(true)) return;
  write_log(LogLevel::warning, fmt::format("the kernel cache in {} is of little use, so processes "
                                           "compile for themselves: {}",
                                           path_, problem));
}

}  // namespace tw::inline v0::cache
