// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstring>
#include <thread>

#include <fmt/format.h>

#include <tilewright/core/error.hpp>
#include <tilewright/core/log.hpp>
#include <tilewright/runtime/checks.hpp>
#include <tilewright/runtime/launch_state.hpp>
#include <tilewright/runtime/submit.hpp>

#include "runtime/facts.hpp"
#include "runtime/few.hpp"
#include "runtime/grid.hpp"
#include "runtime/launch_command.hpp"
#include "runtime/packing.hpp"
#include "runtime/specialised.hpp"
#include "runtime/validation.hpp"

namespace tw::inline v0::detail {
namespace {

/// Launches that touch less memory than this are not worth handing to another thread.
constexpr std::uintptr_t small_launch_bytes = 16 * 1024;

backend::Target target_of(Device device) {
  // A GPU's architecture comes with its driver.
  static_cast<void>(device);
  return {};
}

/// The blocks that a device holds at once.
std::int64_t resident_blocks() {
  static const std::int64_t processors = std::max(1u, std::thread::hardware_concurrency());
  return processors;
}

/// The hints for all architectures with those for this one on top.
Hints hints_for(const LaunchState& launch, const backend::Target& target) {
  Hints hints = launch.hints;
  for (const ArchitectureHints& row : launch.architecture_hints) {
    if (row.architecture.sm != target.sm) continue;
    if (row.hints.blocks) hints.blocks = row.hints.blocks;
    if (row.hints.swizzle) hints.swizzle = row.hints.swizzle;
    if (row.hints.occupancy) hints.occupancy = row.hints.occupancy;
    if (row.hints.ctas) hints.ctas = row.hints.ctas;
    if (row.hints.worker_warps) hints.worker_warps = row.hints.worker_warps;
  }
  return hints;
}

void check_hints(const Hints& hints, Problems& problems) {
  if (hints.blocks.value_or(1) < 1) problems.add("the hint .blocks is below one");
  if (hints.swizzle.value_or(0) < 0) problems.add("the hint .swizzle is negative");
  const std::int32_t occupancy = hints.occupancy.value_or(1);
  if (occupancy < 1 || occupancy > 32) problems.add("the hint .occupancy is not from 1 to 32");
  const std::int32_t ctas = hints.ctas.value_or(1);
  if (ctas < 1 || ctas > 16 || !std::has_single_bit(static_cast<std::uint32_t>(ctas))) {
    problems.add("the hint .ctas is not a power of two from 1 to 16");
  }
  const std::int32_t warps = hints.worker_warps.value_or(4);
  if (warps != 4 && warps != 8) problems.add("the hint .worker_warps is neither 4 nor 8");
}

/// One launch between its call and its command.
class Engine {
 public:
  Engine(LaunchState& launch, const StreamRef& stream, Location where)
      : launch_(launch),
        stream_(stream),
        where_(where),
        device_(stream.device(where)),
        target_(target_of(device_)),
        hints_(hints_for(launch, target_)) {}

  Event run() {
    check();
    if (schedule_.grid.product() == 0) return {};
    append_key();
    return submit(choose_variant(find()));
  }

 private:
  [[nodiscard]] ArgumentTable table() const noexcept {
    return {launch_.arguments, launch_.tensors};
  }

  void check() {
    Problems problems(launch_, where_);
    check_hints(hints_, problems);
    GridConflict conflict;
    if (!find_common_grid(launch_.arguments, launch_.tensors, common_, conflict)) {
      problems.add(fmt::format("{} has {} blocks, but {} has {}", problems.argument(conflict.first),
                               to_string(conflict.first_counts), problems.argument(conflict.second),
                               to_string(conflict.second_counts)));
    }
    schedule_ = schedule(common_, hints_, resident_blocks());
    if (schedule_.grid.product() > max_places) {
      problems.add("the outputs are cut into 2^31 blocks or more: cut larger ones");
    }
    check_memory(launch_, device_, problems);
    problems.raise();
  }

  /// Lists count their places as they go, so that the kernel takes no grid from the launch.
  [[nodiscard]] int grid_rank() const noexcept { return common_.list ? 0 : schedule_.grid.rank; }

  /// Completes the key that begins with the constants.
  void append_key() {
    wide_ = needs_wide_index(launch_.tensors);
    const auto field = [](std::uint64_t value, int begin) { return value << begin; };
    launch_.key.push_back(field(static_cast<std::uint64_t>(target_.sm), 0) |
                          field(static_cast<std::uint64_t>(device_.index()), 16) |
                          field(static_cast<std::uint64_t>(grid_rank()), 32) | field(wide_, 36) |
                          field(schedule_.linear, 37) | field(schedule_.persistent, 38) |
                          field(common_.list, 39) |
                          field(static_cast<std::uint64_t>(check_mode()), 40));
    launch_.key.push_back(field(static_cast<std::uint64_t>(schedule_.swizzle), 0) |
                          field(static_cast<std::uint64_t>(hints_.occupancy.value_or(0)), 32) |
                          field(static_cast<std::uint64_t>(hints_.ctas.value_or(0)), 40) |
                          field(static_cast<std::uint64_t>(hints_.worker_warps.value_or(0)), 48));
    facts_begin_ = launch_.key.size();
    append_facts(table(), launch_.key);
  }

  Specialised& find() {
    if (Specialised* found = launch_.kernel->table->find(launch_.key)) return *found;
    report_idle_hints();
    return launch_.kernel->table->add(
        std::make_unique<Specialised>(launch_.key, specialisation(), target_));
  }

