// SPDX-License-Identifier: Apache-2.0
#include "dsl/element_rules.hpp"

#include <fmt/format.h>

namespace tw::inline v0::detail {

bool computes(DType dtype) {
  switch (dtype) {
    case DType::tf32:
    case DType::f8e4m3:
    case DType::f8e5m2:
    case DType::f8e8m0:
    case DType::f8e5m3:
    case DType::f4e2m1:
      return false;
    default:
      return true;
  }
}

void not_defined(Trace& trace, std::string_view name, DType dtype, Location where) {
  const std::string hint =
      is_float(dtype) && !computes(dtype) ? ": convert with as<float>(x) first" : "";
  trace.error(fmt::format("{} is not defined on tiles of {}{}", name, info(dtype).name, hint),
              where);
}

ir::RoundingMode rounding_mode(rounding asked, ir::RoundingMode standard) {
  switch (asked) {
    case rounding::nearest:
      return ir::RoundingMode::nearest_even;
    case rounding::zero:
      return ir::RoundingMode::zero;
    case rounding::negative:
      return ir::RoundingMode::negative_inf;
    case rounding::positive:
      return ir::RoundingMode::positive_inf;
    case rounding::approx:
      return ir::RoundingMode::approx;
    case rounding::full:
      return ir::RoundingMode::full;
    case rounding::nearest_away:
      return ir::RoundingMode::nearest_away;
    case rounding::standard:
      return standard;
  }
  return standard;
}

}  // namespace tw::inline v0::detail
