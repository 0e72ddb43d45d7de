// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include <tilewright/backend/tileiras/cubin.hpp>

namespace tw::inline v0::backend::tileiras {

/// What a cubin says about one of its entries; nothing when it is no cubin, or has no such entry.
/// The layout is that of ELF for 64 bits; of the attributes in `.nv.info`, which no document
/// describes, those are read that every toolkit since 11 writes.
TILEWRIGHT_API std::optional<Resources> resources_of(std::span<const std::byte> cubin,
                                                     std::string_view entry);

}  // namespace tw::inline v0::backend::tileiras
