// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <tilewright/core/error.hpp>
#include <tilewright/runtime/tensor_state.hpp>

namespace tw::inline v0::runtime {

void Ownership::refuse(Location where) const {
  Diagnostic diagnostic{.message = "the tensor was moved away", .where = where};
  if (consumer_ != nullptr) {
    diagnostic.notes.push_back({fmt::format("taken by {}", consumer_), consumed_at_});
  }
  throw LaunchError({std::move(diagnostic)});
}

}  // namespace tw::inline v0::runtime
