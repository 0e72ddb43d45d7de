// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tw::inline v0::runtime {

/// Whether the calling thread is the runtime's own, on which tasks go on by default.
[[nodiscard]] bool on_completion_thread() noexcept;

}  // namespace tw::inline v0::runtime
