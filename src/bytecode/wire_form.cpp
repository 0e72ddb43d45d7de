// SPDX-License-Identifier: Apache-2.0
#include "bytecode/wire_form.hpp"

#include <algorithm>
#include <map>

namespace tw::inline v0::bytecode {
namespace {

using ir::Arity;

WireForm::Operands layout(const ir::OpRow& row) {
  const auto varying = std::ranges::count_if(
      row.operands, [](const ir::OperandRow& each) { return each.arity != Arity::one; });
  if (varying == 0) return WireForm::Operands::fixed;
  return varying == 1 ? WireForm::Operands::counted : WireForm::Operands::segmented;
}

/// Something optional, and where its bit goes.
struct Flag {
  Version since;
  std::int8_t* bit;
};

/// Gives every flag its bit: those of older versions first, then attributes before operands.
void number_flags(WireForm& form, const std::vector<Flag>& flags, Version version) {
  for (const Version since : known_versions) {
    for (const Flag& each : flags) {
      if (each.since != since) continue;
      *each.bit = since <= version ? static_cast<std::int8_t>(form.flags++) : WireForm::never;
    }
  }
}

WireForm derive(const ir::OpRow& row, Version version) {
  WireForm form{.row = &row, .operands = layout(row)};
  form.has_results = row.results_since <= version;
  form.counts_results = row.variadic_results ||
                        std::ranges::find(row.operands, Arity::variadic, &ir::OperandRow::arity) !=
                            row.operands.end();

  std::vector<Flag> flags;
  for (std::size_t i = 0; i < row.attributes.size(); ++i) {
    const Version since = std::max(row.attributes[i].since, row.since);
    std::int8_t& bit = form.attribute_bit.at(i);
    bit = since <= version ? WireForm::always : WireForm::never;
    if (row.attributes[i].optional) flags.push_back({since, &bit});
    const bool may_lack = row.attributes[i].optional || bit == WireForm::never;
    form.has_fallbacks |= may_lack && row.attributes[i].fallback.has_value();
  }
  for (std::size_t i = 0; i < row.operands.size(); ++i) {
    std::int8_t& bit = form.operand_bit.at(i);
    bit = WireForm::always;
    // A lone optional operand is told by the number of operands.
    if (row.operands[i].arity == Arity::optional &&
        form.operands == WireForm::Operands::segmented) {
      flags.push_back({std::max(row.operands[i].since, row.since), &bit});
    }
  }
  number_flags(form, flags, version);
  return form;
}

}  // namespace

WireForms::WireForms(Version version) {
  for (const ir::OpRow& each : ir::all_rows()) {
    if (each.code >= ir::Opcode::check) continue;
    by_code_.resize(static_cast<std::size_t>(each.code) + 1);
    by_code_.back() = derive(each, version);
  }
}

const WireForms& WireForms::of(Version version) {
  static const std::map<Version, WireForms> all = [] {
    std::map<Version, WireForms> forms;
    for (const Version each : known_versions) forms.emplace(each, WireForms(each));
    return forms;
  }();
  return all.at(version);
}

}  // namespace tw::inline v0::bytecode
