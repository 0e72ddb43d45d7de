// SPDX-License-Identifier: Apache-2.0
#include "runtime/frozen_part.hpp"

#include <algorithm>

#include <tilewright/core/error.hpp>

namespace tw::inline v0::runtime {

detail::TensorGeometry geometry_of(const Storage& storage, const Layout& layout) {
  detail::TensorGeometry geometry{.address = detail::memory_of(storage) + layout.offset,
                                  .dtype = layout.dtype,
                                  .rank = static_cast<std::int8_t>(layout.rank())};
  std::ranges::copy(layout.extents, geometry.extents);
  std::ranges::copy(layout.strides, geometry.strides);
  return geometry;
}

const FrozenPart* frozen_part_of(const detail::TensorGeometry& written, const FrozenPart* latest,
                                 const FrozenPart* clear_of, const Storage& storage) noexcept {
  for (const FrozenPart* part = latest; part != clear_of; part = part->earlier) {
    if (!detail::proved_disjoint(written, part->elements, detail::memory_of(storage))) return part;
  }
  return nullptr;
}

void refuse_write(const FrozenPart& part, Location where) {
  throw LaunchError({{.message = "the memory to write is read-only: it was shared",
                      .where = where,
                      .notes = {{"shared here", part.shared_at}}}});
}

}  // namespace tw::inline v0::runtime
