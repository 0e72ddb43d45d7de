// SPDX-License-Identifier: Apache-2.0
#include "cache/content_file.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include <zstd.h>

#include "cache/hash.hpp"
#include "core/byte_record.hpp"

namespace tw::inline v0::cache {
namespace {

constexpr std::array magic = {std::byte{0x89}, std::byte{'t'}, std::byte{'w'}, std::byte{'b'},
                              std::byte{'l'},  std::byte{'o'}, std::byte{'b'}, std::byte{'\n'}};

enum class Storage : std::uint32_t { plain = 0, zstd = 1 };

/// The blob packed; nothing unless that saves an eighth, for unpacking takes time at each start.
std::optional<std::vector<std::byte>> packed(std::span<const std::byte> blob) {
  constexpr int level = 1;
  std::vector<std::byte> bytes(ZSTD_compressBound(blob.size()));
  const std::size_t size =
      ZSTD_compress(bytes.data(), bytes.size(), blob.data(), blob.size(), level);
  if (ZSTD_isError(size) != 0 || size > blob.size() - blob.size() / 8) return std::nullopt;
  bytes.resize(size);
  return bytes;
}

std::optional<std::vector<std::byte>> unpacked(std::span<const std::byte> bytes,
                                               std::uint64_t size) {
  if (ZSTD_getFrameContentSize(bytes.data(), bytes.size()) != size) return std::nullopt;
  std::vector<std::byte> blob(static_cast<std::size_t>(size));
  if (ZSTD_decompress(blob.data(), blob.size(), bytes.data(), bytes.size()) != size) {
    return std::nullopt;
  }
  return blob;
}

}  // namespace

std::vector<std::byte> encode_content(Key key, std::span<const std::byte> blob) {
  const std::optional<std::vector<std::byte>> small = packed(blob);
  RecordWriter body;
  body.number(static_cast<std::uint32_t>(small ? Storage::zstd : Storage::plain))
      .number(std::uint64_t{key.size()})
      .number(std::uint64_t{blob.size()})
      .raw(key)
      .raw(small ? std::span<const std::byte>(*small) : blob);
  RecordWriter file;
  file.raw(magic).raw(hash_of({body.bytes()})).raw(body.bytes());
  return file.bytes();
}

Content decode_content(Key key, std::span<const std::byte> file) {
  RecordReader reader(file);
  const bool is_ours = std::ranges::equal(reader.raw(magic.size()), magic);
  const std::span<const std::byte> checksum = reader.raw(sizeof(Hash));
  if (!is_ours || !std::ranges::equal(checksum, hash_of({reader.rest()}))) return {};
  const auto storage = static_cast<Storage>(reader.number<std::uint32_t>());
  const auto key_size = reader.number<std::uint64_t>();
  const auto blob_size = reader.number<std::uint64_t>();
  const std::span<const std::byte> stored_key = reader.raw(key_size);
  if (!reader.is_whole()) return {};
  if (!std::ranges::equal(stored_key, key)) return {ContentState::of_other_key, {}};
  const std::span<const std::byte> stored = reader.rest();
  if (storage == Storage::zstd) {
    std::optional<std::vector<std::byte>> blob = unpacked(stored, blob_size);
    if (!blob) return {};
    return {ContentState::good, std::move(*blob)};
  }
  if (storage != Storage::plain || stored.size() != blob_size) return {};
  return {ContentState::good, {stored.begin(), stored.end()}};
}

}  // namespace tw::inline v0::cache
