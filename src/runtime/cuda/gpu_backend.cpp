// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <utility>

#include <fmt/format.h>

#include <tilewright/core/error.hpp>
#include <tilewright/core/os.hpp>

#include "runtime/cuda/executable.hpp"

namespace tw::inline v0::runtime::cuda {
namespace {

DeviceCode assemble(const ir::Kernel& kernel, const backend::Target& target,
                    const backend::Options& options) {
  static_cast<void>(kernel);
  static_cast<void>(options);
  throw CompilerError(fmt::format("no backend generates code for sm_{}", target.sm), Location());
}

class GpuBackend final : public backend::Backend {
 public:
  [[nodiscard]] const char* name() const noexcept override { return "tileiras"; }
  [[nodiscard]] std::shared_ptr<const backend::Executable> compile(
      const ir::Kernel& kernel, const backend::Target& target,
      const backend::Options& options) override {
    return std::make_shared<Executable>(kernel, assembler_(kernel, target, options));
  }

  void replace(Assembler assembler) { assembler_ = std::move(assembler); }

 private:
  Assembler assembler_ = assemble;
};

GpuBackend& the_backend() {
  static GpuBackend& only = *new GpuBackend;
  return only;
}
const os::MadeBeforeForks<the_backend> made;

}  // namespace

backend::Backend& gpu_backend() noexcept { return the_backend(); }

void replace_assembler(Assembler assembler) {
  the_backend().replace(assembler ? std::move(assembler) : Assembler(assemble));
}

}  // namespace tw::inline v0::runtime::cuda
