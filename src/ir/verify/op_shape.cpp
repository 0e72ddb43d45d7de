// SPDX-License-Identifier: Apache-2.0
#include "ir/verify/op_shape.hpp"

#include <algorithm>
#include <numeric>

namespace tw::inline v0::ir {
namespace {

bool op_c1(const OpContext& c) {
  const Version since = c.row.since;
  return since <= c.options.tool || c.fail("op_c1", "it came with tool {}", to_string(since));
}

bool op_c2(const OpContext& c) {
  const auto groups = c.row.operands;
  const auto& sizes = c.op.group_sizes;
  bool holds = std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}) == c.op.operands.size();
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (i >= groups.size()) {
      holds = holds && sizes[i] == 0;
    } else if (groups[i].arity != Arity::variadic) {
      holds = holds && (sizes[i] == 1 || (sizes[i] == 0 && groups[i].arity == Arity::optional));
    }
  }
  return holds || c.fail("op_c2", "{} operands do not fill its groups", c.op.operands.size());
}

bool op_c3(const OpContext& c) {
  const OpRow& row = c.row;
  return ((row.variadic_results || c.op.results.size() == row.results) &&
          c.op.regions.size() == row.regions) ||
         c.fail("op_c3", "it has {} results and {} blocks", c.op.results.size(),
                c.op.regions.size());
}

/// The number of values that an integer attribute of a kind can have; 0 for no limit.
std::int64_t value_count(AttributeKind kind) {
  const bool is_flag = kind == AttributeKind::unit || kind == AttributeKind::boolean;
  return is_flag ? 2 : static_cast<std::int64_t>(value_names(kind).size());
}

bool is_of_kind(const Attribute& value, AttributeKind kind) {
  switch (kind) {
    case AttributeKind::string:
      return value.is<std::string>();
    case AttributeKind::constant: {
      const auto* constant = value.as<Constant>();
      return constant != nullptr && !constant->bytes.empty();
    }
    case AttributeKind::predicate:
      return value.is<AssumePredicate>();
    case AttributeKind::hints:
      return value.is<Hints>();
    case AttributeKind::int32_array:
      return value.is<IntArray>();
    case AttributeKind::bool_array: {
      const auto* list = value.as<IntArray>();
      return list != nullptr && std::ranges::all_of(*list, [](auto i) { return i == 0 || i == 1; });
    }
    case AttributeKind::scalar_array:
      return value.is<ScalarArray>();
    default: {
      const auto* number = value.as<std::int64_t>();
      const std::int64_t limit = value_count(kind);
      return number != nullptr && (limit == 0 || (*number >= 0 && *number < limit));
    }
  }
}

bool op_c4(const OpContext& c) {
  const auto rows = c.row.attributes;
  if (c.op.attributes.size() != rows.size()) {
    return c.fail("op_c4", "it has {} attributes", c.op.attributes.size());
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Attribute& value = c.op.attributes[i];
    const bool absent = value.empty();
    if (absent ? rows[i].optional : is_of_kind(value, rows[i].kind)) continue;
    return c.fail("op_c4", "{} is {}", attribute_text(rows[i].name),
                  absent ? "missing" : "out of its range");
  }
  return true;
}

bool op_c5(const OpContext& c) {
  const auto rows = c.row.attributes;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].since <= c.options.tool || is_fallback(c.op.attributes[i], rows[i])) continue;
    return c.fail("op_c5", "{} came with tool {}", attribute_text(rows[i].name),
                  to_string(rows[i].since));
  }
  return true;
}

bool op_c6(const OpContext& c) {
  return c.op.code < Opcode::check || c.options.allow_own_ops ||
         c.fail("op_c6", "it is not part of Tile IR");
}

bool op_c7(const OpContext& c) {
  return c.op.code != Opcode::mmaf_scaled || c.options.architecture.value_or(100) >= 100 ||
         c.fail("op_c7", "sm_{} does not have it", *c.options.architecture);
}

}  // namespace

bool check_op_shape(const OpContext& c) {
  return op_c1(c) && op_c6(c) && op_c2(c) && op_c3(c) && op_c4(c) && op_c5(c) && op_c7(c);
}

}  // namespace tw::inline v0::ir
