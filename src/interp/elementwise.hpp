// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include "interp/isa.hpp"
#include "interp/preparation.hpp"

namespace tw::inline v0::interp {

/// result[k] = Op::apply(sources[k]...). The result may be one of the sources, not overlap it
/// otherwise.
template <class Op, class Result, class... Sources>
struct Elementwise {
  TILEWRIGHT_INLINE static void run(std::size_t count, Result* result, const Sources*... sources) {
    TILEWRIGHT_INDEPENDENT_STEPS
    for (std::size_t k = 0; k < count; ++k) result[k] = Op::apply(sources[k]...);
  }
};

namespace detail {
template <class Op, class Result, class... Sources, std::size_t... Index>
void add_elementwise(Preparation& preparation, const ir::Op& op, std::index_sequence<Index...>) {
  const std::size_t count = preparation.count(op.result());
  const Slot to = preparation.slot(op.result());
  const std::array<Slot, sizeof...(Sources)> from{preparation.slot(op.operands[Index])...};
  if (count == 1) {
    preparation.add([=](Frame& frame) {
      *frame.at<Result>(to) = Op::apply(*frame.at<const Sources>(from[Index])...);
    });
    return;
  }
  const auto loop = best_version<Elementwise<Op, Result, Sources...>>();
  preparation.add([=](Frame& frame) {
    loop(count, frame.at<Result>(to), frame.at<const Sources>(from[Index])...);
  });
}
}  // namespace detail

/// Appends the step that maps an op's operands, element by element, to its result. `Op::apply` must
/// be a static TILEWRIGHT_INLINE function.
template <class Op, class Result, class... Sources>
void add_elementwise(Preparation& preparation, const ir::Op& op) {
  detail::add_elementwise<Op, Result, Sources...>(preparation, op,
                                                  std::index_sequence_for<Sources...>{});
}

}  // namespace tw::inline v0::interp
