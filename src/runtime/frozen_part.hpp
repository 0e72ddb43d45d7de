// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/core/location.hpp>
#include <tilewright/runtime/geometry.hpp>
#include <tilewright/runtime/layout.hpp>
#include <tilewright/runtime/storage.hpp>

namespace tw::inline v0::runtime {

/// Elements of a storage that nobody may write any more. A storage chains its own until it goes.
struct FrozenPart {
  detail::TensorGeometry elements;
  Location shared_at;
  const FrozenPart* earlier;
};

/// Where the elements of a layout lie in a storage.
[[nodiscard]] detail::TensorGeometry geometry_of(const Storage& storage, const Layout& layout);

/// The frozen part that some element of `written` may belong to, of `latest` and earlier ones up to
/// `clear_of`, which is known to have none; null when there is no such part.
[[nodiscard]] const FrozenPart* frozen_part_of(const detail::TensorGeometry& written,
                                               const FrozenPart* latest, const FrozenPart* clear_of,
                                               const Storage& storage) noexcept;

/// Throws LaunchError for a write of a frozen part, with the line that shared it.
[[noreturn]] void refuse_write(const FrozenPart& part, Location where);

}  // namespace tw::inline v0::runtime
