// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <tilewright/dsl/specialisation.hpp>
#include <tilewright/runtime/geometry.hpp>

namespace tw::inline v0::runtime {
struct FrozenPart;
}

namespace tw::inline v0::detail {

/// One tensor that an argument of a launch names. An argument may name none (a scalar), one, or
/// several (a list, or an output together with the ids of its rows).
struct TensorUse : TensorGeometry {
  std::uint16_t parameter = 0;  ///< position in the kernel's signature
  bool written = false;
  /// Of what is written, the latest frozen part of its storage that it is known to be clear of.
  const runtime::FrozenPart* clear_of = nullptr;
  ByteRange bytes;    ///< what it spans; known once the launch runs
  bool wide = false;  ///< whether its offsets need more than 32 bits; known likewise
};

/// A kernel has at most this many parameters.
inline constexpr std::size_t max_parameters = 64;

/// What a launch knows of one argument, whatever its C++ type was.
struct HostArgument {
  static constexpr std::int32_t no_ids = -1;

  ParameterKind kind = ParameterKind::constant;
  DType dtype = DType::f32;
  std::int8_t rank = 0;
  bool present = true;
  bool list = false;
  RowList rows = RowList::none;
  /// Its tensors in the launch's table; the ids of a row list are a further one.
  std::uint32_t first_tensor = 0;
  std::uint32_t tensor_count = 0;
  std::int32_t ids = no_ids;
  /// Of an output, the sizes of `all` axes being the extents; the extents of a Grid.
  Cut cuts[max_rank] = {};
  std::uint64_t scalar = 0;  ///< its bits
};

}  // namespace tw::inline v0::detail
