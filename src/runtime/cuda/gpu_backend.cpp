// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <tilewright/cache/bundle.hpp>
#include <tilewright/cache/cache.hpp>
#include <tilewright/cache/compiled.hpp>
#include <tilewright/core/os.hpp>

#include "runtime/cuda/executable.hpp"

namespace tw::inline v0::runtime::cuda {
namespace {

/// Names files of kernels that were compiled elsewhere, with colons between them.
constexpr const char* variable = "TILEWRIGHT_BUNDLES";

std::unique_ptr<cache::Cache> make_cache() {
  auto made = std::make_unique<cache::Cache>();
  const std::string files = os::environment(variable).value_or("");
  for (std::string_view rest = files; !rest.empty();) {
    const std::string_view file = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(rest.size(), file.size() + 1));
    if (!file.empty()) made->add(cache::open_bundle(std::string(file)));
  }
  return made;
}

/// What is compiled is kept for this process and the next ones. Never destroyed, since threads
/// outlive static objects; a forked child, which needs one of its own, uses no GPU.
cache::Cache& code_cache() {
  static cache::Cache& only = *make_cache().release();
  return only;
}

DeviceCode assemble(const ir::Kernel& kernel, const backend::Target& target,
                    const backend::Options& options) {
  backend::tileiras::Cubin cubin = cache::compile_cached(
      code_cache(), kernel, target,
      {.optimization_level = options.optimization_level, .kernel = kernel.entry().name});
  return {std::move(cubin.bytes), std::move(cubin.entry)};
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
