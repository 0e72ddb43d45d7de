// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <tilewright/core/export.hpp>
#include <tilewright/ir/op.hpp>

namespace tw::inline v0::passes {

/// What a canonical module keeps of where it came from.
enum class Origins : std::uint8_t {
  keep,
  strip,  ///< no places and no names: modules of equal meaning have equal bytes
};

/// The form that does not depend on the order in which a C++ compiler evaluates operands.
///
/// Each block is rebuilt from its end points: stores, other effects and the terminator, in program
/// order. In front of each stand the ops it needs, operands first, in the order of a depth-first
/// walk; ops that nothing needs vanish. Plain loads of memory that the kernel writes, and checks,
/// keep their place between two effects and are ordered by who needs them first. No op leaves its
/// block, and operands are never swapped. Then values and sites are numbered densely in order of
/// appearance (a value after those of the regions of its op), and sites that no op names vanish.
///
/// With `Origins::strip`, places are unknown, the module has its default name and no producer, and
/// its functions are called `kernel`, `kernel_1`, ...
[[nodiscard]] TILEWRIGHT_API ir::Module canonical(ir::Module module,
                                                  Origins origins = Origins::keep);

}  // namespace tw::inline v0::passes
