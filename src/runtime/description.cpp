// SPDX-License-Identifier: Apache-2.0
#include "runtime/description.hpp"

#include <fmt/format.h>

namespace tw::inline v0::detail {
namespace {

/// By ParameterKind.
constexpr const char* kind_names[] = {"In",     "Out",  "InOut",  "Outs",    "InOuts",
                                      "Atomic", "Grid", "scalar", "constant"};

}  // namespace

std::string describe(const HostArgument& argument, std::size_t position) {
  const char* kind = kind_names[static_cast<std::size_t>(argument.kind)];
  const std::string prefix = fmt::format("argument {} (", position + 1);
  switch (argument.kind) {
    case ParameterKind::constant:
      return fmt::format("{}{})", prefix, kind);
    case ParameterKind::grid:
      return fmt::format("{}{}<{}>)", prefix, kind, argument.rank);
    case ParameterKind::scalar:
      return fmt::format("{}{} {})", prefix, kind, info(argument.dtype).name);
    default:
      return fmt::format("{}{}{}<{}> of rank {})", prefix, argument.list ? "list of " : "", kind,
                         info(argument.dtype).name, argument.rank);
  }
}

}  // namespace tw::inline v0::detail
