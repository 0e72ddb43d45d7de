// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "dsl/trace.hpp"

namespace tw::inline v0::detail {

using ir::AttributeName;
using ir::Opcode;

namespace {

/// The conversion of printf at the beginning of `text`: flags, a width, a precision, lengths and a
/// letter. Empty when there is none; widths are numbers, and nothing is written back.
std::string_view conversion(std::string_view text) {
  std::size_t end = 1;
  const auto skip = [&](std::string_view characters, std::size_t most) {
    const std::size_t stop = std::min(text.size(), end + most);
    while (end < stop && characters.find(text[end]) != std::string_view::npos) ++end;
  };
  constexpr std::string_view digits = "0123456789";
  constexpr std::size_t longest_number = 3;
  skip("-+ #0", 5);
  skip(digits, longest_number);
  const std::size_t whole = end;
  skip(".", 1);
  if (end != whole) skip(digits, longest_number);
  skip("hljztL", 2);
  const std::size_t letter = end;
  skip("diuoxXeEfFgGaAcsSp", 1);
  return end == letter ? std::string_view{} : text.substr(0, end);
}

/// How a printf-like format uses its values.
struct Conversions {
  std::size_t count = 0;
  std::string_view rest = {};  ///< from what is no conversion; empty when all are
};

Conversions conversions_of(std::string_view format) {
  Conversions result;
  for (std::size_t at = format.find('%'); at != std::string_view::npos; at = format.find('%', at)) {
    if (format.substr(at, 2) == "%%") {
      at += 2;
      continue;
    }
    const std::string_view found = conversion(format.substr(at));
    if (found.empty()) return {result.count, format.substr(at)};
    at += found.size();
    ++result.count;
  }
  return result;
}

}  // namespace

void print(const char* format, std::span<const TileRef> values, Location where) {
  Trace& trace = Trace::current(where);
  trace.refuse_in_combiner("a print", where);
  const Conversions conversions = conversions_of(format);
  if (!conversions.rest.empty()) {
    trace.error(
        fmt::format("print: \"{}\" does not begin with a conversion of printf: write %% for "
                    "the sign itself",
                    conversions.rest),
        where);
    return;
  }
  if (conversions.count != values.size()) {
    trace.error(
        fmt::format("print: the format shows {} values, not {}", conversions.count, values.size()),
        where);
    return;
  }
  std::vector<ir::Value> operands;
  for (const TileRef& value : values) operands.push_back(trace.use(value, where));
  ir::Builder& builder = trace.at(where);
  const std::int64_t site =
      trace.add_site({.location = builder.location(), .kind = "print", .text = format});
  ir::OpDraft draft(Opcode::print, builder.location());
  draft.group(operands).set(AttributeName::site, site);
  builder.append(draft, {});
}

void check(const TileRef& condition, const char* message, Location where) {
  Trace& trace = Trace::current(where);
  trace.refuse_in_combiner("a check", where);
  TileRef holds = condition;
  for (std::size_t axis = 0; axis < condition.shape.size(); ++axis) {
    holds = trace.make(masked(trace, holds, axis, 1, where), DType::boolean, holds.shape, where);
  }
  ir::Builder& builder = trace.at(where);
  const ir::Value nothing = builder.constant(ElementKind::i32, 0, stored_shape(condition.shape));
  trace.check_bounds({.kind = "check", .text = message}, ir::Value{holds.value}, nothing,
                     builder.integer(ElementKind::i32, 0), where);
}

}  // namespace tw::inline v0::detail
