// SPDX-License-Identifier: Apache-2.0
#include "ir/text_form.hpp"

#include <algorithm>
#include <initializer_list>
#include <vector>

#include <tilewright/core/os.hpp>

namespace tw::inline v0::ir {
namespace {

struct Form {
  TextForm form;
  std::initializer_list<Opcode> codes;
};

using enum Opcode;

const Form forms[] = {
    // Elementwise.
    {{" {source} : {:result}"},
     {absf, absi, ceil, cos, cosh, floor, log, log2, negf, sin, sinh, tan}},
    {{" {source} {rounding_mode} : {:result}"}, {exp, tanh}},
    {{" {source} {rounding_mode}{?flush_to_zero} : {:result}"}, {sqrt}},
    {{" {source}{?flush_to_zero} : {:result}"}, {exp2, rsqrt}},
    {{" {source}?( {overflow}) : {:result}"}, {negi}},
    {{" {lhs}, {rhs} : {:result}"}, {andi, ori, xori, remf}},
    {{" {lhs}, {rhs} {rounding_mode}{?flush_to_zero} : {:result}"}, {addf, subf, mulf, divf}},
    {{" {lhs}, {rhs}{?flush_to_zero}{?propagate_nan} : {:result}"}, {maxf, minf}},
    {{" {lhs}, {rhs}?( {overflow}) : {:result}"}, {addi, subi, muli, shli}},
    {{" {lhs}, {rhs} {signedness} : {:result}"}, {maxi, mini, remi, shri}},
    {{" {lhs}, {rhs} {signedness}?( {rounding_mode}) : {:result}"}, {divi}},
    {{" {lhs}, {rhs}, {acc} {rounding_mode}{?flush_to_zero} : {:result}"}, {fma}},
    {{" {x}, {y} : {:result}"}, {mulhii, atan2}},
    {{" {source}, {exponent} : {:result}"}, {pow}},
    {{" {source}, {exponent} : {:result}, {:exponent}"}, {fpowi}},
    {{" {comparison_predicate} {comparison_ordering} {lhs}, {rhs} : {:lhs} -> {:result}"}, {cmpf}},
    {{" {comparison_predicate} {lhs}, {rhs}, {signedness} : {:lhs} -> {:result}"}, {cmpi}},
    {{" {cond}, {val_if_true}, {val_if_false} : {:cond}, {:result}"}, {select}},

    // Conversions and shapes.
    {{" {source} : {:source} -> {:result}"},
     {bitcast, broadcast, int_to_ptr, pack, ptr_to_int, ptr_to_ptr, reshape, unpack}},
    {{" {from} {signedness} : {:from} -> {:result}"}, {exti}},
    {{" {from}?( {overflow}) : {:from} -> {:result}"}, {trunci}},
    {{" {from} {rounding_mode} : {:from} -> {:result}"}, {ftof}},
    {{" {from} {signedness} {rounding_mode} : {:from} -> {:result}"}, {itof}},
    {{" {from} {signedness} {rounding_mode}{?saturating} : {:from} -> {:result}"}, {ftoi}},
    {{" {source} {permutation} : {:source} -> {:result}"}, {permute}},
    {{" {lhs}, {rhs} dim = {dim} : {:lhs}, {:rhs} -> {:result}"}, {cat}},
    {{" {source}[{indices}] : {:source} -> {:result}"}, {extract}},
    {{" {source}, {destination}[{indices}] : {:source}, {:destination}", "destination"}, {insert}},
    {{" {ptr}, {offset} : {:ptr}, {:offset} -> {:result}"}, {offset}},
    {{" : {:result}"}, {iota, get_tile_block_id, get_num_tile_blocks, make_token}},
    {{" <{value}> : {:result}"}, {constant}},
    {{" {predicate}, {value} : {:result}"}, {assume}},

    // Matrix products.
    {{" {lhs}, {rhs}, {acc}{?fast_acc} : {:lhs}, {:rhs}, {:acc}", "acc"}, {mmaf}},
    {{" {lhs}, {rhs}, {acc} {signedness_lhs} {signedness_rhs} : {:lhs}, {:rhs}, {:acc}", "acc"},
     {mmai}},
    {{" {lhs}, {rhs}, {acc}, {lhs_scale}, {rhs_scale} : {:lhs}, {:rhs}, {:acc}, {:lhs_scale}, "
      "{:rhs_scale}",
      "acc"},
     {mmaf_scaled}},

    // Views and memory.
    {{" {base}, shape = [{shape}], strides = [{strides}] : ?({:typed} -> ){:result}"},
     {make_tensor_view}},
    {{" {tensor_view} : {:result}"},
     {make_partition_view, make_strided_view, make_gather_scatter_view}},
    {{" {src} : {:src} -> {:result}"}, {get_index_space_shape, get_tensor_shape}},
    {{" {name} : {:result}"}, {get_global}},
    {{" num_elem = {num_elem}, alignment = {alignment}{?global} : {:result}"}, {alloca_}},
    {{" {memory_ordering_semantics}?( {memory_scope}) {view}[{index}]?( token = {token})"
      "?( optimization_hints = {optimization_hints})?( inbounds = {inbounds})"
      " : {:view}?(, {=index}) -> {:results}"},
     {load_view_tko}},
    {{" {memory_ordering_semantics}?( {memory_scope}) {tile}, {view}[{index}]?( token = {token})"
      "?( optimization_hints = {optimization_hints})?( inbounds = {inbounds})"
      " : {:tile}, {:view}?(, {=index}) -> {:result}"},
     {store_view_tko}},
    {{" {memory_ordering_semantics} {memory_scope} {view}[{index}], {mode}, {value}"
      "?( token = {token})?( inbounds = {inbounds}) : {:value}, {:view}?(, {=index}) -> {:result}"},
     {atomic_red_view_tko}},
    {{" {memory_ordering_semantics}?( {memory_scope}) {source}?(, {mask})?(, {paddingValue})"
      "?( token={token})?( optimization_hints = {optimization_hints})"
      " : {:source}?(, {:mask})?(, {:paddingValue}) -> {:results}"},
     {load_ptr_tko}},
    {{" {memory_ordering_semantics}?( {memory_scope}) {destination}, {value}?(, {mask})"
      "?( token={token})?( optimization_hints = {optimization_hints})"
      " : {:destination}, {:value}?(, {:mask}) -> {:result}"},
     {store_ptr_tko}},
    {{" {memory_ordering_semantics} {memory_scope} {pointers}, {mode}, {arg}?(, {mask})"
      "?( token={token}) : {:pointers}, {:arg}?(, {:mask}) -> {:results}"},
     {atomic_rmw_tko}},
    {{" {memory_ordering_semantics} {memory_scope} {pointers}, {cmp}, {val}?(, {mask})"
      "?( token={token}) : {:pointers}, {:val}?(, {:mask}) -> {:results}"},
     {atomic_cas_tko}},
    {{" {tokens} : {:result}"}, {join_tokens}},
    {{"?( token = {token}) -> {:result}"}, {gdc_launch_dependents_tko, gdc_wait_tko}},
    {{" {token}"}, {memory_fence_alias_tko}},

    // Reports.
    {{" {str}?(, {args})?( token={token})?( : {:args})?( -> {:result})"}, {print_tko}},
    {{" {condition}, {message} : {:condition}"}, {assert_}},
    {{" {condition}, {index}, {bound} site = {site} : {:condition}, {:index}, {:bound}"}, {check}},
    {{"?( {args}) site = {site}?( : {:args})"}, {print}},

    // Control flow.
    {{"?( {operands} : {:operands})"}, {break_, continue_, yield, return_}},
    {{"{?unsignedCmp} {induction} in ({lowerBound} to {upperBound}, step {step}) : {:step} "
      "?({iterations} -> ({:initValues}) )",
      "initValues", continue_},
     {for_}},
    {{" ?({iterations} : {:initValues} )?({handed_out} )", {}, continue_}, {loop}},
    {{" {condition}?( -> ({:results})) ", {}, yield}, {if_}},
    {{" {operands} dim={dim} identities={identities} : {:operands} -> {:results} ", {}, {}, true},
     {reduce}},
    {{" {operands} dim={dim} reverse={reverse} identities={identities} : {:operands} -> "
      "{:results} ",
      {},
      {},
      true},
     {scan}},
};

/// The place of the parenthesis that ends the optional part at the front of a form.
std::size_t closing_parenthesis(std::string_view form) {
  std::size_t depth = 0;
  std::size_t end = 1;
  do {
    if (form[end] == '(') ++depth;
    if (form[end] == ')') --depth;
    ++end;
  } while (depth != 0);
  return end - 1;
}

}  // namespace

const TextForm& text_form(Opcode code) {
  static const auto by_row = [] {
    std::vector<const TextForm*> found(all_rows().size());
    for (const Form& each : forms) {
      for (const Opcode each_code : each.codes) found[index_of(row(each_code))] = &each.form;
    }
    return found;
  }();
  return *by_row[index_of(row(code))];
}
static const os::MadeBeforeForks<[] { return &text_form(Opcode::addf); }> forms_made;

FormPiece take_piece(std::string_view& form) {
  const std::size_t length = std::min(form.find_first_of("{?"), form.size());
  FormPiece piece{form.substr(0, length), {}, length < form.size() && form[length] == '?'};
  form.remove_prefix(length);
  if (form.empty()) return piece;
  const std::size_t opening = piece.is_optional ? 2 : 1;
  const std::size_t end = piece.is_optional ? closing_parenthesis(form) : form.find('}');
  piece.part = form.substr(opening, end - opening);
  form.remove_prefix(end + 1);
  return piece;
}

std::string_view first_placeholder(std::string_view form) {
  form.remove_prefix(form.find('{') + 1);
  return form.substr(0, form.find('}'));
}

const AttributeRow* attribute_row(const OpRow& row, std::string_view placeholder) {
  const auto found = std::ranges::find(row.attributes, placeholder, [](const AttributeRow& each) {
    return attribute_text(each.name);
  });
  return found == row.attributes.end() ? nullptr : &*found;
}

std::size_t operand_index(const OpRow& row, std::string_view placeholder) {
  const auto found = std::ranges::find(row.operands, placeholder, &OperandRow::name);
  return static_cast<std::size_t>(found - row.operands.begin());
}

std::string_view unit_keyword(AttributeName name) {
  return name == AttributeName::unsigned_comparison ? "unsigned" : attribute_text(name);
}

}  // namespace tw::inline v0::ir
