// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <tilewright/interp/program.hpp>
#include <tilewright/ir/verifier.hpp>

#include "tests/support/trace.hpp"

/// Kernels written in place, and runs of them on memory of one's own.
namespace tw::tests {

/// The specialisation of a kernel with these parameters; `cuts` divide each of its outputs.
template <class... P>
Specialisation specialise_for(const Cuts& cuts = {}) {
  Specialisation result{.kernel = "kernel", .parameters = {detail::Facts<P>::make()...}};
  result.grid_rank = static_cast<std::int8_t>(std::ranges::count(cuts, CutKind::tile, &Cut::kind));
  for (ParameterFacts& facts : result.parameters) {
    if (detail::is_output(facts)) std::ranges::copy(cuts, facts.cuts.begin());
  }
  return result;
}

/// The kernel that `body` records from parameters of these types; it must satisfy the verifier.
template <class... P, class F>
ir::Kernel trace_of(const Specialisation& specialisation, F body,
                    Location where = Location::current()) {
  const auto call = [](void* context, tw::detail::PlaceRef place) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (*static_cast<F*>(context))(
          tw::detail::DeviceParameter<P>::make(static_cast<int>(I), place)...);
    }(std::index_sequence_for<P...>{});
  };
  ir::Kernel kernel = tw::detail::trace_kernel(specialisation, {&body, call}, where);
  for (const Diagnostic& broken : ir::verify(kernel.module)) ADD_FAILURE() << to_string(broken);
  return kernel;
}
template <class... P, class F>
ir::Kernel trace_of(F body, Location where = Location::current()) {
  return trace_of<P...>(specialise_for<P...>(), body, where);
}

/// A host argument: a dense tensor (also as the only one of a list, or with the ids of listed
/// rows), or the bits of a scalar.
struct Argument {
  const void* data = nullptr;
  std::vector<std::int64_t> extents = {};
  std::vector<std::int64_t> strides = {};
  std::vector<std::uint64_t> row = {};  ///< of a list's table
  std::vector<std::int32_t> ids = {};
  std::uint64_t scalar = 0;

  [[nodiscard]] std::uint64_t word(const ir::AbiSlot& slot) const {
    const auto axis = static_cast<std::size_t>(slot.axis);
    switch (slot.kind) {
      case ir::AbiKind::base:
        return std::bit_cast<std::uint64_t>(data);
      case ir::AbiKind::stride:
        return static_cast<std::uint64_t>(strides[axis]);
      case ir::AbiKind::ids:
        return std::bit_cast<std::uint64_t>(ids.data());
      case ir::AbiKind::ids_count:
        return ids.size();
      case ir::AbiKind::rows:
        return std::bit_cast<std::uint64_t>(row.data());
      case ir::AbiKind::rows_count:
        return 1;
      case ir::AbiKind::scalar:
        return scalar;
      default:
        return static_cast<std::uint64_t>(extents[axis]);
    }
  }
};
template <class T>
Argument tensor(std::span<T> values, const std::vector<std::int64_t>& extents) {
  Argument argument{.data = values.data(), .extents = extents, .strides = extents};
  std::int64_t stride = 1;
  for (std::size_t axis = extents.size(); axis-- > 0; stride *= extents[axis]) {
    argument.strides[axis] = stride;
  }
  argument.row.push_back(std::bit_cast<std::uint64_t>(argument.data));
  argument.row.insert(argument.row.end(), extents.begin(), extents.end());
  argument.row.insert(argument.row.end(), argument.strides.begin(), argument.strides.end());
  return argument;
}
template <class T>
Argument tensor(std::vector<T>& values, const std::vector<std::int64_t>& extents) {
  return tensor(std::span<T>(values), extents);
}
inline Argument number(std::int64_t value) { return {.scalar = static_cast<std::uint64_t>(value)}; }

/// Runs a traced kernel on the interpreter, with one argument for each of its parameters.
inline void run(const ir::Kernel& kernel, interp::Grid grid, const std::vector<Argument>& arguments,
                const interp::RunOptions& options = {}) {
  std::vector<std::uint64_t> words;
  for (const ir::AbiSlot& slot : kernel.abi) {
    words.push_back(arguments[static_cast<std::size_t>(slot.parameter)].word(slot));
  }
  const interp::Program program(kernel.module, kernel.entry().name, kernel.abi);
  program.run(grid, words, options);
}

}  // namespace tw::tests
