// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>

#include <tilewright/core/error.hpp>
#include <tilewright/driver/types.hpp>
#include <tilewright/runtime/submit.hpp>

namespace tw::inline v0::runtime::cuda {

/// Has a command issue work to its stream; an error is kept for those who read `written`.
template <class Issue>
void issue(Execution& execution, const Lease& written, const Issue& work) {
  try {
    work(execution.native());
  } catch (const DeviceError&) {
    execution.fail(std::current_exception(), {&written, 1});
  }
}

inline driver::DevicePointer address_of(const Lease& storage, std::size_t offset = 0) noexcept {
  return reinterpret_cast<driver::DevicePointer>(detail::memory_of(*storage)) + offset;
}

}  // namespace tw::inline v0::runtime::cuda
