// SPDX-License-Identifier: Apache-2.0
#include "assignment.hpp"

#include <string_view>

#include <fmt/format.h>

#include "error.hpp"
#include "example.hpp"
#include "number_text.hpp"

namespace tw::cli {
namespace {

Assignments::value_type parse(std::string_view text) {
  const std::size_t equals = text.find('=');
  std::string_view name = text.substr(0, equals);
  std::optional<DType> dtype;
  if (const std::size_t colon = name.find(':'); colon != std::string_view::npos) {
    dtype = type_named(name.substr(colon + 1));
    name = name.substr(0, colon);
  }
  if (equals == std::string_view::npos || name.empty()) {
    throw UsageError(fmt::format("'{}' is not of the form NAME=VALUE", text));
  }
  return {std::string(name), {dtype, std::string(text.substr(equals + 1))}};
}

}  // namespace

Assignments parse_assignments(const std::vector<std::string>& texts) {
  Assignments result;
  for (const std::string& text : texts) {
    const auto [row, fresh] = result.insert(parse(text));
    if (!fresh) throw UsageError(fmt::format("{} is given twice", row->first));
  }
  return result;
}

double number_of(const Assignments::value_type& assignment) {
  const auto& [name, right] = assignment;
  const auto number = number_in<double>(right.value);
  if (right.dtype || !number) {
    throw UsageError(fmt::format("{} must be a number, not '{}'", name, right.value));
  }
  return *number;
}

}  // namespace tw::cli
