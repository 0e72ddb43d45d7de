// SPDX-License-Identifier: Apache-2.0
#include "cache/index.hpp"

#include <sqlite3.h>

namespace tw::inline v0::cache {
namespace {

constexpr int patience_milliseconds = 10'000;

[[noreturn]] void fail(sqlite3* database) {
  if (database == nullptr) throw IndexError("out of memory", false);
  const int code = sqlite3_errcode(database);
  // SQLITE_ERROR: it is a database, but not ours.
  const bool is_damaged = code == SQLITE_CORRUPT || code == SQLITE_NOTADB || code == SQLITE_ERROR;
  throw IndexError(sqlite3_errmsg(database), is_damaged);
}

/// A statement with its parameters; they are counted from one.
class Statement {
 public:
  Statement(sqlite3* database, const char* sql) : database_(database) {
    check(sqlite3_prepare_v2(database, sql, -1, &statement_, nullptr));
  }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  ~Statement() { sqlite3_finalize(statement_); }

  Statement& bind(int parameter, std::int64_t value) {
    check(sqlite3_bind_int64(statement_, parameter, value));
    return *this;
  }
  /// The text must live until the statement is done.
  Statement& bind(int parameter, const std::string& text) {
    check(sqlite3_bind_text(statement_, parameter, text.data(), static_cast<int>(text.size()),
                            SQLITE_STATIC));
    return *this;
  }

  /// Whether there is a row, which the columns are of from now on.
  bool step() {
    const int result = sqlite3_step(statement_);
    if (result != SQLITE_ROW && result != SQLITE_DONE) fail(database_);
    return result == SQLITE_ROW;
  }
  [[nodiscard]] std::int64_t number(int column) { return sqlite3_column_int64(statement_, column); }
  [[nodiscard]] std::string text(int column) {
    const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_, column));
    return {bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
  }
  void reset() { check(sqlite3_reset(statement_)); }

 private:
  void check(int result) {
    if (result != SQLITE_OK) fail(database_);
  }

  sqlite3* database_;
  sqlite3_stmt* statement_ = nullptr;
};

constexpr const char* insert =
    "INSERT OR REPLACE INTO files (name, bytes, touched) VALUES (?1, ?2, ?3)";

Statement& bind(Statement& statement, const os::FileEntry& file) {
  return statement.bind(1, file.name)
      .bind(2, static_cast<std::int64_t>(file.bytes))
      .bind(3, file.touched);
}

}  // namespace

void Index::Close::operator()(sqlite3* database) const { sqlite3_close(database); }

Index::Index(const std::string& path) {
  sqlite3* opened = nullptr;
  constexpr int flags =
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW;
  const int result = sqlite3_open_v2(path.c_str(), &opened, flags, nullptr);
  database_.reset(opened);
  if (result != SQLITE_OK) fail(opened);
  sqlite3_busy_timeout(opened, patience_milliseconds);
  // What a power failure takes is made again from the files.
  execute("PRAGMA synchronous = OFF");
  execute("BEGIN IMMEDIATE");
  is_new_ = !Statement(opened, "SELECT 1 FROM sqlite_master WHERE name = 'files'").step();
  if (!is_new_) return;
  execute(
      "CREATE TABLE files (name TEXT PRIMARY KEY, bytes INTEGER NOT NULL, "
      "touched INTEGER NOT NULL) WITHOUT ROWID");
  execute("CREATE INDEX by_age ON files (touched, bytes)");
}

std::uint64_t Index::total_bytes() {
  Statement sum(database_.get(), "SELECT coalesce(sum(bytes), 0) FROM files");
  sum.step();
  return static_cast<std::uint64_t>(sum.number(0));
}

void Index::reconcile(const std::vector<os::FileEntry>& files, std::int64_t announced) {
  Statement(database_.get(), "DELETE FROM files WHERE touched < ?1").bind(1, announced).step();
  Statement add(database_.get(), insert);
  for (const os::FileEntry& file : files) {
    bind(add, file).step();
    add.reset();
  }
}

void Index::announce(const os::FileEntry& file) {
  Statement add(database_.get(), insert);
  bind(add, file).step();
}

std::optional<os::FileEntry> Index::oldest() {
  Statement first(database_.get(),
                  "SELECT name, bytes, touched FROM files ORDER BY touched LIMIT 1");
  if (!first.step()) return std::nullopt;
  return os::FileEntry{first.text(0), static_cast<std::uint64_t>(first.number(1)), first.number(2)};
}

void Index::forget(const std::string& name) {
  Statement(database_.get(), "DELETE FROM files WHERE name = ?1").bind(1, name).step();
}

void Index::commit() { execute("COMMIT"); }

void Index::execute(const char* sql) {
  if (sqlite3_exec(database_.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK) {
    fail(database_.get());
  }
}

}  // namespace tw::inline v0::cache
