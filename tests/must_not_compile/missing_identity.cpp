// SPDX-License-Identifier: Apache-2.0
// Tiles that are reduced together have one identity each.
// expect: one identity for each tile
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 1> c, In1<float> a) {
  auto x = a.tiles<64>()(0);
  auto [sum, squares] = reduce<0>(std::tuple{x, x * x}, std::tuple{0.f}, [](auto a, auto b) {
    return std::tuple{std::get<0>(a) + std::get<0>(b), std::get<1>(a) + std::get<1>(b)};
  });
  c.store(sum + squares);
}
