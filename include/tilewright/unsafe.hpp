// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <tilewright/core/element.hpp>
#include <tilewright/core/location.hpp>
#include <tilewright/runtime/borrow.hpp>
#include <tilewright/runtime/rows.hpp>
#include <tilewright/runtime/tensor.hpp>

/// What can break the safety contract if it is used wrongly: to look for in a review.
namespace tw::inline v0::unsafe {

/// A certificate without a check. The caller promises that no two of `ids` are equal, apart from
/// those that name no row: -1 and `rows`.
[[nodiscard]] inline Rows assume_distinct(Tensor<int, 1>&& ids, std::int64_t rows,
                                          Location where = Location::current()) {
  return detail::certify(runtime::TensorAccess::take(ids, "assume_distinct()", where), rows, where);
}

}  // namespace tw::inline v0::unsafe
