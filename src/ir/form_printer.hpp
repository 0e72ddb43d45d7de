// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <tilewright/ir/op.hpp>

#include "ir/type_texts.hpp"
#include "ir/value_names.hpp"

namespace tw::inline v0::ir {

/// `"file":line:column`.
std::string place_text(const SourcePlace& place);
/// `global  @g <i32: 1> : tile<1xi32>`.
std::string global_text(const Global& global);

/// Prints what follows an op's name, by its form.
class FormPrinter {
 public:
  /// Without a module, sites are numbers.
  FormPrinter(const Module* module, const Function& function, const ValueNames& names)
      : module_(module), function_(function), names_(names) {}

  [[nodiscard]] std::string text(const Op& op) const;
  /// All of an op but its blocks: results, name and what follows, as the release `tool` spells it.
  [[nodiscard]] std::string line(const Op& op, Version tool = {13, 5}) const;

 private:
  [[nodiscard]] std::string expanded(const Op& op, std::string_view form) const;
  [[nodiscard]] bool has_value(const Op& op, std::string_view name) const;
  [[nodiscard]] std::string placeholder(const Op& op, std::string_view name) const;
  [[nodiscard]] std::string attribute(const Op& op, const AttributeRow& row) const;
  [[nodiscard]] std::span<const Value> values(const Op& op, std::string_view name) const;
  [[nodiscard]] std::string iterations(const Op& op) const;
  [[nodiscard]] std::span<const Value> typed_operands(const Op& op) const;
  [[nodiscard]] std::string uses(std::span<const Value> values) const;
  [[nodiscard]] std::string types(std::span<const Value> values) const;
  [[nodiscard]] std::string common_type(std::span<const Value> values) const;
  [[nodiscard]] std::string extents(const Op& op, bool shape) const;
  [[nodiscard]] std::string site(const Op& op) const;

  const Module* module_;
  const Function& function_;
  const ValueNames& names_;
  mutable TypeTexts type_texts_;
};

}  // namespace tw::inline v0::ir
