// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/core/error.hpp>
#include <tilewright/dsl/trace_kernel.hpp>

namespace tw::inline v0::runtime {

/// Throws LaunchError when the calling thread is recording a kernel: its code must not depend on
/// what the host has at that moment, and it cannot wait for itself.
inline void refuse_while_recording(Location where) {
  if (detail::is_recording()) {
    throw LaunchError(
        "a kernel is being recorded here: it cannot launch, copy, read tensors or wait on the host",
        where);
  }
}

}  // namespace tw::inline v0::runtime
