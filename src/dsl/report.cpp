// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "dsl/trace.hpp"

namespace tw::inline v0::detail {

using ir::AttributeName;
using ir::Opcode;

namespace {

/// How many values a printf-like format shows; nothing if it ends inside a conversion.
std::optional<std::size_t> conversion_count(std::string_view format) {
  constexpr std::string_view letters = "diuoxXeEfFgGaAcsSpn";
  std::size_t count = 0;
  for (std::size_t at = format.find('%'); at != std::string_view::npos; at = format.find('%', at)) {
    ++at;
    if (at < format.size() && format[at] == '%') {
      ++at;
      continue;
    }
    at = format.find_first_of(letters, at);
    if (at == std::string_view::npos) return std::nullopt;
    ++count;
  }
  return count;
}

}  // namespace

void print(const char* format, std::span<const TileRef> values, Location where) {
  Trace& trace = Trace::current(where);
  trace.refuse_in_combiner("a print", where);
  const std::optional<std::size_t> conversions = conversion_count(format);
  if (!conversions) {
    trace.error("print: the format ends inside a conversion", where);
    return;
  }
  if (*conversions != values.size()) {
    trace.error(
        fmt::format("print: the format shows {} values, not {}", *conversions, values.size()),
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
