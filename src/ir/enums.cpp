// SPDX-License-Identifier: Apache-2.0
#include <array>

#include <tilewright/ir/enums.hpp>
#include <tilewright/ir/op_table.hpp>

namespace tw::inline v0::ir {
namespace {

using Names = std::span<const std::string_view>;

constexpr std::array<std::string_view, 8> rounding{
    "nearest_even", "zero", "negative_inf",        "positive_inf",
    "approx",       "full", "nearest_int_to_zero", "nearest_away"};
constexpr std::array<std::string_view, 2> signedness{"unsigned", "signed"};
constexpr std::array<std::string_view, 4> overflow{"none", "no_signed_wrap", "no_unsigned_wrap",
                                                   "no_wrap"};
constexpr std::array<std::string_view, 6> comparison_predicate{
    "equal",        "not_equal",
    "less_than",    "less_than_or_equal",
    "greater_than", "greater_than_or_equal"};
constexpr std::array<std::string_view, 2> comparison_ordering{"unordered", "ordered"};
constexpr std::array<std::string_view, 5> memory_ordering{"weak", "relaxed", "acquire", "release",
                                                          "acq_rel"};
constexpr std::array<std::string_view, 3> memory_scope{"tl_blk", "device", "sys"};
constexpr std::array<std::string_view, 10> atomic_mode{"and", "or",  "xor",  "add",  "addf",
                                                       "max", "min", "umax", "umin", "xchg"};
constexpr std::array<std::string_view, 5> padding{"zero", "neg_zero", "nan", "pos_inf", "neg_inf"};

/// In the order of AttributeKind, whose enumerations come first.
constexpr std::array<Names, 8> by_kind{
    rounding,        signedness,   overflow,   comparison_predicate, comparison_ordering,
    memory_ordering, memory_scope, atomic_mode};
static_assert(static_cast<std::size_t>(AttributeKind::atomic_mode) + 1 == by_kind.size());

}  // namespace

Names padding_names() { return padding; }

Names value_names(AttributeKind kind) {
  const auto index = static_cast<std::size_t>(kind);
  return index < by_kind.size() ? by_kind[index] : Names();
}

Version value_since(AttributeKind kind, std::int64_t value) {
  const bool is_late = kind == AttributeKind::rounding &&
                       value == static_cast<std::int64_t>(RoundingMode::nearest_away);
  return is_late ? Version{13, 4} : Version{13, 1};
}

}  // namespace tw::inline v0::ir
