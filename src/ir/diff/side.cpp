// SPDX-License-Identifier: Apache-2.0
#include "ir/diff/side.hpp"

#include <fmt/format.h>

#include <tilewright/ir/printer.hpp>

#include "ir/attribute_text.hpp"
#include "ir/form_printer.hpp"

namespace tw::inline v0::ir {

DiffSide::DiffSide(const Module& module, const Function& function)
    : module_(module),
      function_(function),
      numbers_(function.types.size()),
      definitions_(function.types.size()) {
  walk(function.body, [&](const Op& op) {
    for (const Value each : op.results) {
      if (each.index < definitions_.size()) definitions_[each.index] = &op;
    }
  });
}

DiffPlace DiffSide::place(const Op& op) const {
  if (!names_) {
    names_.emplace(function_);
    list_paths(function_.body, symbol_text(function_.name));
  }
  return {paths_.at(&op), module_.locations[op.location],
          FormPrinter(&module_, function_, *names_).line(op)};
}

DiffPlace DiffSide::place() const {
  const std::string text = print(function_);
  return {symbol_text(function_.name), module_.locations[function_.location],
          text.substr(0, text.find('\n'))};
}

void DiffSide::list_paths(const Block& block, const std::string& prefix) const {
  for (std::size_t i = 0; i < block.ops.size(); ++i) {
    const Op& op = block.ops[i];
    const std::string path = fmt::format("{}/{}:{}", prefix, i, op.row().name);
    paths_.emplace(&op, path);
    for (std::size_t region = 0; region < op.regions.size(); ++region) {
      list_paths(op.regions[region], region == 0 ? path : fmt::format("{}.{}", path, region));
    }
  }
}

}  // namespace tw::inline v0::ir
