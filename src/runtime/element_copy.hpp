// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <tilewright/runtime/layout.hpp>

namespace tw::inline v0::runtime {

/// Copies all elements between host memory: from where `from_layout` says, counted from `from`, to
/// where `to_layout` says, counted from `to`. Both have the same type and extents.
void copy_elements(std::byte* to, const Layout& to_layout, const std::byte* from,
                   const Layout& from_layout) noexcept;

/// The bytes of a layout whose elements share them, in place of its elements.
[[nodiscard]] Layout in_bytes(const Layout& layout) noexcept;

}  // namespace tw::inline v0::runtime
