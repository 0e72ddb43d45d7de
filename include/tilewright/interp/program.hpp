// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include <tilewright/core/attributes.hpp>
#include <tilewright/core/location.hpp>
#include <tilewright/ir/kernel.hpp>

namespace tw::inline v0::interp {

/// The numbers of blocks along each axis; block (x, y, z) has index x + grid.x * (y + grid.y * z).
struct Grid {
  std::uint32_t x = 1;
  std::uint32_t y = 1;
  std::uint32_t z = 1;
};

struct RunOptions {
  /// How many threads share the blocks; 0 means one a core.
  unsigned threads = 0;
  /// Takes the text of each print, on the thread that called `run`; without it prints do nothing.
  std::function<void(std::string_view)> print;
};

namespace detail {
struct PreparedKernel;
}

/// One entry of a module, ready to be run by the reference interpreter, which defines what every op
/// means. Immutable and cheap to copy; any number of threads may run it at once.
///
/// What Tile IR leaves open is settled here. mma, reduce and scan go through the combined axis in
/// ascending order in the type of the accumulator, mma with fused steps; a scan in reverse
/// descends. Transcendental functions are computed in double and rounded once. x / 0 = 0, x % 0 =
/// x, MIN / -1 wraps, shifts take their amount modulo the width, floats become integers by
/// saturation and NaN becomes 0. A loop whose step is not positive runs no iteration. Elements of a
/// view outside its tensor read the padding, or zero; so does all of a tile whose index is outside
/// the index space.
class TILEWRIGHT_API Program {
 public:
  /// Prepares a verified module's entry of that name; LaunchError if there is none. `abi` describes
  /// its arguments; only the slots of kinds `fault_block` and `serial` are read. The module's
  /// globals live, and keep what kernels write to them, as long as the program.
  explicit Program(const ir::Module& module, std::string_view entry,
                   const std::vector<ir::AbiSlot>& abi = {}, Location where = Location::current());

  /// Runs all blocks and returns when they are done. `arguments` holds 8 bytes for each parameter
  /// of the entry, the value in the low ones; pointers are addresses in this process. Throws
  /// LaunchError if their number is wrong and DeviceFault if an `assert` fails, which ends the run
  /// early.
  ///
  /// A failing `check` fills the FaultRecord that the `fault_block` argument points to with `index`
  /// and `bound` of its first failing element; `count` grows by one each time a check fails,
  /// however many elements it is about. If the kernel has no such argument, `run` throws
  /// DeviceFault after the last block.
  void run(Grid grid, std::span<const std::uint64_t> arguments, const RunOptions& options = {},
           Location where = Location::current()) const;

  /// Whether blocks run in the order of their indices on the calling thread, because the order
  /// could be seen: float atomics, atomics whose old value is used, exchanges, atomic stores and
  /// loads, and prints.
  [[nodiscard]] bool sequential() const noexcept;

 private:
  std::shared_ptr<const detail::PreparedKernel> kernel_;
};

}  // namespace tw::inline v0::interp
