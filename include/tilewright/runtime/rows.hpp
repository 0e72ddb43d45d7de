// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include <tilewright/core/export.hpp>
#include <tilewright/core/location.hpp>
#include <tilewright/dsl/specialisation.hpp>
#include <tilewright/runtime/storage.hpp>
#include <tilewright/runtime/stream.hpp>
#include <tilewright/runtime/tensor.hpp>

namespace tw::inline v0 {

class Rows;

namespace detail {

/// The ids of a row list, kept by whoever partitions by them: 32-bit, next to each other.
struct RowIds {
  RowList strength = RowList::none;
  runtime::StorageRef storage;
  std::int64_t offset = 0;  ///< of the first id, in bytes
  std::int64_t count = 0;
  std::int64_t rows = 0;  ///< of the tensors that certified ids are for
};

/// Any ids. Throws LaunchError when they do not lie next to each other.
[[nodiscard]] TILEWRIGHT_API RowIds plain_rows(const runtime::TensorState& ids, Location where);

/// Certifies ids that nobody can write any more as distinct, apart from those that name no row.
[[nodiscard]] TILEWRIGHT_API Rows certify(runtime::TensorState ids, std::int64_t rows,
                                          Location where);

}  // namespace detail

/// A certificate that a list of ids names no row of a tensor twice, so that blocks may write the
/// rows they are given without asking. -1 and the number of rows name none. Copies share the frozen
/// ids.
class Rows {
 public:
  // No moves: a certificate is never empty.
  Rows(const Rows&) = default;
  Rows& operator=(const Rows&) = default;
  ~Rows() = default;

  /// The number of ids.
  [[nodiscard]] std::int64_t size() const noexcept { return ids_.count; }
  /// The number of rows of the tensors that may be partitioned by the list.
  [[nodiscard]] std::int64_t rows() const noexcept { return ids_.rows; }

  [[nodiscard]] const detail::RowIds& ids() const noexcept TILEWRIGHT_LIFETIMEBOUND { return ids_; }

 private:
  friend Rows detail::certify(runtime::TensorState ids, std::int64_t rows, Location where);
  explicit Rows(detail::RowIds ids) noexcept : ids_(std::move(ids)) {}

  detail::RowIds ids_;
};

/// A check of a list of ids, to be run; made by `distinct`.
class [[nodiscard("ids are checked once .on(stream) or .sync() is called")]] DistinctRows {
 public:
  /// Enqueues the check on a stream of the ids' device. If a row is named twice, the certificate
  /// names no row at all, so that nothing is stored by it, and the stream's `sync` throws
  /// DeviceFault.
  [[nodiscard]] TILEWRIGHT_API Rows on(const StreamRef& stream,
                                       Location where = Location::current()) &&;
  /// Runs the check on the current stream and waits for it. Throws DeviceFault if a row is named
  /// twice.
  [[nodiscard]] TILEWRIGHT_API Rows sync(Location where = Location::current()) &&;

  DistinctRows(const View<int, 1>& ids, std::int64_t rows) : ids_(ids), rows_(rows) {}

 private:
  View<int, 1> ids_;
  std::int64_t rows_;
};

/// Checks on the device that `ids` names no row of a tensor of `rows` rows twice. The ids are read
/// once: the certificate is for a copy, so they may change at any time.
inline DistinctRows distinct(const View<int, 1>& ids, std::int64_t rows) { return {ids, rows}; }

}  // namespace tw::inline v0
