// SPDX-License-Identifier: Apache-2.0
#include "runtime/engine.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <thread>

#include <fmt/format.h>

#include <tilewright/core/error.hpp>
#include <tilewright/core/log.hpp>
#include <tilewright/core/os.hpp>
#include <tilewright/runtime/checks.hpp>

#include "core/per_thread.hpp"
#include "runtime/cuda/gpu.hpp"
#include "runtime/few.hpp"
#include "runtime/hint_rules.hpp"
#include "runtime/launch_command.hpp"
#include "runtime/packing.hpp"
#include "runtime/recording.hpp"
#include "runtime/write_bytes.hpp"

namespace tw::inline v0::detail {
namespace {

/// Launches that touch less memory than this are not worth handing to another thread.
constexpr std::uintptr_t small_launch_bytes = 16 * 1024;

backend::Target target_of(Device device, Location where) {
  if (device == Device::cpu()) return {};
  return runtime::cuda::gpu_of(device, where).target();
}

/// The blocks that the CPU runs at once.
std::int64_t processors() {
  static const std::int64_t number = std::max(1u, std::thread::hardware_concurrency());
  return number;
}
const os::MadeBeforeForks<processors> made;

/// The blocks that a device holds at once.
std::int64_t resident_blocks(Device device, Location where) {
  if (device == Device::cpu()) return processors();
  return runtime::cuda::gpu_of(device, where).multiprocessors();
}

/// A number at a place of a key's word.
template <class T>
constexpr std::uint64_t field(T value, int begin) noexcept {
  return static_cast<std::uint64_t>(value) << begin;
}

void require(const LaunchHandle& launch, Location where) {
  if (!launch) throw LaunchError("the launch was run before, or moved away", where);
}

}  // namespace

Engine::Engine(LaunchState& launch, const StreamRef& stream, Location where)
    : launch_(launch),
      stream_(stream),
      where_(where),
      request_{stream.device(where), check_mode(), {}, launch.hinted},
      target_(target_of(request_.device, where)) {
  if (launch.hinted) request_.hints = hints_for(launch, target_);
}

const Variant* Engine::prepare() {
  Plans* plans = launch_.problems.empty() && !verify_traces() ? per_thread<Plans>() : nullptr;
  const Plan* plan = plans == nullptr ? nullptr : plans->find(launch_, request_);
  const Variant* variant = plan == nullptr ? work_out(plans) : &follow(*plan);
  if (launch_.deny_device_checks && variant != nullptr && variant->device_checks > 0) {
    refuse_device_checks(*variant);
  }
  return variant;
}

const Variant& Engine::follow(const Plan& plan) {
  plan.apply(launch_);
  Problems problems(launch_, where_);
  check_storages(launch_, request_.device, problems);
  problems.raise();
  schedule_.blocks = plan.blocks();
  return plan.variant(launch_, where_);
}

const Variant* Engine::work_out(Plans* plans) {
  check();
  if (schedule_.grid.product() == 0) return nullptr;
  append_key();
  Specialised& specialised = find();
  const passes::Prepared& traced = specialised.traced(*launch_.kernel, launch_, where_);
  check_zipped(traced.kernel);
  if (verify_traces()) specialised.verify(*launch_.kernel, launch_, where_);
  pack_arguments(traced.kernel.abi);
  if (plans != nullptr && Plan::possible(launch_)) {
    const auto constants = std::span(launch_.key).first(constants_end_);
    return &plans
                ->add(std::make_unique<Plan>(launch_, constants, request_, schedule_, specialised,
                                             where_))
                .variant(launch_, where_);
  }
  return &specialised.variant(launch_.words, schedule_.blocks, where_);
}

ir::Kernel Engine::record() {
  check();
  append_key();
  check_rows();
  return launch_.kernel->trace(specialisation(), launch_, where_);
}

// A launch that follows a plan records nothing; it is refused where it is submitted.
void Engine::check() {
  runtime::refuse_while_recording(where_);
  for (TensorUse& tensor : launch_.tensors) {
    tensor.bytes = bytes_of(tensor);
    tensor.wide = needs_wide_index(tensor);
  }
  Problems problems(launch_, where_);
  if (launch_.hinted) check_hints(request_.hints, problems);
  check_grid(problems);
  check_layouts(launch_, problems);
  check_storages(launch_, request_.device, problems);
  problems.raise();
}

void Engine::check_grid(Problems& problems) {
  GridConflict conflict;
  if (!find_common_grid(launch_.arguments, launch_.tensors, common_, conflict)) {
    problems.add(fmt::format("{} has {} blocks, but {} has {}", problems.argument(conflict.first),
                             to_string(conflict.first_counts), problems.argument(conflict.second),
                             to_string(conflict.second_counts)));
  }
  schedule_ = schedule(common_, request_.hints, resident_blocks(request_.device, where_));
  if (schedule_.grid.product() > max_places) {
    problems.add("the outputs are cut into 2^31 blocks or more: cut larger ones");
  } else if (common_.dealt > max_places) {
    problems.add("an output is dealt in 2^31 places or more: cut larger ones");
  } else if (schedule_.blocks[0] > max_blocks_per_axis) {
    problems.add("others are dealt over the blocks of an output that has 2^24 or more");
  }
}

void Engine::append_key() {
  wide_ = std::ranges::any_of(launch_.tensors, &TensorUse::wide);
  constants_end_ = launch_.key.size();
  launch_.key.push_back(field(target_.sm, 0) | field(request_.device.index(), 16) |
                        field(grid_rank(), 32) | field(wide_, 36) | field(schedule_.linear, 37) |
                        field(schedule_.persistent, 38) | field(request_.checks, 39));
  launch_.key.push_back(field(schedule_.swizzle, 0) |
                        field(request_.hints.occupancy.value_or(0), 32) |
                        field(request_.hints.ctas.value_or(0), 40) |
                        field(request_.hints.worker_warps.value_or(0), 48));
  facts_begin_ = launch_.key.size();
  append_facts(table(), launch_.key);
}

Specialised& Engine::find() {
  if (Specialised* found = launch_.kernel->table->find(launch_.key)) return *found;
  check_rows();
  report_idle_hints();
  return launch_.kernel->table->add(
      std::make_unique<Specialised>(launch_.key, specialisation(), target_));
}

void Engine::check_zipped(const ir::Kernel& kernel) const {
  Problems problems(launch_, where_);
  const auto places = [&](std::size_t parameter) {
    const HostArgument& argument = launch_.arguments[parameter];
    return block_counts(argument, &launch_.tensors[argument.first_tensor],
                        table().ids_of(argument));
  };
  const auto in_words = [&](std::size_t parameter) {
    const HostArgument& argument = launch_.arguments[parameter];
    const TensorUse& tensor = launch_.tensors[argument.first_tensor];
    return fmt::format("{} places ({} elements)", to_string(places(parameter)),
                       fmt::join(tensor.extents, tensor.extents + argument.rank, "x"));
  };
  for (const auto& [first, second] : kernel.zipped) {
    const auto a = static_cast<std::size_t>(first);
    const auto b = static_cast<std::size_t>(second);
    if (places(a).product() == places(b).product()) continue;
    problems.add(a, fmt::format("has {}, but {}, which the kernel walks together with it, has {}",
                                in_words(a), problems.argument(b), in_words(b)));
  }
  problems.raise();
}

void Engine::check_rows() const {
  Problems problems(launch_, where_);
  for (std::size_t i = 0; i < launch_.arguments.size(); ++i) {
    const HostArgument& argument = launch_.arguments[i];
    const bool read =
        argument.kind == ParameterKind::in_out || argument.kind == ParameterKind::in_outs;
    if (argument.rows == RowList::plain && read) {
      problems.add(i, "is also read, which takes rows certified as distinct: distinct(ids, rows)");
    }
  }
  problems.raise();
}

Specialisation Engine::specialisation() const {
  Specialisation result;
  result.kernel = launch_.kernel->name;
  result.parameters = facts_from(launch_.arguments, std::span(launch_.key).subspan(facts_begin_));
  result.wide_index = wide_;
  result.grid_rank = static_cast<std::int8_t>(grid_rank());
  result.linear_grid = schedule_.linear;
  result.swizzle = schedule_.swizzle;
  result.persistent = schedule_.persistent;
  result.checks = request_.checks;
  if (!target_.is_cpu()) result.hints = entry_hints(request_.hints);
  return result;
}

void Engine::report_idle_hints() const {
  const auto report = [&](bool idle, const char* hint, const char* reason) {
    if (!idle) return;
    write_log(LogLevel::warning, fmt::format("{}: the hint .{} has no effect: {}",
                                             launch_.kernel->name, hint, reason));
  };
  report(request_.hints.swizzle.value_or(0) > 0 && schedule_.swizzle == 0, "swizzle",
         "fewer than two axes are cut");
  report(request_.hints.blocks && common_.deals && common_.counted_by >= 0, "blocks",
         "an output counts the blocks that others are dealt over");
  const bool on_cpu = target_.is_cpu();
  report(on_cpu && request_.hints.occupancy, "occupancy", "the CPU has no multiprocessors");
  report(on_cpu && request_.hints.ctas, "ctas", "the CPU has no thread blocks");
  report(on_cpu && request_.hints.worker_warps, "worker_warps", "the CPU has no warps");
}

void Engine::pack_arguments(std::span<const ir::AbiSlot> slots) {
  std::vector<const std::byte*> lists;
  for (std::size_t i = 0; i < launch_.arguments.size(); ++i) {
    if (!launch_.arguments[i].list) continue;
    lists.resize(launch_.arguments.size());
    lists[i] = place_list(launch_.arguments[i]);
  }
  launch_.words.resize(slots.size());
  pack(table(), schedule_, lists.data(), slots, launch_.words);
}

const std::byte* Engine::place_list(const HostArgument& argument) {
  const std::vector<std::uint64_t> rows = list_rows(table().tensors_of(argument));
  const std::size_t bytes = rows.size() * sizeof(std::uint64_t);
  runtime::StorageRef storage = runtime::Storage::allocate(request_.device, bytes, where_);
  runtime::write_bytes(storage, rows.data(), bytes, stream_, where_);
  return memory_of(*launch_.storages.emplace_back(std::move(storage)));
}

void Engine::refuse_device_checks(const Variant& variant) const {
  throw LaunchError(
      fmt::format("{}: {} checks are left on the device, which this launch denies: {}",
                  launch_.kernel->name, variant.device_checks,
                  describe_checks(*variant.executable)),
      where_);
}

Event Engine::submit(const Variant& variant) {
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
    // Behind the tensors stand the tables of lists.
    const bool written = i < launch_.tensors.size() && launch_.tensors[i].written;
    runtime::StorageRef& storage = launch_.storages[i];
    uses[i] = written ? runtime::Use{storage.get(), runtime::Access::write,
                                     launch_.tensors[i].clear_of, &launch_.tensors[i]}
                      : runtime::Use{storage.get(), runtime::Access::read};
    command.leases[written ? command.written++ : --read] = runtime::Lease::from(storage);
  }
  return runtime::submit(stream_, uses.span(), std::move(command), run_on(), where_);
}

runtime::RunOn Engine::run_on() const noexcept {
  std::uintptr_t bytes = 0;
  for (const TensorUse& tensor : launch_.tensors) bytes += tensor.bytes.end - tensor.bytes.begin;
  return bytes <= small_launch_bytes ? runtime::RunOn::caller_if_idle : runtime::RunOn::worker;
}

Event enqueue(LaunchHandle launch, const StreamRef& stream, Location where) {
  require(launch, where);
  Engine engine(*launch, stream, where);
  const Variant* variant = engine.prepare();
  return variant == nullptr ? Event() : engine.submit(*variant);
}

ir::Kernel record(LaunchHandle launch, Location where) {
  const StreamRef stream = stream_of(launch, where);
  return Engine(*launch, stream, where).record();
}

void wait(Event launched, Location where) {
  // An empty grid enqueues nothing.
  if (launched != Event()) runtime::collect(launched, where);
}

StreamRef stream_of(const LaunchHandle& launch, Location where) {
  require(launch, where);
  const auto& storages = launch->storages;
  const Device device = storages.empty() ? default_device(where) : storages.front()->device();
  return current_stream(device, where);
}

}  // namespace tw::inline v0::detail
