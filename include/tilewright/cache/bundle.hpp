// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tilewright/cache/memory_cache.hpp>
#include <tilewright/core/export.hpp>
#include <tilewright/core/location.hpp>

namespace tw::inline v0::cache {

/// One blob of a bundle, with the architecture that it was made for ("sm_90"), which is for people.
struct BundleEntry {
  Key key;
  std::string_view arch;
  std::span<const std::byte> blob;
};

/// The bytes of a bundle that holds these entries, ordered by key: the same entries always give the
/// same bytes. Throws LaunchError when two entries have one key, or an arch is longer than 255
/// bytes.
[[nodiscard]] TILEWRIGHT_API std::vector<std::byte> bundle_bytes(
    std::span<const BundleEntry> entries, Location where = Location::current());

/// Writes these bytes to a file. Throws LaunchError also when the file cannot be written.
TILEWRIGHT_API void write_bundle(const std::string& path, std::span<const BundleEntry> entries,
                                 Location where = Location::current());

/// Compiled kernels in one piece, made somewhere else. Copies share the bytes.
class TILEWRIGHT_API Bundle {
 public:
  /// Reads a bundle, trusting nothing: throws LaunchError unless every byte is in its place.
  explicit Bundle(std::vector<std::byte> bytes, Location where = Location::current());

  /// Ordered by key; valid while the bundle or a copy lives.
  [[nodiscard]] std::span<const BundleEntry> entries() const;

  /// The blob of a key; nothing when the bundle has none.
  [[nodiscard]] std::optional<std::span<const std::byte>> find(Key key) const;

 private:
  struct State;
  std::shared_ptr<const State> state_;
};

/// Reads a bundle from a file; throws LaunchError also when the file cannot be read.
[[nodiscard]] TILEWRIGHT_API Bundle open_bundle(const std::string& path,
                                                Location where = Location::current());

}  // namespace tw::inline v0::cache
