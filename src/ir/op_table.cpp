// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>

#include <fmt/format.h>

#include <tilewright/core/error.hpp>
#include <tilewright/core/os.hpp>
#include <tilewright/ir/op_table.hpp>

namespace tw::inline v0::ir {
namespace {

constexpr Version v13_1{13, 1};
constexpr Version v13_2{13, 2};
constexpr Version v13_3{13, 3};
constexpr Version v13_4{13, 4};
constexpr Version v13_5{13, 5};

template <class Enum>
constexpr AttributeRow attribute(AttributeName name, AttributeKind kind, Enum fallback,
                                 Version since = v13_1) {
  return {name, kind, false, since, static_cast<std::int64_t>(fallback)};
}
constexpr AttributeRow required(AttributeName name, AttributeKind kind) { return {name, kind}; }
constexpr AttributeRow maybe(AttributeName name, AttributeKind kind) { return {name, kind, true}; }
constexpr AttributeRow unit(AttributeName name, Version since = v13_1) {
  return {name, AttributeKind::unit, true, since, 0};
}
constexpr AttributeRow rounding(RoundingMode fallback, Version since = v13_1) {
  return attribute(AttributeName::rounding, AttributeKind::rounding, fallback, since);
}
constexpr AttributeRow inbounds(Version since) {
  return {AttributeName::inbounds, AttributeKind::bool_array, false, since, 0};
}

constexpr AttributeRow flush_to_zero = unit(AttributeName::flush_to_zero);
constexpr AttributeRow overflow =
    attribute(AttributeName::overflow, AttributeKind::overflow, Overflow::none);
constexpr AttributeRow signedness = required(AttributeName::signedness, AttributeKind::signedness);
constexpr AttributeRow comparison_predicate =
    required(AttributeName::comparison_predicate, AttributeKind::comparison_predicate);
constexpr AttributeRow ordering =
    required(AttributeName::memory_ordering, AttributeKind::memory_ordering);
constexpr AttributeRow scope = required(AttributeName::memory_scope, AttributeKind::memory_scope);
constexpr AttributeRow maybe_scope =
    maybe(AttributeName::memory_scope, AttributeKind::memory_scope);
constexpr AttributeRow mode = required(AttributeName::mode, AttributeKind::atomic_mode);
constexpr AttributeRow hints = maybe(AttributeName::optimization_hints, AttributeKind::hints);
constexpr AttributeRow dim = required(AttributeName::dim, AttributeKind::integer);
constexpr AttributeRow identities =
    required(AttributeName::identities, AttributeKind::scalar_array);
constexpr AttributeRow site = required(AttributeName::site, AttributeKind::integer);

constexpr std::array with_flush{flush_to_zero};
constexpr std::array with_rounding_and_flush{rounding(RoundingMode::nearest_even), flush_to_zero};
constexpr std::array with_nan_and_flush{unit(AttributeName::propagate_nan), flush_to_zero};
constexpr std::array with_overflow{overflow};
constexpr std::array with_late_overflow{
    attribute(AttributeName::overflow, AttributeKind::overflow, Overflow::none, v13_2)};
constexpr std::array with_signedness{signedness};
constexpr std::array with_site{site};
constexpr std::array with_dim{dim};
constexpr std::array assert_attributes{required(AttributeName::message, AttributeKind::string)};
constexpr std::array assume_attributes{
    required(AttributeName::predicate, AttributeKind::predicate)};
constexpr std::array cas_attributes{ordering, scope};
constexpr std::array rmw_attributes{ordering, scope, mode};
constexpr std::array cmpf_attributes{
    comparison_predicate,
    required(AttributeName::comparison_ordering, AttributeKind::comparison_ordering)};
constexpr std::array cmpi_attributes{comparison_predicate, signedness};
constexpr std::array constant_attributes{required(AttributeName::value, AttributeKind::constant)};
constexpr std::array divi_attributes{signedness, rounding(RoundingMode::zero)};
constexpr std::array exp_attributes{rounding(RoundingMode::full, v13_3)};
constexpr std::array tanh_attributes{rounding(RoundingMode::full, v13_2)};
constexpr std::array for_attributes{unit(AttributeName::unsigned_comparison, v13_2)};
constexpr std::array ftof_attributes{rounding(RoundingMode::nearest_even)};
constexpr std::array ftoi_attributes{signedness, rounding(RoundingMode::nearest_int_to_zero),
                                     unit(AttributeName::saturating, v13_4)};
constexpr std::array itof_attributes{signedness, rounding(RoundingMode::nearest_even)};
constexpr std::array get_global_attributes{required(AttributeName::name, AttributeKind::string)};
constexpr std::array pointer_access_attributes{ordering, maybe_scope, hints};
constexpr std::array view_access_attributes{ordering, maybe_scope, hints, inbounds(v13_4)};
constexpr std::array mmaf_attributes{unit(AttributeName::fast_acc, v13_3)};
constexpr std::array mmai_attributes{
    required(AttributeName::signedness_lhs, AttributeKind::signedness),
    required(AttributeName::signedness_rhs, AttributeKind::signedness)};
constexpr std::array permute_attributes{
    required(AttributeName::permutation, AttributeKind::int32_array)};
constexpr std::array print_attributes{required(AttributeName::format, AttributeKind::string)};
constexpr std::array reduce_attributes{dim, identities};
constexpr std::array scan_attributes{dim, required(AttributeName::reverse, AttributeKind::boolean),
                                     identities};
constexpr std::array alloca_attributes{required(AttributeName::num_elem, AttributeKind::integer),
                                       required(AttributeName::alignment, AttributeKind::integer),
                                       unit(AttributeName::global)};
constexpr std::array red_view_attributes{ordering, scope, mode, inbounds(v13_5)};

constexpr OperandRow one(std::string_view name) { return {name}; }
constexpr OperandRow optional(std::string_view name, Version since = v13_1) {
  return {name, Arity::optional, since};
}
constexpr OperandRow many(std::string_view name) { return {name, Arity::variadic}; }

constexpr std::array unary{one("source")};
constexpr std::array conversion{one("from")};
constexpr std::array binary{one("lhs"), one("rhs")};
constexpr std::array ternary{one("lhs"), one("rhs"), one("acc")};
constexpr std::array power{one("source"), one("exponent")};
constexpr std::array x_and_y{one("x"), one("y")};
constexpr std::array forwarded{many("operands")};
constexpr std::array condition{one("condition")};
constexpr std::array assume_operands{one("value")};
constexpr std::array cas_operands{one("pointers"), one("cmp"), one("val"), optional("mask"),
                                  optional("token")};
constexpr std::array rmw_operands{one("pointers"), one("arg"), optional("mask"), optional("token")};
constexpr std::array extract_operands{one("source"), many("indices")};
constexpr std::array insert_operands{one("source"), one("destination"), many("indices")};
constexpr std::array for_operands{one("lowerBound"), one("upperBound"), one("step"),
                                  many("initValues")};
constexpr std::array queried{one("src")};
constexpr std::array tokens{many("tokens")};
constexpr std::array load_ptr_operands{one("source"), optional("mask"), optional("paddingValue"),
                                       optional("token")};
constexpr std::array load_view_operands{one("view"), many("index"), optional("token")};
constexpr std::array loop_operands{many("initValues")};
constexpr std::array viewed{one("tensor_view")};
constexpr std::array tensor_view_operands{one("base"), many("dynamicShape"),
                                          many("dynamicStrides")};
constexpr std::array mma_scaled_operands{one("lhs"), one("rhs"), one("acc"), one("lhs_scale"),
                                         one("rhs_scale")};
constexpr std::array offset_operands{one("ptr"), one("offset")};
constexpr std::array print_tko_operands{many("args"), optional("token", v13_2)};
constexpr std::array select_operands{one("cond"), one("val_if_true"), one("val_if_false")};
constexpr std::array store_ptr_operands{one("destination"), one("value"), optional("mask"),
                                        optional("token")};
constexpr std::array store_view_operands{one("tile"), one("view"), many("index"),
                                         optional("token")};
constexpr std::array red_view_operands{one("view"), many("index"), one("value"), optional("token")};
constexpr std::array maybe_token{optional("token")};
constexpr std::array only_token{one("token")};
constexpr std::array check_operands{one("condition"), one("index"), one("bound")};
constexpr std::array print_operands{many("args")};

constexpr std::span<const AttributeRow> plain{};
constexpr std::span<const OperandRow> nothing{};

/// An op without side effects, with one result.
constexpr OpRow value(Opcode code, std::string_view name, std::span<const AttributeRow> attributes,
                      std::span<const OperandRow> operands, Version since = v13_1) {
  return {code, name, since, Effect::pure, 1, false, 0, attributes, operands};
}
/// An op without side effects that gives `results` values.
constexpr OpRow values(Opcode code, std::string_view name, std::uint8_t results) {
  return {code, name, v13_1, Effect::pure, results, false, 0, plain, nothing};
}
/// An op that gives one value an axis of its operand.
constexpr OpRow axes(Opcode code, std::string_view name) {
  return {code, name, v13_1, Effect::pure, 0, true, 0, plain, queried};
}
constexpr OpRow load(Opcode code, std::string_view name, std::span<const AttributeRow> attributes,
                     std::span<const OperandRow> operands) {
  return {code, name, v13_1, Effect::reads, 2, false, 0, attributes, operands};
}
/// An op that must stay where it is.
constexpr OpRow effect(Opcode code, std::string_view name, std::uint8_t results,
                       std::span<const AttributeRow> attributes,
                       std::span<const OperandRow> operands, Version since = v13_1) {
  return {code, name, since, Effect::writes, results, false, 0, attributes, operands};
}
/// Before 13.2 a print gave no token.
constexpr OpRow late_result(OpRow row) {
  row.results_since = v13_2;
  return row;
}
constexpr OpRow nesting(Opcode code, std::string_view name, std::uint8_t regions,
                        std::span<const AttributeRow> attributes,
                        std::span<const OperandRow> operands) {
  return {code, name, v13_1, Effect::control, 0, true, regions, attributes, operands};
}
constexpr OpRow terminator(Opcode code, std::string_view name) {
  return {code, name, v13_1, Effect::terminator, 0, false, 0, plain, forwarded};
}

using enum Opcode;

// An alloca counts as an effect because two of them are never the same memory.
constexpr std::array table{
    value(absf, "absf", plain, unary),
    value(absi, "absi", plain, unary),
    value(addf, "addf", with_rounding_and_flush, binary),
    value(addi, "addi", with_overflow, binary),
    value(andi, "andi", plain, binary),
    effect(assert_, "assert", 0, assert_attributes, condition),
    value(assume, "assume", assume_attributes, assume_operands),
    effect(atomic_cas_tko, "atomic_cas_tko", 2, cas_attributes, cas_operands),
    effect(atomic_rmw_tko, "atomic_rmw_tko", 2, rmw_attributes, rmw_operands),
    value(bitcast, "bitcast", plain, unary),
    terminator(break_, "break"),
    value(broadcast, "broadcast", plain, unary),
    value(cat, "cat", with_dim, binary),
    value(ceil, "ceil", plain, unary),
    value(cmpf, "cmpf", cmpf_attributes, binary),
    value(cmpi, "cmpi", cmpi_attributes, binary),
    value(constant, "constant", constant_attributes, nothing),
    terminator(continue_, "continue"),
    value(cos, "cos", plain, unary),
    value(cosh, "cosh", plain, unary),
    value(divf, "divf", with_rounding_and_flush, binary),
    value(divi, "divi", divi_attributes, binary),
    value(exp, "exp", exp_attributes, unary),
    value(exp2, "exp2", with_flush, unary),
    value(exti, "exti", with_signedness, conversion),
    value(extract, "extract", plain, extract_operands),
    value(floor, "floor", plain, unary),
    value(fma, "fma", with_rounding_and_flush, ternary),
    nesting(for_, "for", 1, for_attributes, for_operands),
    value(ftof, "ftof", ftof_attributes, conversion),
    value(ftoi, "ftoi", ftoi_attributes, conversion),
    value(get_global, "get_global", get_global_attributes, nothing),
    axes(get_index_space_shape, "get_index_space_shape"),
    values(get_num_tile_blocks, "get_num_tile_blocks", 3),
    axes(get_tensor_shape, "get_tensor_shape"),
    values(get_tile_block_id, "get_tile_block_id", 3),
    nesting(if_, "if", 2, plain, condition),
    value(int_to_ptr, "int_to_ptr", plain, unary),
    value(iota, "iota", plain, nothing),
    value(itof, "itof", itof_attributes, conversion),
    value(join_tokens, "join_tokens", plain, tokens),
    load(load_ptr_tko, "load_ptr_tko", pointer_access_attributes, load_ptr_operands),
    load(load_view_tko, "load_view_tko", view_access_attributes, load_view_operands),
    value(log, "log", plain, unary),
    value(log2, "log2", plain, unary),
    nesting(loop, "loop", 1, plain, loop_operands),
    value(make_partition_view, "make_partition_view", plain, viewed),
    value(make_tensor_view, "make_tensor_view", plain, tensor_view_operands),
    value(make_token, "make_token", plain, nothing),
    value(maxf, "maxf", with_nan_and_flush, binary),
    value(maxi, "maxi", with_signedness, binary),
    value(minf, "minf", with_nan_and_flush, binary),
    value(mini, "mini", with_signedness, binary),
    value(mmaf, "mmaf", mmaf_attributes, ternary),
    value(mmai, "mmai", mmai_attributes, ternary),
    value(mulf, "mulf", with_rounding_and_flush, binary),
    value(mulhii, "mulhii", plain, x_and_y),
    value(muli, "muli", with_overflow, binary),
    value(negf, "negf", plain, unary),
    value(negi, "negi", with_late_overflow, unary),
    value(offset, "offset", plain, offset_operands),
    value(ori, "ori", plain, binary),
    value(permute, "permute", permute_attributes, unary),
    value(pow, "pow", plain, power),
    late_result(effect(print_tko, "print_tko", 1, print_attributes, print_tko_operands)),
    value(ptr_to_int, "ptr_to_int", plain, unary),
    value(ptr_to_ptr, "ptr_to_ptr", plain, unary),
    nesting(reduce, "reduce", 1, reduce_attributes, forwarded),
    value(remf, "remf", plain, binary),
    value(remi, "remi", with_signedness, binary),
    value(reshape, "reshape", plain, unary),
    terminator(return_, "return"),
    value(rsqrt, "rsqrt", with_flush, unary),
    nesting(scan, "scan", 1, scan_attributes, forwarded),
    value(select, "select", plain, select_operands),
    value(shli, "shli", with_overflow, binary),
    value(shri, "shri", with_signedness, binary),
    value(sin, "sin", plain, unary),
    value(sinh, "sinh", plain, unary),
    value(sqrt, "sqrt", with_rounding_and_flush, unary),
    effect(store_ptr_tko, "store_ptr_tko", 1, pointer_access_attributes, store_ptr_operands),
    effect(store_view_tko, "store_view_tko", 1, view_access_attributes, store_view_operands),
    value(subf, "subf", with_rounding_and_flush, binary),
    value(subi, "subi", with_overflow, binary),
    value(tan, "tan", plain, unary),
    value(tanh, "tanh", tanh_attributes, unary),
    value(trunci, "trunci", with_overflow, conversion),
    value(xori, "xori", plain, binary),
    terminator(yield, "yield"),
    value(atan2, "atan2", plain, x_and_y, v13_2),
    value(pack, "pack", plain, unary, v13_3),
    value(unpack, "unpack", plain, unary, v13_3),
    effect(alloca_, "alloca", 1, alloca_attributes, nothing, v13_3),
    value(mmaf_scaled, "mmaf_scaled", plain, mma_scaled_operands, v13_3),
    value(make_gather_scatter_view, "make_gather_scatter_view", plain, viewed, v13_3),
    value(make_strided_view, "make_strided_view", plain, viewed, v13_3),
    effect(atomic_red_view_tko, "atomic_red_view_tko", 1, red_view_attributes, red_view_operands,
           v13_3),
    value(insert, "insert", plain, insert_operands, v13_4),
    effect(gdc_launch_dependents_tko, "gdc_launch_dependents_tko", 1, plain, maybe_token, v13_4),
    effect(gdc_wait_tko, "gdc_wait_tko", 1, plain, maybe_token, v13_4),
    value(fpowi, "fpowi", plain, power, v13_4),
    effect(memory_fence_alias_tko, "memory_fence_alias_tko", 1, plain, only_token, v13_4),
    effect(check, "tw.check", 0, with_site, check_operands),
    effect(print, "tw.print", 0, with_site, print_operands),
};

/// Opcodes of the wire format are small; ours follow them in the index.
constexpr std::size_t wire_codes = static_cast<std::size_t>(memory_fence_alias_tko) + 1;
constexpr std::size_t first_own = static_cast<std::size_t>(check);
constexpr std::size_t own_codes = static_cast<std::size_t>(print) + 1 - first_own;

constexpr std::size_t slot(std::size_t code) {
  return code < first_own ? code : code - first_own + wire_codes;
}

constexpr auto row_of_slot = [] {
  std::array<const OpRow*, wire_codes + own_codes> rows{};
  for (const OpRow& row : table) rows[slot(static_cast<std::size_t>(row.code))] = &row;
  return rows;
}();

constexpr std::array<std::string_view, 30> attribute_names{
    "rounding_mode",
    "flush_to_zero",
    "overflow",
    "message",
    "predicate",
    "memory_ordering_semantics",
    "memory_scope",
    "mode",
    "dim",
    "comparison_predicate",
    "comparison_ordering",
    "signedness",
    "signedness_lhs",
    "signedness_rhs",
    "value",
    "unsignedCmp",
    "saturating",
    "name",
    "optimization_hints",
    "inbounds",
    "propagate_nan",
    "fast_acc",
    "permutation",
    "str",
    "identities",
    "reverse",
    "num_elem",
    "alignment",
    "global",
    "site",
};
static_assert(attribute_names.size() == static_cast<std::size_t>(AttributeName::site) + 1);

/// Where each row has the attribute of each name, or -1.
constexpr auto attribute_places = [] {
  std::array<std::array<std::int8_t, attribute_names.size()>, table.size()> places{};
  for (std::size_t i = 0; i < places.size(); ++i) {
    places[i].fill(-1);
    for (std::size_t k = 0; k < table[i].attributes.size(); ++k) {
      const auto name = static_cast<std::size_t>(table[i].attributes[k].name);
      places[i][name] = static_cast<std::int8_t>(k);
    }
  }
  return places;
}();

}  // namespace

const OpRow& row(Opcode code) {
  const auto number = static_cast<std::size_t>(code);
  const bool known = number < wire_codes || (number >= first_own && number < first_own + own_codes);
  const OpRow* found = known ? row_of_slot[slot(number)] : nullptr;
  if (found == nullptr) throw BugError(fmt::format("no op has code {:#x}", number), {});
  return *found;
}

std::span<const OpRow> all_rows() { return table; }

std::size_t index_of(const OpRow& row) { return static_cast<std::size_t>(&row - table.data()); }

const OpRow* find_row(std::string_view name) {
  static const auto by_name = [] {
    std::unordered_map<std::string_view, const OpRow*> rows;
    for (const OpRow& each : table) rows.emplace(each.name, &each);
    rows.emplace("fpowf", &row(Opcode::pow));
    return rows;
  }();
  const auto found = by_name.find(name);
  return found == by_name.end() ? nullptr : found->second;
}
static const os::MadeBeforeForks<[] { return find_row(""); }> rows_made;

int attribute_index(const OpRow& row, AttributeName name) {
  return attribute_places[index_of(row)][static_cast<std::size_t>(name)];
}

std::string_view attribute_text(AttributeName name) {
  return attribute_names.at(static_cast<std::size_t>(name));
}

std::string to_string(Version version) {
  return std::to_string(version.major_number) + "." + std::to_string(version.minor_number);
}

Version since(ElementKind kind) {
  const auto version = info(kind).since;
  return {version.major, version.minor};
}

bool is_fallback(const Attribute& value, const AttributeRow& row) {
  if (value.empty()) return true;
  if (!row.fallback) return false;
  if (const auto* number = value.as<std::int64_t>()) return *number == *row.fallback;
  const auto* list = value.as<IntArray>();
  return list != nullptr && std::ranges::all_of(*list, [&](auto i) { return i == *row.fallback; });
}

}  // namespace tw::inline v0::ir
