// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <tilewright/core/error.hpp>
#include <tilewright/runtime/any_tensor.hpp>

namespace tw::inline v0 {

void AnyTensor::check(DType dtype, int rank, bool to_write, Location where) const {
  const runtime::Layout& layout = state(where).layout;
  if (layout.dtype != dtype || layout.rank() != rank) {
    throw LaunchError(fmt::format("the tensor is of {} and rank {}, not of {} and rank {}",
                                  info(layout.dtype).name, layout.rank(), info(dtype).name, rank),
                      where);
  }
  if (to_write && read_only_) {
    throw LaunchError("the tensor may only be read: ask for a view of it", where);
  }
}

}  // namespace tw::inline v0
