// SPDX-License-Identifier: Apache-2.0
#include "bytecode/wire_form.hpp"

#include <algorithm>
#include <tuple>
#include <vector>

namespace tw::inline v0::bytecode {
namespace {

using ir::Arity;

WireForm::Operands layout(const ir::OpRow& row) {
  const auto varying = std::ranges::count_if(
      row.operands, [](const ir::OperandRow& each) { return each.arity != Arity::one; });
  if (varying == 0) return WireForm::Operands::fixed;
  return varying == 1 ? WireForm::Operands::counted : WireForm::Operands::segmented;
}

/// A lone optional operand is told by the number of operands; else it has a flag.
void add_flags(WireForm& form, const ir::OpRow& row) {
  const auto add = [&](bool is_operand, std::size_t index, Version since) {
    form.flags.at(form.flag_count++) = {is_operand, static_cast<std::uint8_t>(index),
                                        std::max(since, row.since)};
  };
  for (std::size_t i = 0; i < row.attributes.size(); ++i) {
    if (row.attributes[i].optional) add(false, i, row.attributes[i].since);
  }
  for (std::size_t i = 0; i < row.operands.size(); ++i) {
    const bool optional = row.operands[i].arity == Arity::optional;
    if (optional && form.operands == WireForm::Operands::segmented) {
      add(true, i, row.operands[i].since);
    }
  }
  std::sort(
      form.flags.begin(), form.flags.begin() + form.flag_count, [](const auto& a, const auto& b) {
        return std::tie(a.since, a.is_operand, a.index) < std::tie(b.since, b.is_operand, b.index);
      });
}

WireForm derive(const ir::OpRow& row) {
  WireForm form;
  form.counts_results =
      row.variadic_results || std::ranges::any_of(row.operands, [](const ir::OperandRow& each) {
        return each.arity == Arity::variadic;
      });
  form.operands = layout(row);
  add_flags(form, row);
  return form;
}

}  // namespace

const WireForm& wire_form(const ir::OpRow& row) {
  static const std::vector<WireForm> forms = [] {
    std::vector<WireForm> all;
    for (const ir::OpRow& each : ir::all_rows()) all.push_back(derive(each));
    return all;
  }();
  return forms[static_cast<std::size_t>(&row - ir::all_rows().data())];
}

}  // namespace tw::inline v0::bytecode
