// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

namespace tw::testing {

/// The `E` that `call` throws.
template <class E, class Call>
E thrown_by(Call&& call) {
  try {
    call();
  } catch (const E& error) {
    return error;
  }
  throw std::logic_error("nothing was thrown");
}

}  // namespace tw::testing
