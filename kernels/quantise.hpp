// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <tilewright/kernel.hpp>

namespace tw::kernels {

/// Blocks of 16 elements scaled to signed 4-bit codes, two to a byte; the scales lie in 32 x 4 x 4
/// order. x is (rows, columns), packed (rows, columns / 2) cut {128, 32}, scales (rows / 128,
/// columns / 64, 512) cut {1, 1, 512}, all rounded up: what is missing of x counts as zeros.
inline void quantise_blocks(Out<std::uint8_t, dyn, dyn> packed, Out<float, 1, 1, 512> scales,
                            In2<float> x) {
  auto [m, n] = packed.block();
  auto v = reshape(x.tiles(128, 64)(m, n), 128, 4, 16);
  auto scale = max(max<2>(abs(v)) / 7.f, 1e-5f);
  scales.store(reshape(permute<2, 1, 0, 3>(reshape(scale, 4, 32, 1, 4)), 1, 1, 512));
  auto code = as<int>(v / scale + 8.5f);
  auto pair = reshape(code, 128, 32, 2);
  packed.store(
      as<std::uint8_t>(squeeze<2>(extract<2>(pair, 1, 0) | (extract<2>(pair, 1, 1) << 4))));
}

/// Rows scaled so that their largest element becomes `largest`, rounded to Q (an fp8 type): y is
/// cut {rows, all}.
template <class Q, class T, int M = dyn, int N = dyn>
void quantise_rows(Out<Q, M, N> y, Out<float, M> scales, In2<T> x, float largest) {
  auto v = as<float>(x.load_like(y));
  auto scale = max(max<1>(abs(v)) / largest, 1e-12f);
  scales.store(squeeze<1>(scale));
  y.store(as<Q>(v / scale));
}

}  // namespace tw::kernels
