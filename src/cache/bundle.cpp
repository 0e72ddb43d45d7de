// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <tilewright/cache/bundle.hpp>
#include <tilewright/core/error.hpp>
#include <tilewright/core/os_file.hpp>

#include "cache/hash.hpp"
#include "core/byte_record.hpp"

// A bundle:
//
//   8 bytes    magic
//   u32        version of this format
//   u32        number of rows
//   rows, ordered by key:
//     u32 bytes of the key, the key
//     u32 bytes of the arch, the arch
//     u64 offset of the blob in the file, u64 bytes of the blob
//     16 bytes hash of key, arch and blob
//   blobs, in the order of the rows and without gaps, up to the end of the file

namespace tw::inline v0::cache {
namespace {

constexpr std::array magic = {std::byte{0x89}, std::byte{'t'}, std::byte{'w'}, std::byte{'b'},
                              std::byte{'n'},  std::byte{'d'}, std::byte{'l'}, std::byte{'\n'}};
constexpr std::uint32_t version = 1;
constexpr std::size_t arch_limit = 255;
constexpr std::size_t header_bytes = magic.size() + 2 * sizeof(std::uint32_t);
/// What a row takes besides its key and arch; so many rows at most are believed.
constexpr std::size_t row_bytes =
    2 * sizeof(std::uint32_t) + 2 * sizeof(std::uint64_t) + sizeof(Hash);

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

bool key_less(Key a, Key b) { return std::ranges::lexicographical_compare(a, b); }

Hash checksum(const BundleEntry& entry) {
  return hash_of({entry.key, bytes_of(entry.arch), entry.blob});
}

/// Takes rows and the blobs that they name from the bytes of a bundle.
class BundleReader {
 public:
  BundleReader(std::span<const std::byte> file, Location where)
      : file_(file), reader_(file), where_(where) {}

  std::vector<BundleEntry> entries() {
    if (!std::ranges::equal(reader_.raw(magic.size()), magic)) fail("it does not begin like one");
    if (const auto found = reader_.number<std::uint32_t>(); found != version) {
      fail(fmt::format("it has version {}, and only {} is known", found, version));
    }
    const auto count = reader_.number<std::uint32_t>();
    if (count > reader_.rest().size() / row_bytes) fail("it is cut off");
    std::vector<Row> rows(count);
    for (Row& row : rows) row = next_row();
    if (!reader_.is_whole()) fail("it is cut off");
    return blobs_of(rows);
  }

 private:
  struct Row {
    BundleEntry entry;
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
    std::span<const std::byte> checksum;
  };

  Row next_row() {
    Row row;
    row.entry.key = reader_.raw(reader_.number<std::uint32_t>());
    row.entry.arch = text_of(reader_.raw(reader_.number<std::uint32_t>()));
    row.offset = reader_.number<std::uint64_t>();
    row.size = reader_.number<std::uint64_t>();
    row.checksum = reader_.raw(sizeof(Hash));
    return row;
  }

  std::vector<BundleEntry> blobs_of(const std::vector<Row>& rows) {
    std::vector<BundleEntry> entries;
    for (const Row& row : rows) {
      BundleEntry entry = row.entry;
      if (row.offset != file_.size() - reader_.rest().size()) fail("a blob is out of its place");
      entry.blob = reader_.raw(row.size);
      if (!reader_.is_whole()) fail("it is cut off");
      if (!std::ranges::equal(checksum(entry), row.checksum)) fail("a blob is damaged");
      if (!entries.empty() && !key_less(entries.back().key, entry.key)) fail("it has no order");
      entries.push_back(entry);
    }
    if (!reader_.rest().empty()) fail("something follows its end");
    return entries;
  }

  [[noreturn]] void fail(const std::string& reason) const {
    throw LaunchError("this is no bundle of compiled kernels: " + reason, where_);
  }

  std::span<const std::byte> file_;
  RecordReader reader_;
  Location where_;
};

std::vector<BundleEntry> in_order(std::span<const BundleEntry> entries, Location where) {
  std::vector<BundleEntry> sorted(entries.begin(), entries.end());
  std::ranges::sort(sorted, key_less, &BundleEntry::key);
  const auto same = [](const BundleEntry& a, const BundleEntry& b) {
    return std::ranges::equal(a.key, b.key);
  };
  if (std::ranges::adjacent_find(sorted, same) != sorted.end()) {
    throw LaunchError("two entries of the bundle have the same key", where);
  }
  const auto is_long = [](const BundleEntry& entry) { return entry.arch.size() > arch_limit; };
  if (std::ranges::any_of(sorted, is_long)) {
    throw LaunchError(fmt::format("an arch has more than {} bytes", arch_limit), where);
  }
  return sorted;
}

}  // namespace

std::vector<std::byte> bundle_bytes(std::span<const BundleEntry> entries, Location where) {
  const std::vector<BundleEntry> sorted = in_order(entries, where);
  std::uint64_t offset = header_bytes;
  for (const BundleEntry& entry : sorted)
    offset += row_bytes + entry.key.size() + entry.arch.size();
  RecordWriter file;
  file.raw(magic).number(version).number(static_cast<std::uint32_t>(sorted.size()));
  for (const BundleEntry& entry : sorted) {
    file.number(static_cast<std::uint32_t>(entry.key.size())).raw(entry.key);
    file.number(static_cast<std::uint32_t>(entry.arch.size())).raw(bytes_of(entry.arch));
    file.number(offset).number(std::uint64_t{entry.blob.size()}).raw(checksum(entry));
    offset += entry.blob.size();
  }
  for (const BundleEntry& entry : sorted) file.raw(entry.blob);
  return file.bytes();
}

void write_bundle(const std::string& path, std::span<const BundleEntry> entries, Location where) {
  const std::vector<std::byte> bytes = bundle_bytes(entries, where);
  try {
    os::write_file(path, bytes);
  } catch (const std::system_error& error) {
    throw LaunchError(fmt::format("the bundle cannot be written: {}", error.what()), where);
  }
}

struct Bundle::State {
  std::vector<std::byte> bytes;
  std::vector<BundleEntry> entries;  ///< point into the bytes
};

Bundle::Bundle(std::vector<std::byte> bytes, Location where) {
  auto state = std::make_shared<State>();
  state->bytes = std::move(bytes);
  state->entries = BundleReader(state->bytes, where).entries();
  state_ = std::move(state);
}

std::span<const BundleEntry> Bundle::entries() const { return state_->entries; }

std::optional<std::span<const std::byte>> Bundle::find(Key key) const {
  const auto entry = std::ranges::lower_bound(state_->entries, key, key_less, &BundleEntry::key);
  if (entry == state_->entries.end() || !std::ranges::equal(entry->key, key)) return std::nullopt;
  return entry->blob;
}

Bundle open_bundle(const std::string& path, Location where) {
  try {
    std::optional<std::vector<std::byte>> bytes = os::read_file(path);
    if (bytes) return Bundle(std::move(*bytes), where);
  } catch (const std::system_error& error) {
    throw LaunchError(fmt::format("the bundle cannot be read: {}", error.what()), where);
  }
  throw LaunchError(fmt::format("the bundle cannot be read: there is no file {}", path), where);
}

}  // namespace tw::inline v0::cache
