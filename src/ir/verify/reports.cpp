// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include "ir/verify/op_check.hpp"
#include "ir/verify/tile_sets.hpp"

namespace tw::inline v0::ir {
namespace {

using enum Opcode;

bool assert_c1(const OpContext& c) {
  return is_tile_of(c.operand(0), ElementKind::i1) ||
         c.fail("assert_c1", "it asserts {}", to_string(c.operand(0)));
}

bool print_tko_c1(const OpContext& c) {
  const auto arguments = c.op.group(0);
  return std::ranges::all_of(arguments, [&](Value v) { return c.type(v).is<TileType>(); }) ||
         c.fail("print_tko_c1", "it prints what is not a tile");
}

/// The number of conversions of printf, or nothing if one does not end.
std::optional<std::size_t> conversions(std::string_view format) {
  std::size_t count = 0;
  while (true) {
    const std::size_t begin = format.find('%');
    if (begin == std::string_view::npos) return count;
    const std::size_t end = format.find_first_of("diuoxXeEfFgGaAcsSpn%", begin + 1);
    if (end == std::string_view::npos) return std::nullopt;
    const bool escaped = end == begin + 1 && format[end] == '%';
    if (!escaped) ++count;
    format.remove_prefix(end + 1);
  }
}

bool print_tko_c2(const OpContext& c) {
  const auto& format = c.op.get<std::string>(AttributeName::format);
  return conversions(format) == c.op.group(0).size() ||
         c.fail("print_tko_c2", "\"{}\" does not take {} arguments", format, c.op.group(0).size());
}

bool check_c1(const OpContext& c) {
  return is_tile_of(c.operand(0), ElementKind::i1) ||
         c.fail("check_c1", "it checks {}", to_string(c.operand(0)));
}

bool check_c2(const OpContext& c) {
  return (is_tile_of(c.operand(1), is_integer) && same_shape(c.operand(1), c.operand(0))) ||
         c.fail("check_c2", "{} is checked for {}", to_string(c.operand(0)),
                to_string(c.operand(1)));
}

bool check_c3(const OpContext& c) {
  return c.operand(2) == tile_type(c.operand(1).tile().kind()) ||
         c.fail("check_c3", "{} is bounded by {}", to_string(c.operand(1)),
                to_string(c.operand(2)));
}

bool print_c1(const OpContext& c) {
  const bool numbers = std::ranges::all_of(
      c.op.operands, [&](Value each) { return number_tile(c.type(each)) != nullptr; });
  return numbers || c.fail("print_c1", "it prints what is not a tile of numbers");
}

bool site_c1(const OpContext& c) {
  const std::int64_t site = c.op.integer(AttributeName::site);
  return (site >= 0 && site < std::ssize(c.module.sites)) ||
         c.fail("site_c1", "site {} of {}", site, c.module.sites.size());
}

const OpChecks table[] = {
    {{assert_}, {assert_c1}},
    {{print_tko}, {print_tko_c1, print_tko_c2}},
    {{check}, {check_c1, check_c2, check_c3, site_c1}},
    {{print}, {print_c1, site_c1}},
};

}  // namespace

std::span<const OpChecks> report_checks() { return table; }

}  // namespace tw::inline v0::ir
