// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/backend/backend.hpp>

namespace tw::inline v0::backend {

/// Runs kernels on the CPU by the reference interpreter: slow, and exact.
class Interpreter final : public Backend {
 public:
  [[nodiscard]] const char* name() const noexcept override { return "interpreter"; }
  [[nodiscard]] std::shared_ptr<const Executable> compile(const ir::Kernel& kernel,
                                                          const Target& target,
                                                          const Options& options) override;
};

}  // namespace tw::inline v0::backend
