// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <tilewright/core/error.hpp>
#include <tilewright/runtime/tensor_state.hpp>

namespace tw::inline v0::runtime {

void make_read_only(const TensorState& tensor) noexcept {
  const auto end = static_cast<std::size_t>(end_in_bytes(tensor.layout));
  const bool is_all = tensor.layout.offset == 0 && end == tensor.storage->bytes();
  if (is_all) tensor.storage->set_read_only();
}

void Ownership::refuse(Location where) const {
  Diagnostic diagnostic{.message = "the tensor was moved away", .where = where};
  if (consumer_ != nullptr) {
    diagnostic.notes.push_back({fmt::format("taken by {}", consumer_), consumed_at_});
  }
  throw LaunchError({std::move(diagnostic)});
}

}  // namespace tw::inline v0::runtime
