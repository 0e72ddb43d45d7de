// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <numeric>
#include <vector>

#include <tilewright/kernel.hpp>
#include <tilewright/runtime/create.hpp>
#include <tilewright/runtime/launch.hpp>
#include <tilewright/runtime/transfer.hpp>

/// Small kernels that the tests of launches share.
namespace tw::tests {

template <class T, int B = dyn>
void add(Out<T, B> z, In1<T> x, In1<T> y) {
  z.store(x.load_like(z) + y.load_like(z));
}

template <class T>
void add_matrices(Out<T, dyn, dyn> z, In2<T> x, In2<T> y) {
  z.store(x.load_like(z) + y.load_like(z));
}

inline void increment(InOut<int, dyn> x, Int by) { x.store(x.load() + by); }

/// 0, 1, 2, ... on the CPU.
template <class T>
Tensor<T, 1> counting(std::int64_t count) {
  std::vector<T> values(static_cast<std::size_t>(count));
  std::iota(values.begin(), values.end(), T{});
  return from_host<T>(Device::cpu(), values);
}

}  // namespace tw::tests
