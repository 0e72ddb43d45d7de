// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/kernel.hpp>

namespace tw::kernels {

/// z = x + y, element by element.
template <class T, int B = dyn>
void vadd(Out<T, B> z, In1<T> x, In1<T> y) {
  z.store(x.load_like(z) + y.load_like(z));
}

}  // namespace tw::kernels
