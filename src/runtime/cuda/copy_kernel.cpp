// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <tilewright/kernel.hpp>
#include <tilewright/runtime/launch.hpp>

#include "runtime/cuda/copy.hpp"
#include "runtime/element_copy.hpp"

namespace tw::inline v0::runtime::cuda {
namespace {

/// Copies the elements of one box.
template <class T, int... D>
void copy_box(Out<T, D...> to, In<T, D...> from) {
  to.store(from.load_like(to));
}

// Both of the last axes may be the one along which elements lie side by side.
constexpr int tile_extent = 32;

template <std::size_t Axis, std::size_t R>
AxisCut cut() {
  return AxisCut(Axis + 2 >= R ? tile_extent : 1);
}

template <class T, std::size_t... Axis>
void launch_copy(const TensorState& to, const TensorState& from, const StreamRef& stream,
                 Location where, std::index_sequence<Axis...>) {
  constexpr auto rank = sizeof...(Axis);
  auto target = TensorAccess::make<Mut<T, rank>>(to);
  const auto source = TensorAccess::make<View<T, rank>>(from);
  constexpr auto dynamic = [](std::size_t) { return dyn; };
  launch<copy_box<T, dynamic(Axis)...>>(std::move(target).partition({cut<Axis, rank>()...}, where),
                                        source)
      .on(stream, where);
}

using Copy = void (*)(const TensorState& to, const TensorState& from, const StreamRef& stream,
                      Location where);

template <class T, std::size_t Rank>
void copy_rank(const TensorState& to, const TensorState& from, const StreamRef& stream,
               Location where) {
  launch_copy<T>(to, from, stream, where, std::make_index_sequence<Rank>());
}

/// The copies of elements of one size, by rank from one on.
template <class T, std::size_t... Less>
constexpr std::array<Copy, sizeof...(Less)> copies_of(std::index_sequence<Less...>) {
  return {copy_rank<T, Less + 1>...};
}
template <class T>
constexpr auto copies = copies_of<T>(std::make_index_sequence<max_rank>());

TensorState as_integers(const TensorState& tensor, DType integers) {
  TensorState result{tensor.storage, tensor.layout};
  if (shares_bytes(tensor.layout.dtype)) result.layout = in_bytes(tensor.layout);
  result.layout.dtype = integers;
  return result;
}

}  // namespace

void copy_by_kernel(const TensorState& to, const TensorState& from, const StreamRef& stream,
                    Location where) {
  const auto with = [&]<class T>(T) {
    const TensorState target = as_integers(to, dtype_of<T>);
    const auto rank = static_cast<std::size_t>(target.layout.rank());
    copies<T>[rank - 1](target, as_integers(from, dtype_of<T>), stream, where);
  };
  switch (info(element_kind(to.layout.dtype)).memory_bits) {
    case 64:
      return with(std::int64_t{});
    case 32:
      return with(std::int32_t{});
    case 16:
      return with(std::int16_t{});
    default:
      return with(std::int8_t{});
  }
}

}  // namespace tw::inline v0::runtime::cuda
