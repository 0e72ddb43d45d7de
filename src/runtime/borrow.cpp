// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include <fmt/format.h>

#include <tilewright/core/error.hpp>
#include <tilewright/runtime/borrow.hpp>

namespace tw::inline v0::detail {

runtime::TensorState borrowed(Loan loan, const runtime::Layout& layout, Location where) {
  if (loan.bytes == 0) loan.bytes = static_cast<std::size_t>(runtime::end_in_bytes(layout));
  return {runtime::Storage::borrow(std::move(loan), where), layout};
}

runtime::TensorState borrowed_values(DType dtype, const void* values, std::size_t count,
                                     bool read_only, Shape extents, Location where) {
  const runtime::Layout layout = runtime::row_major(dtype, std::move(extents), where);
  if (layout.size() != static_cast<std::int64_t>(count)) {
    throw LaunchError(
        fmt::format("{} values do not make a {} tensor", count, to_string(layout.extents)), where);
  }
  return borrowed({.address = const_cast<void*>(values), .read_only = read_only, .scoped = true},
                  layout, where);
}

}  // namespace tw::inline v0::detail
