// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/runtime/executor.hpp>
#include <tilewright/runtime/mark.hpp>

namespace tw::inline v0::runtime::cuda {

/// Hands `resumption` to the executor when a command of a GPU has run, from the one thread of the
/// library that watches GPUs for all tasks. Without memory or a thread for that, the caller waits.
void post_when_reached(Mark mark, Executor& executor, Resumption resumption) noexcept;

}  // namespace tw::inline v0::runtime::cuda
