// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fake_gpu.hpp"

#include <cstring>
#include <memory>
#include <mutex>
#include <utility>

#include <tilewright/backend/tileiras/compile.hpp>
#include <tilewright/cache/bundle.hpp>
#include <tilewright/cache/cache.hpp>
#include <tilewright/cache/compiled.hpp>
#include <tilewright/interp/program.hpp>
#include <tilewright/passes/lower_checks.hpp>

#include "runtime/cuda/gpu.hpp"

namespace tw::tests {
namespace {

bool is_address(const ir::AbiSlot& slot) {
  return slot.kind == ir::AbiKind::base || slot.kind == ir::AbiKind::ids ||
         slot.kind == ir::AbiKind::rows || slot.kind == ir::AbiKind::fault_block;
}

std::size_t bytes_of(const ir::AbiSlot& slot) {
  return is_address(slot) ? 8 : static_cast<std::size_t>(info(slot.element).memory_bits) / 8;
}

bool reads_memory(ir::Opcode code) {
  return code == ir::Opcode::load_ptr_tko || code == ir::Opcode::load_view_tko;
}

bool writes_memory(ir::Opcode code) {
  switch (code) {
    case ir::Opcode::store_ptr_tko:
    case ir::Opcode::store_view_tko:
    case ir::Opcode::atomic_cas_tko:
    case ir::Opcode::atomic_rmw_tko:
    case ir::Opcode::atomic_red_view_tko:
      return true;
    default:
      return false;
  }
}

/// Which arguments of an entry lead to what it writes. What is loaded leads nowhere: lists of
/// tensors are not followed.
class WrittenArguments {
 public:
  explicit WrittenArguments(const ir::Function& entry)
      : roots_(entry.types.size(), std::vector<bool>(entry.body.arguments.size())),
        written_(entry.body.arguments.size()) {
    for (std::size_t i = 0; i < written_.size(); ++i) {
      roots_[entry.body.arguments[i].index][i] = true;
    }
    ir::walk(entry.body, [this](const ir::Op& op) { follow(op); });
  }
  [[nodiscard]] bool operator[](std::size_t argument) const { return written_[argument]; }

 private:
  void follow(const ir::Op& op) {
    std::vector<bool> reached(written_.size());
    for (const ir::Value operand : op.operands) join(reached, roots_[operand.index]);
    if (writes_memory(op.code)) join(written_, reached);
    if (reads_memory(op.code) || writes_memory(op.code)) return;
    for (const ir::Value result : op.results) join(roots_[result.index], reached);
    for (const ir::Block& region : op.regions) {
      for (const ir::Value argument : region.arguments) join(roots_[argument.index], reached);
    }
  }
  static void join(std::vector<bool>& all, const std::vector<bool>& more) {
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = all[i] || more[i];
  }

  std::vector<std::vector<bool>> roots_;  ///< of each value, the arguments
  std::vector<bool> written_;
};

/// A kernel of the runtime as one of the fake driver. Of each tensor, the first byte stands for
/// all.
FakeKernel fake_kernel(const ir::Kernel& kernel) {
  const ir::Kernel lowered = passes::lower_checks(kernel);
  const interp::Program program(lowered.module, lowered.entry().name, lowered.abi);
  const WrittenArguments written(lowered.entry());
  const std::vector<ir::AbiSlot> slots = lowered.abi;
  FakeKernel result;
  for (const ir::AbiSlot& slot : slots) result.parameter_bytes.push_back(bytes_of(slot));
  result.accesses = [slots, written](const FakeArguments& arguments) {
    std::vector<Access> accesses;
    for (std::size_t i = 0; i < slots.size(); ++i) {
      const auto* address = is_address(slots[i]) ? arguments.pointer<std::byte>(i) : nullptr;
      if (address != nullptr)
        accesses.push_back(written[i] ? writes(address, 1) : reads(address, 1));
    }
    return accesses;
  };
  result.run = [slots, program](const FakeArguments& arguments) {
    std::vector<std::uint64_t> words(slots.size());
    for (std::size_t i = 0; i < slots.size(); ++i) {
      std::memcpy(&words[i], arguments.value(i).data(), arguments.value(i).size());
    }
    const driver::Extent3 grid = arguments.grid();
    program.run({grid.x, grid.y, grid.z}, words, {.threads = 1});
  };
  return result;
}

/// Everything that was assembled so far: the runtime keeps code for longer than one GPU lives.
struct Assembled {
  std::mutex mutex;
  std::map<std::string, FakeKernel> kernels;
  std::vector<ir::Kernel> sources;
};
Assembled& assembled() {
  static Assembled all;
  return all;
}

}  // namespace

FakeGpu::FakeGpu(std::vector<FakeDevice> devices) : driver_(std::move(devices)) {
  for (const auto& [name, kernel] : assembled().kernels) driver_.define(name, kernel);
  runtime::cuda::replace_assembler([this](const ir::Kernel& kernel, const backend::Target&,
                                          const backend::Options&) { return assemble(kernel); });
}

FakeGpu::~FakeGpu() {
  runtime::cuda::release_gpus();
  runtime::cuda::replace_assembler({});
}

runtime::cuda::DeviceCode FakeGpu::assemble(const ir::Kernel& kernel) {
  Assembled& all = assembled();
  const std::scoped_lock lock(all.mutex);
  std::string name = kernel.entry().name + "_" + std::to_string(all.kernels.size());
  driver_.define(name, all.kernels.emplace(name, fake_kernel(kernel)).first->second);
  all.sources.push_back(kernel);
  return {std::vector<std::byte>(1), std::move(name)};
}

// Kernels that differ in their source lines alone have one key.
void FakeGpu::write_bundle(const std::string& path, int sm) {
  namespace tileiras = backend::tileiras;
  cache::Cache cache;
  std::map<std::vector<std::byte>, std::vector<std::byte>> code;
  for (const ir::Kernel& kernel : assembled().sources) {
    const backend::Target target{sm};
    code.try_emplace(cache::bundle_key(tileiras::assembly_of(kernel, target)),
                     tileiras::to_bytes(cache::compile_cached(cache, kernel, target)));
  }
  const std::string arch = "sm_" + std::to_string(sm);
  std::vector<cache::BundleEntry> entries;
  for (const auto& [key, blob] : code) entries.push_back({key, arch, blob});
  cache::write_bundle(path, entries);
}

std::map<std::string, std::size_t> FakeGpu::left_over() {
  runtime::cuda::release_gpus();
  return driver_.live();
}

}  // namespace tw::tests
