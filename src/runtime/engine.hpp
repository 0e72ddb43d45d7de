// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/runtime/launch_state.hpp>
#include <tilewright/runtime/submit.hpp>

#include "runtime/facts.hpp"
#include "runtime/grid.hpp"
#include "runtime/plan.hpp"
#include "runtime/specialised.hpp"
#include "runtime/validation.hpp"

namespace tw::inline v0::detail {

/// One launch between its call and its command.
class TILEWRIGHT_API Engine {
 public:
  Engine(LaunchState& launch, const StreamRef& stream, Location where);

  /// Checks the arguments and finds or makes the code that fits them; null when there are no blocks
  /// to run. Throws LaunchError, KernelError or CompilerError.
  const Variant* prepare();
  /// Checks the arguments and records the kernel for them, before any pass.
  [[nodiscard]] ir::Kernel record();
  /// Enqueues what was prepared.
  Event submit(const Variant& variant);

 private:
  [[nodiscard]] ArgumentTable table() const noexcept {
    return {launch_.arguments, launch_.tensors};
  }
  /// Lists count their places as they go, so that the kernel takes no grid from the launch.
  [[nodiscard]] int grid_rank() const noexcept { return common_.list ? 0 : schedule_.grid.rank; }

  /// Goes the way of a launch of the same form.
  const Variant& follow(const Plan& plan);
  /// Finds the way; null when there are no blocks to run.
  const Variant* work_out(Plans* plans);

  void check();
  void check_grid(Problems& problems);
  /// Completes the key, which begins with the constants.
  void append_key();
  Specialised& find();
  /// Refuses partitions that the kernel walks together but that have unequally many places.
  void check_zipped(const ir::Kernel& kernel) const;
  /// Refuses uncertified rows that a new specialisation would load.
  void check_rows() const;
  [[nodiscard]] Specialisation specialisation() const;
  /// Says which hints have no effect on a new specialisation.
  void report_idle_hints() const;

  /// Fills `launch_.words` with the arguments of the entry.
  void pack_arguments(std::span<const ir::AbiSlot> slots);
  /// Puts the table of a list where the kernel can read it.
  const std::byte* place_list(const HostArgument& argument);
  void refuse_device_checks(const Variant& variant) const;
  [[nodiscard]] runtime::RunOn run_on() const noexcept;

  LaunchState& launch_;
  const StreamRef& stream_;
  Location where_;
  Request request_;
  backend::Target target_;
  CommonGrid common_;
  Schedule schedule_;
  bool wide_ = false;
  std::size_t constants_end_ = 0;  ///< in the key
  std::size_t facts_begin_ = 0;    ///< in the key
};

}  // namespace tw::inline v0::detail
