// SPDX-License-Identifier: Apache-2.0
#include "backend/interp/interpreter.hpp"

#include <tilewright/core/log.hpp>
#include <tilewright/interp/program.hpp>

namespace tw::inline v0::backend {
namespace {

class InterpretedKernel final : public Executable {
 public:
  explicit InterpretedKernel(const ir::Kernel& kernel)
      : Executable(kernel), program_(kernel.module, kernel.entry().name, kernel.abi) {
    options_.print = [](std::string_view text) { write_log(LogLevel::info, text); };
    ir::walk(kernel.entry().body, [&](const ir::Op&) { ++ops_; });
  }

  [[nodiscard]] std::size_t byte_size() const noexcept override { return ops_ * sizeof(ir::Op); }

  void enqueue(Queue, const Grid& grid, std::span<const std::uint64_t> arguments) const override {
    program_.run({grid.x, grid.y, grid.z}, arguments, options_);
  }

 private:
  interp::Program program_;
  interp::RunOptions options_;
  std::size_t ops_ = 0;
};

}  // namespace

std::shared_ptr<const Executable> Interpreter::compile(const ir::Kernel& kernel, const Target&,
                                                       const Options&) {
  return std::make_shared<InterpretedKernel>(kernel);
}

}  // namespace tw::inline v0::backend
