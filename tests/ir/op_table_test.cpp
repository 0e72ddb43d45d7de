// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tilewright/core/error.hpp>
#include <tilewright/ir/op.hpp>
#include <tilewright/ir/op_table.hpp>

namespace tw::ir {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

bool is_own(const OpRow& row) { return row.code >= Opcode::check; }

TEST(OpTable, RowsAscendAndNamesAreUnique) {
  EXPECT_TRUE(std::ranges::is_sorted(all_rows(), std::ranges::less(), &OpRow::code));
  std::set<Opcode> codes;
  std::set<std::string_view> names;
  for (const OpRow& each : all_rows()) {
    EXPECT_TRUE(codes.insert(each.code).second) << each.name;
    EXPECT_TRUE(names.insert(each.name).second) << each.name;
    EXPECT_EQ(&row(each.code), &each);
    EXPECT_EQ(find_row(each.name), &each);
  }
}

// 13.1 uses 0x00 to 0x6d except for two gaps of 12 and 6 codes and three ops that never occur in a
// body; later versions append.
TEST(OpTable, CountsOpsOfEachVersion) {
  std::map<Version, int> counts;
  for (const OpRow& each : all_rows()) {
    if (!is_own(each)) ++counts[each.since];
  }
  EXPECT_THAT(counts, ElementsAre(Pair(Version{13, 1}, 0x6e - 12 - 6 - 3), Pair(Version{13, 2}, 1),
                                  Pair(Version{13, 3}, 7), Pair(Version{13, 4}, 5)));
  EXPECT_EQ(std::ranges::count_if(all_rows(), is_own), 2);
}

TEST(OpTable, RefusesUnassignedCodes) {
  for (const int code : {0x16, 0x19, 0x24, 0x31, 0x34, 0x39, 0x4b, 0x7b, 0x7fff, 0x8002, 0xffff}) {
    EXPECT_THROW(row(static_cast<Opcode>(code)), BugError) << code;
  }
}

TEST(OpTable, KnowsBothSpellingsOfPow) {
  EXPECT_EQ(find_row("pow"), &row(Opcode::pow));
  EXPECT_EQ(find_row("fpowf"), &row(Opcode::pow));
  EXPECT_EQ(find_row("powf"), nullptr);
}

TEST(OpTable, GroupsFitIntoAnOp) {
  for (const OpRow& each : all_rows()) EXPECT_LE(each.operands.size(), Op::max_groups) << each.name;
}

/// "name:kind" of what an op takes, an attribute's version where it came later, in wire order.
std::string signature(const OpRow& row) {
  std::string text;
  for (const AttributeRow& each : row.attributes) {
    text += std::string(attribute_text(each.name)) + (each.optional ? "?" : "");
    if (each.since > row.since) text += "@" + std::to_string(each.since.minor_number);
    text += " ";
  }
  text += "|";
  for (const OperandRow& each : row.operands) {
    text += " " + std::string(each.name);
    if (each.arity != Arity::one) text += each.arity == Arity::variadic ? "*" : "?";
    if (each.since > row.since) text += "@" + std::to_string(each.since.minor_number);
  }
  return text;
}

TEST(OpTable, DeclaresAttributesAndOperandsInWireOrder) {
  const std::map<Opcode, std::string> expected{
      {Opcode::absf, "| source"},
      {Opcode::addf, "rounding_mode flush_to_zero? | lhs rhs"},
      {Opcode::maxf, "propagate_nan? flush_to_zero? | lhs rhs"},
      {Opcode::negi, "overflow@2 | source"},
      {Opcode::exp, "rounding_mode@3 | source"},
      {Opcode::tanh, "rounding_mode@2 | source"},
      {Opcode::ftoi, "signedness rounding_mode saturating?@4 | from"},
      {Opcode::for_, "unsignedCmp?@2 | lowerBound upperBound step initValues*"},
      {Opcode::scan, "dim reverse identities | operands*"},
      {Opcode::print_tko, "str | args* token?@2"},
      {Opcode::atomic_cas_tko,
       "memory_ordering_semantics memory_scope | pointers cmp val mask? token?"},
      {Opcode::load_ptr_tko,
       "memory_ordering_semantics memory_scope? optimization_hints? | source mask? paddingValue? "
       "token?"},
      {Opcode::store_view_tko,
       "memory_ordering_semantics memory_scope? optimization_hints? inbounds@4 | tile view index* "
       "token?"},
      {Opcode::atomic_red_view_tko,
       "memory_ordering_semantics memory_scope mode inbounds@5 | view index* value token?"},
      {Opcode::alloca_, "num_elem alignment global? |"},
      {Opcode::mmaf_scaled, "| lhs rhs acc lhs_scale rhs_scale"},
      {Opcode::insert, "| source destination indices*"},
      {Opcode::gdc_wait_tko, "| token?"},
      {Opcode::check, "site | condition index bound"},
      {Opcode::print, "site | args*"},
  };
  for (const auto& [code, text] : expected) EXPECT_EQ(signature(row(code)), text);
}

TEST(OpTable, ClassifiesEffects) {
  std::map<Effect, std::set<std::string_view>> ops;
  for (const OpRow& each : all_rows()) ops[each.effect].insert(each.name);
  EXPECT_THAT(ops[Effect::reads], ElementsAre("load_ptr_tko", "load_view_tko"));
  EXPECT_THAT(ops[Effect::control], ElementsAre("for", "if", "loop", "reduce", "scan"));
  EXPECT_THAT(ops[Effect::terminator], ElementsAre("break", "continue", "return", "yield"));
  EXPECT_THAT(
      ops[Effect::writes],
      ElementsAre("alloca", "assert", "atomic_cas_tko", "atomic_red_view_tko", "atomic_rmw_tko",
                  "gdc_launch_dependents_tko", "gdc_wait_tko", "memory_fence_alias_tko",
                  "print_tko", "store_ptr_tko", "store_view_tko", "tw.check", "tw.print"));
}

TEST(OpTable, NamesEnumerationValues) {
  const auto name = [](AttributeKind kind, auto value) {
    return value_names(kind)[static_cast<std::size_t>(value)];
  };
  EXPECT_EQ(name(AttributeKind::rounding, RoundingMode::nearest_away), "nearest_away");
  EXPECT_EQ(name(AttributeKind::signedness, Signedness::signed_), "signed");
  EXPECT_EQ(name(AttributeKind::overflow, Overflow::no_wrap), "no_wrap");
  EXPECT_EQ(name(AttributeKind::comparison_predicate, ComparisonPredicate::greater_than_or_equal),
            "greater_than_or_equal");
  EXPECT_EQ(name(AttributeKind::comparison_ordering, ComparisonOrdering::ordered), "ordered");
  EXPECT_EQ(name(AttributeKind::memory_ordering, MemoryOrdering::acq_rel), "acq_rel");
  EXPECT_EQ(name(AttributeKind::memory_scope, MemoryScope::sys), "sys");
  EXPECT_EQ(name(AttributeKind::atomic_mode, AtomicMode::xchg), "xchg");
  EXPECT_EQ(padding_names()[static_cast<std::size_t>(Padding::neg_inf)], "neg_inf");
  EXPECT_TRUE(value_names(AttributeKind::unit).empty());
}

}  // namespace
}  // namespace tw::ir
