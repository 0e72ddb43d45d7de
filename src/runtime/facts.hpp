// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include <tilewright/runtime/argument.hpp>
#include <tilewright/runtime/constant.hpp>

#include "runtime/grid.hpp"

namespace tw::inline v0::detail {

/// The arguments of one launch and the tensors that they name.
struct ArgumentTable {
  std::span<const HostArgument> arguments;
  std::span<const TensorUse> tensors;

  /// The tensors of a parameter, without the ids of its rows.
  [[nodiscard]] std::span<const TensorUse> tensors_of(const HostArgument& argument) const noexcept {
    return tensors.subspan(argument.first_tensor, argument.tensor_count);
  }
  [[nodiscard]] const TensorUse* ids_of(const HostArgument& argument) const noexcept {
    return argument.ids == HostArgument::no_ids ? nullptr
                                                : &tensors[static_cast<std::size_t>(argument.ids)];
  }
};

/// Appends what code may rely on about every argument but the constants: a word that says which of
/// them are present, one for each, and of an output one for the kinds of its cuts and one for the
/// size of each.
TILEWRIGHT_API void append_facts(const ArgumentTable& table, KeyWords& key);

/// The facts of the parameters, read from the words that `append_facts` wrote: so that code cannot
/// depend on what is not in its key.
TILEWRIGHT_API std::vector<ParameterFacts> facts_from(std::span<const HostArgument> arguments,
                                                      std::span<const std::uint64_t> words);

}  // namespace tw::inline v0::detail
