// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <memory>
#include <random>
#include <system_error>
#include <thread>

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <tilewright/core/os_file.hpp>

namespace tw::inline v0::os {
namespace {

/// Throws what errno says about `what`.
[[noreturn]] void fail(const std::string& what) {
  throw std::system_error(errno, std::generic_category(), what);
}

/// Repeats a call of the system that a signal interrupted.
template <class Call>
auto persistently(const Call& call) {
  for (;;) {
    const auto result = call();
    if (result != -1 || errno != EINTR) return result;
  }
}

Descriptor open_at(int folder, const char* name, int flags, mode_t mode = 0) {
  return Descriptor(persistently([&] { return openat(folder, name, flags | O_CLOEXEC, mode); }));
}

std::vector<std::byte> read_all(const Descriptor& file, const std::string& path) {
  struct stat status = {};
  if (fstat(file.number(), &status) != 0) fail(path);
  std::vector<std::byte> bytes(static_cast<std::size_t>(status.st_size));
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const ssize_t count = persistently(
        [&] { return ::read(file.number(), bytes.data() + filled, bytes.size() - filled); });
    if (count < 0) fail(path);
    if (count == 0) break;
    filled += static_cast<std::size_t>(count);
  }
  bytes.resize(filled);
  return bytes;
}

void write_all(const Descriptor& file, std::span<const std::byte> bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t count =
        persistently([&] { return ::write(file.number(), bytes.data(), bytes.size()); });
    if (count < 0) fail(path);
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
}

/// A name that no other thread or process gives to a file.
std::string unfinished_name(const std::string& name) {
  static const std::uint64_t process =
      std::random_device{}() | std::uint64_t{std::random_device{}()} << 32;
  static std::atomic<std::uint64_t> count = 0;
  return fmt::format("{}.{:x}.{}.{}{}", name, process, getpid(), ++count, unfinished_suffix);
}

/// The bytes of a file below an open folder; `path` names it in errors.
std::optional<std::vector<std::byte>> read_at(int folder, const std::string& name, int flags,
                                              const std::string& path) {
  const Descriptor file = open_at(folder, name.c_str(), O_RDONLY | flags);
  if (file.number() >= 0) return read_all(file, path);
  if (errno == ENOENT) return std::nullopt;
  fail(path);
}

/// Writes a file below an open folder and then puts it in the place of an older one.
void write_at(int folder, const std::string& name, std::span<const std::byte> bytes,
              const std::string& path) {
  const std::string unfinished = unfinished_name(name);
  constexpr mode_t mode = S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH;
  const Descriptor file = open_at(folder, unfinished.c_str(), O_WRONLY | O_CREAT | O_EXCL, mode);
  if (file.number() < 0) fail(path);
  try {
    write_all(file, bytes, path);
    if (renameat(folder, unfinished.c_str(), folder, name.c_str()) != 0) fail(path);
  } catch (const std::system_error&) {
    unlinkat(folder, unfinished.c_str(), 0);
    throw;
  }
}

std::int64_t nanoseconds(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

/// Has the system set or clear a lock on one byte of a file.
int change_lock(const Descriptor& file, std::uint64_t byte, short type) {
  struct flock range = {};
  range.l_type = type;
  range.l_whence = SEEK_SET;
  range.l_start = static_cast<off_t>(byte);
  range.l_len = 1;
  return persistently([&] { return fcntl(file.number(), F_OFD_SETLK, &range); });
}

}  // namespace

Descriptor::~Descriptor() {
  if (number_ >= 0) close(number_);
}

// Closing the file is not enough: a child forked meanwhile holds it open as well.
FileLock::~FileLock() {
  if (file_.number() >= 0) change_lock(file_, byte_, F_UNLCK);
}

Folder::Folder(const std::string& path) : path_(path) {
  std::filesystem::path made;
  for (const std::filesystem::path& part : std::filesystem::path(path)) {
    made /= part;
    if (mkdir(made.c_str(), S_IRWXU) != 0 && errno != EEXIST && errno != EROFS) fail(made);
  }
  folder_ = open_at(AT_FDCWD, path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  if (folder_.number() < 0) fail(path);
}

bool Folder::is_private() const {
  struct stat status = {};
  if (fstat(folder_.number(), &status) != 0) fail(path_);
  const bool is_ours = status.st_uid == geteuid() || status.st_uid == 0;
  return is_ours && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

std::optional<std::vector<std::byte>> Folder::read(const std::string& name) const {
  return read_at(folder_.number(), name, O_NOFOLLOW, path_ + '/' + name);
}

void Folder::write(const std::string& name, std::span<const std::byte> bytes) const {
  write_at(folder_.number(), name, bytes, path_ + '/' + name);
}

void Folder::remove(const std::string& name) const {
  if (unlinkat(folder_.number(), name.c_str(), 0) != 0 && errno != ENOENT) {
    fail(path_ + '/' + name);
  }
}

void Folder::touch(const std::string& name) const noexcept {
  utimensat(folder_.number(), name.c_str(), nullptr, AT_SYMLINK_NOFOLLOW);
}

std::vector<FileEntry> Folder::list() const {
  // A descriptor of its own, since reading a folder moves the place in it.
  Descriptor own = open_at(folder_.number(), ".", O_RDONLY | O_DIRECTORY);
  if (own.number() < 0) fail(path_);
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(fdopendir(own.number()), closedir);
  if (entries == nullptr) fail(path_);
  const int number = own.release();
  std::vector<FileEntry> files;
  while (const dirent* entry = readdir(entries.get())) {
    struct stat status = {};
    if (fstatat(number, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0) continue;  // removed
    if (!S_ISREG(status.st_mode)) continue;
    files.push_back(
        {entry->d_name, static_cast<std::uint64_t>(status.st_size), nanoseconds(status.st_mtim)});
  }
  return files;
}

std::optional<FileLock> Folder::lock(const std::string& name, std::uint64_t byte,
                                     std::chrono::milliseconds patience) const {
  constexpr std::chrono::milliseconds longest_pause{16};
  constexpr mode_t mode = S_IRUSR | S_IWUSR;
  // A description of its own for each lock, since threads that share one share its locks.
  Descriptor file = open_at(folder_.number(), name.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW, mode);
  if (file.number() < 0) fail(path_ + '/' + name);
  const auto end = std::chrono::steady_clock::now() + patience;
  for (std::chrono::milliseconds pause{1};; pause = std::min(2 * pause, longest_pause)) {
    if (change_lock(file, byte, F_WRLCK) == 0) return FileLock(std::move(file), byte);
    if (errno != EAGAIN && errno != EACCES) fail(path_ + '/' + name);
    if (std::chrono::steady_clock::now() + pause > end) return std::nullopt;
    std::this_thread::sleep_for(pause);
  }
}

std::optional<std::vector<std::byte>> read_file(const std::string& path) {
  return read_at(AT_FDCWD, path, 0, path);
}

void write_file(const std::string& path, std::span<const std::byte> bytes) {
  write_at(AT_FDCWD, path, bytes, path);
}

std::int64_t file_time_now() {
  timespec now = {};
  clock_gettime(CLOCK_REALTIME, &now);
  return nanoseconds(now);
}

}  // namespace tw::inline v0::os
