// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include <tilewright/ir/op.hpp>

namespace tw::inline v0::ir {

/// `f(each)` of all elements of a range, separated by commas.
template <class Range, class Text>
std::string comma_joined(const Range& range, Text f) {
  std::string text;
  for (const auto& each : range) {
    if (!text.empty()) text += ", ";
    text += f(each);
  }
  return text;
}

/// The types of values, separated by commas.
inline std::string type_list(const Function& function, std::span<const Value> values) {
  return comma_joined(values, [&](Value each) { return to_string(function.type(each)); });
}

}  // namespace tw::inline v0::ir
