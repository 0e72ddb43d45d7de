// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cstring>
#include <thread>

#include <fmt/format.h>

#include <tilewright/core/error.hpp>
#include <tilewright/interp/program.hpp>

#include "interp/arena.hpp"
#include "interp/order.hpp"
#include "interp/pool.hpp"
#include "interp/preparation.hpp"

namespace tw::inline v0::interp {

namespace detail {

/// An entry as steps, with what a worker writes into its arena before the first block.
struct PreparedKernel {
  PreparedKernel(const ir::Module& module, const ir::Function& function)
      : globals(module), name(function.name), sequential(order_is_seen(function)) {
    for (const ir::Site& site : module.sites) sites.push_back(module.locations[site.location]);
    Preparation preparation(module, function, globals);
    steps = preparation.body();
    presets = preparation.take_presets();
    for (const ir::Value argument : function.body.arguments) {
      const bool is_truth = preparation.type(argument) == ir::tile_type(ElementKind::i1);
      arguments.push_back({preparation.slot(argument), preparation.bytes(argument),
                           is_truth ? std::uint64_t{1} : ~std::uint64_t{0}});
    }
    bytes_below = (preparation.allocator().bytes_below() + 63) / 64 * 64;
    bytes_above = preparation.allocator().bytes_above();
  }

  struct Argument {
    Slot slot;
    std::size_t bytes;
    std::uint64_t mask;
  };

  Globals globals;
  std::string name;
  std::vector<CodePlace> sites;
  bool sequential;
  Steps steps;
  std::vector<Preset> presets;
  std::vector<Argument> arguments;
  std::size_t bytes_below = 0;
  std::size_t bytes_above = 0;
  int fault_argument = -1;
  int serial_argument = -1;
};

}  // namespace detail

namespace {

using detail::PreparedKernel;

const ir::Function& find_entry(const ir::Module& module, std::string_view name, Location where) {
  const auto found = std::ranges::find(module.functions, name, &ir::Function::name);
  if (found == module.functions.end()) {
    throw LaunchError(fmt::format("the module has no entry '{}'", name), where);
  }
  return *found;
}

int position(const std::vector<ir::AbiSlot>& abi, ir::AbiKind kind) {
  const auto found = std::ranges::find(abi, kind, &ir::AbiSlot::kind);
  return found == abi.end() ? -1 : static_cast<int>(found - abi.begin());
}

/// Runs chunks of blocks on the calling thread.
class Worker {
 public:
  Worker(const PreparedKernel& kernel, const Launch& launch,
         std::span<const std::uint64_t> arguments)
      : kernel_(kernel),
        grid_(launch.grid),
        arena_(kernel.bytes_below + kernel.bytes_above),
        frame_(arena_.data() + kernel.bytes_below, launch) {
    for (const Preset& preset : kernel.presets) {
      std::ranges::copy(preset.bytes, frame_.at<std::byte>(preset.slot));
    }
    for (std::size_t k = 0; k < arguments.size(); ++k) {
      const auto& argument = kernel.arguments[k];
      const std::uint64_t value = arguments[k] & argument.mask;
      std::memcpy(frame_.at<std::byte>(argument.slot), &value, argument.bytes);
    }
  }

  void run(Chunks& chunks) {
    for (Range range = chunks.next(); range.first < range.last; range = chunks.next()) {
      for (std::uint64_t block = range.first; block < range.last; ++block) run_block(block);
    }
  }

 private:
  void run_block(std::uint64_t index) {
    frame_.block = {static_cast<std::uint32_t>(index % grid_.x),
                    static_cast<std::uint32_t>(index / grid_.x % grid_.y),
                    static_cast<std::uint32_t>(index / grid_.x / grid_.y)};
    interp::run(kernel_.steps, frame_);
  }

  const PreparedKernel& kernel_;
  Grid grid_;
  Arena arena_;
  Frame frame_;
};

unsigned thread_count(const PreparedKernel& kernel, const RunOptions& options,
                      std::uint64_t blocks) {
  if (kernel.sequential) return 1;
  const unsigned wanted =
      options.threads != 0 ? options.threads : std::max(1u, std::thread::hardware_concurrency());
  return static_cast<unsigned>(std::min<std::uint64_t>(wanted, blocks));
}

[[noreturn]] void report(const FaultRecord& fault, const PreparedKernel& kernel) {
  throw DeviceFault(
      {{fmt::format("{}: check {} failed {} times, first in block ({}, {}, {}): {} is not below {}",
                    kernel.name, fault.site, fault.count, fault.block[0], fault.block[1],
                    fault.block[2], fault.index, fault.bound),
        kernel.sites[fault.site],
        {}}});
}

}  // namespace

Program::Program(const ir::Module& module, std::string_view entry,
                 const std::vector<ir::AbiSlot>& abi, Location where) {
  auto kernel = std::make_shared<PreparedKernel>(module, find_entry(module, entry, where));
  kernel->fault_argument = position(abi, ir::AbiKind::fault_block);
  kernel->serial_argument = position(abi, ir::AbiKind::serial);
  kernel_ = std::move(kernel);
}

void Program::run(Grid grid, std::span<const std::uint64_t> arguments, const RunOptions& options,
                  Location where) const {
  if (arguments.size() != kernel_->arguments.size()) {
    throw LaunchError(fmt::format("{} takes {} arguments, not {}", kernel_->name,
                                  kernel_->arguments.size(), arguments.size()),
                      where);
  }
  const auto argument = [&](int index) { return arguments[static_cast<std::size_t>(index)]; };
  FaultRecord own_record;
  Launch launch{grid, &options, &own_record};
  if (kernel_->fault_argument >= 0) {
    launch.fault = reinterpret_cast<FaultRecord*>(argument(kernel_->fault_argument));
  }
  if (kernel_->serial_argument >= 0) {
    launch.serial = static_cast<std::uint32_t>(argument(kernel_->serial_argument));
  }

  const std::uint64_t blocks = std::uint64_t{grid.x} * grid.y * grid.z;
  if (blocks == 0) return;
  const auto work = [&](Chunks& chunks) { Worker(*kernel_, launch, arguments).run(chunks); };
  // By reference, for which std::function needs no memory.
  share(blocks, thread_count(*kernel_, options, blocks), std::ref(work));
  if (own_record.state == FaultRecord::written) report(own_record, *kernel_);
}

bool Program::sequential() const noexcept { return kernel_->sequential; }

}  // namespace tw::inline v0::interp
