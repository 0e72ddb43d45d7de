// SPDX-License-Identifier: Apache-2.0
#include "interp/globals.hpp"

#include <algorithm>
#include <new>

#include "interp/packing.hpp"
#include "interp/storage.hpp"

namespace tw::inline v0::interp {

void Globals::Free::operator()(std::byte* memory) const {
  ::operator delete[](memory, std::align_val_t{alignment});
}

Globals::Globals(const ir::Module& module) {
  for (const ir::Global& global : module.globals) {
    const ir::TileType& type = global.type.tile();
    const ElementKind kind = type.kind();
    const auto count = static_cast<std::size_t>(product(type.shape));
    const std::size_t bytes = info(kind).storage_bytes();
    const std::size_t alignment = std::max<std::size_t>(global.alignment, 64);
    auto* memory = new (std::align_val_t{alignment}) std::byte[count * bytes];
    for (std::size_t k = 0; k < count; ++k) {
      fill(memory + k * bytes, to_storage(ir::element_bits(global.value, kind, k), kind), bytes, 1);
    }
    if (info(kind).memory_bits == 4) pack_nibbles(memory, memory, count);
    memory_.emplace(global.name, std::unique_ptr<std::byte[], Free>(memory, Free{alignment}));
  }
}

}  // namespace tw::inline v0::interp
