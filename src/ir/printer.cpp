// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <tilewright/ir/printer.hpp>

#include "ir/attribute_text.hpp"
#include "ir/form_printer.hpp"
#include "ir/text_form.hpp"
#include "ir/value_names.hpp"

namespace tw::inline v0::ir {
namespace {

/// Prints one function.
class FunctionPrinter {
 public:
  FunctionPrinter(const Module* module, const Function& function, const PrintOptions& options,
                  int level, std::span<const std::string> names = {})
      : module_(module),
        function_(function),
        options_(options),
        names_(function, names),
        forms_(module, function, names_),
        level_(level) {}

  std::string print() {
    indent();
    text_ += fmt::format("{} {}", function_.entry ? "entry" : "testing$func",
                         symbol_text(function_.name));
    arguments(function_.body);
    if (!function_.hints.empty()) {
      text_ += " optimization_hints=" + hints_text(function_.hints);
    }
    text_ += ' ';
    body(function_.body, std::nullopt);
    location(function_.location);
    return std::move(text_) + "\n";
  }

 private:
  void indent() { text_.append(static_cast<std::size_t>(2 * level_), ' '); }

  void location(LocationId id) {
    if (!options_.locations || module_ == nullptr || id == LocationId::unknown) return;
    text_ += fmt::format(" loc({})", place_text(module_->locations[id]));
  }

  /// `(%a: T, %b: T)`.
  void arguments(const Block& block) {
    text_ += '(';
    for (std::size_t i = 0; i < block.arguments.size(); ++i) {
      const Value each = block.arguments[i];
      if (i != 0) text_ += ", ";
      text_ += fmt::format("{}: {}", names_.use(each), to_string(function_.type(each)));
    }
    text_ += ')';
  }

  /// `{ ... }`, without its terminator if that is `implied` and carries no values.
  void body(const Block& block, std::optional<Opcode> implied) {
    text_ += "{\n";
    ++level_;
    for (const Op& each : block.ops) {
      const bool left_out =
          &each == &block.ops.back() && each.code == implied && each.operands.empty();
      if (!left_out) op(each);
    }
    --level_;
    indent();
    text_ += '}';
  }

  void op(const Op& op) {
    indent();
    text_ += forms_.line(op, options_.tool);
    regions(op);
    location(op.location);
    text_ += '\n';
  }

  /// The blocks, each but the first behind an `else`.
  void regions(const Op& op) {
    const TextForm& form = text_form(op.code);
    for (std::size_t i = 0; i < op.regions.size(); ++i) {
      const Block& block = op.regions[i];
      if (i != 0 && block.ops.empty()) continue;
      if (i != 0) text_ += " else ";
      if (form.declares_arguments) {
        text_ += '\n';
        indent();
        arguments(block);
        text_ += ' ';
      }
      body(block, form.implied);
    }
  }

  const Module* module_;
  const Function& function_;
  const PrintOptions& options_;
  ValueNames names_;
  FormPrinter forms_;
  int level_;
  std::string text_;
};

/// The globals and functions, each line behind `level` steps of indentation.
std::string contents(const Module& module, const PrintOptions& options, int level) {
  std::string text;
  for (const Global& each : module.globals) {
    text.append(static_cast<std::size_t>(2 * level), ' ');
    text += global_text(each) + '\n';
  }
  for (std::size_t i = 0; i < module.functions.size(); ++i) {
    const bool named = options.names != nullptr && i < options.names->size();
    const auto names =
        named ? std::span<const std::string>((*options.names)[i]) : std::span<const std::string>();
    text += FunctionPrinter(&module, module.functions[i], options, level, names).print();
  }
  return text;
}

}  // namespace

std::string print(const Module& module, const PrintOptions& options) {
  if (options.wrapped) {
    std::string head = symbol_text(module.name);
    if (module.producer) {
      head += fmt::format(" attributes {{producer = {}}}", quoted(*module.producer));
    }
    return fmt::format("module {{\n  cuda_tile.module {} {{\n{}  }}\n}}\n", head,
                       contents(module, options, 2));
  }
  const std::string head =
      module.producer ? fmt::format("// Producer: {}\n", *module.producer) : std::string();
  return head + contents(module, options, 0);
}

std::string print(const Function& function, const PrintOptions& options) {
  return FunctionPrinter(nullptr, function, options, 0).print();
}

}  // namespace tw::inline v0::ir