  [[nodiscard]] Specialisation specialisation() const {
    Specialisation result;
    result.kernel = launch_.kernel->name;
    result.parameters = facts_from(launch_.arguments, std::span(launch_.key).subspan(facts_begin_));
    result.wide_index = wide_;
    result.grid_rank = static_cast<std::int8_t>(grid_rank());
    result.linear_grid = schedule_.linear;
    result.swizzle = schedule_.swizzle;
    result.persistent = schedule_.persistent;
    result.checks = check_mode();
    if (target_.is_cpu()) return result;
    const auto add = [&](const char* name, std::optional<std::int32_t> value) {
      if (value) result.hints[name] = std::int64_t{*value};
    };
    add("occupancy", hints_.occupancy);
    add("num_cta_in_cga", hints_.ctas);
    add("num_worker_warps_per_cta", hints_.worker_warps);
    return result;
  }

  /// Says which hints a new specialisation leaves without effect.
  void report_idle_hints() const {
    const auto report = [&](bool idle, const char* hint, const char* reason) {
      if (!idle) return;
      write_log(LogLevel::warning, fmt::format("{}: the hint .{} has no effect: {}",
                                               launch_.kernel->name, hint, reason));
    };
    report(hints_.swizzle.value_or(0) > 0 && schedule_.swizzle == 0, "swizzle",
           "fewer than two axes are cut");
    report(hints_.blocks && common_.deals && common_.counted_by >= 0, "blocks",
           "an output counts the blocks that others are dealt over");
    const bool cpu = target_.is_cpu();
    report(cpu && hints_.occupancy, "occupancy", "the CPU has no multiprocessors");
    report(cpu && hints_.ctas, "ctas", "the CPU has no thread blocks");
    report(cpu && hints_.worker_warps, "worker_warps", "the CPU has no warps");
  }

  /// Fills `launch_.words` with the arguments of the entry and returns the code that may run them.
  const Variant& choose_variant(Specialised& specialised) {
    const passes::Prepared& traced = specialised.traced(*launch_.kernel, launch_, where_);
    pack_arguments(traced.kernel.abi);
    const std::array<std::int64_t, 3> blocks = {schedule_.blocks[0], schedule_.blocks[1],
                                                schedule_.blocks[2]};
    const Variant& variant =
        specialised.variant(specialised.predicate_holds(launch_.words, blocks));
    if (launch_.deny_device_checks && variant.device_checks > 0) {
      throw LaunchError(
          fmt::format("{}: {} checks are left on the device, which this launch denies",
                      launch_.kernel->name, variant.device_checks),
          where_);
    }
    return variant;
  }

  void pack_arguments(std::span<const ir::AbiSlot> slots) {
    std::vector<const std::byte*> lists;
    for (std::size_t i = 0; i < launch_.arguments.size(); ++i) {
      if (!launch_.arguments[i].list) continue;
      lists.resize(launch_.arguments.size());
      lists[i] = place_list(launch_.arguments[i]);
    }
    launch_.words.resize(slots.size());
    pack(table(), schedule_, lists.data(), slots, launch_.words);
  }

  /// Puts the table of a list where the kernel can read it.
  const std::byte* place_list(const HostArgument& argument) {
    const std::vector<std::uint64_t> rows = list_rows(table().tensors_of(argument));
    const std::size_t bytes = rows.size() * sizeof(std::uint64_t);
    runtime::StorageRef storage = runtime::Storage::allocate(device_, bytes, where_);
    std::memcpy(storage->data(), rows.data(), bytes);
    return launch_.storages.emplace_back(std::move(storage))->data();
  }

  Event submit(const Variant& variant) {
    const std::size_t storages = launch_.storages.size();
    Few<runtime::Use, 8> uses(storages);
    LaunchCommand command{
        .order = {launch_.kernel->name,
                  &variant,
                  where_,
                  {schedule_.blocks[0], schedule_.blocks[1], schedule_.blocks[2]}},
        .arguments = Few<std::uint64_t, 16>(variant.executable->parameters().size()),
        .leases = Few<runtime::Lease, 6>(storages)};
    std::ranges::copy(launch_.words, command.arguments.span().begin());
    std::size_t read = storages;
    for (std::size_t i = 0; i < storages; ++i) {
      const bool written = i < launch_.tensors.size() && launch_.tensors[i].written;
      runtime::StorageRef& storage = launch_.storages[i];
      uses[i] = {storage.get(), written ? runtime::Access::write : runtime::Access::read};
      command.leases[written ? command.written++ : --read] = runtime::Lease(storage);
    }
    return runtime::submit(stream_, uses.span(), std::move(command), run_on(), where_);
  }

  [[nodiscard]] runtime::RunOn run_on() const {
    std::uintptr_t bytes = 0;
    for (const TensorUse& tensor : launch_.tensors) {
      const ByteRange range = bytes_of(tensor);
      bytes += range.end - range.begin;
    }
    return bytes <= small_launch_bytes ? runtime::RunOn::caller_if_idle : runtime::RunOn::worker;
  }

  LaunchState& launch_;
  const StreamRef& stream_;
  Location where_;
  Device device_;
  backend::Target target_;
  Hints hints_;
  CommonGrid common_;
  Schedule schedule_;
  bool wide_ = false;
  std::size_t facts_begin_ = 0;
};

}  // namespace

Event enqueue(LaunchHandle launch, const StreamRef& stream, Location where) {
  return Engine(*launch, stream, where).run();
}

void wait(Event launched, Location where) {
  // An empty grid enqueues nothing.
  if (launched != Event()) runtime::collect(launched, where);
}

StreamRef stream_of(const LaunchState& launch, Location where) {
  const Device device =
      launch.storages.empty() ? default_device(where) : launch.storages.front()->device();
  return current_stream(device, where);
}

}  // namespace tw::inline v0::detail
