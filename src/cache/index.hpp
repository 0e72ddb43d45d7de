// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <tilewright/core/os_file.hpp>

struct sqlite3;

namespace tw::inline v0::cache {

/// The index cannot be used: it is damaged, or the folder does not let anybody write.
class IndexError : public std::runtime_error {
 public:
  IndexError(const std::string& what, bool is_damaged)
      : std::runtime_error(what), is_damaged_(is_damaged) {}
  [[nodiscard]] bool is_damaged() const { return is_damaged_; }

 private:
  bool is_damaged_;
};

/// Sizes and ages of the files of a folder, in a database that all processes share. The files are
/// the truth: a lost index is made again from them. Between open and commit() no other process
/// changes anything; without a commit() nothing was. Everything throws IndexError.
class Index {
 public:
  explicit Index(const std::string& path);

  /// Whether it was made just now and knows no file yet.
  [[nodiscard]] bool is_new() const { return is_new_; }

  [[nodiscard]] std::uint64_t total_bytes();
  /// Takes over what the folder lists. Files that are not there stay when they were announced since
  /// `announced`: they are being written.
  void reconcile(const std::vector<os::FileEntry>& files, std::int64_t announced);
  /// Notes a file that is about to be written.
  void announce(const os::FileEntry& file);
  /// The file that nobody used for longest; nothing when there are none.
  [[nodiscard]] std::optional<os::FileEntry> oldest();
  void forget(const std::string& name);
  void commit();

 private:
  struct Close {
    void operator()(sqlite3* database) const;
  };

  void execute(const char* sql);

  std::unique_ptr<sqlite3, Close> database_;
  bool is_new_ = false;
};

}  // namespace tw::inline v0::cache
