// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <utility>

#include <fmt/format.h>

#include <tilewright/ir/parser.hpp>

#include "ir/function_parser.hpp"
#include "ir/generic_attributes.hpp"

namespace tw::inline v0::ir {
namespace {

constexpr std::string_view producer_comment = "// Producer: ";

/// Reads a whole text.
class ModuleParser {
 public:
  ModuleParser(std::string_view text, std::string_view file, DefaultPlace place)
      : cursor_(text, file), types_(cursor_), locations_(cursor_, module_.locations, place) {}

  NamedModule take() {
    producer();
    while (!cursor_.at(Token::Kind::end)) recovering_item();
    if (open_ != 0 && !cursor_.has_errors())
      cursor_.report(cursor_.token().offset, "a module is not closed");
    cursor_.throw_errors();
    return {std::move(module_), std::move(names_)};
  }

 private:
  /// The line with which the disassembler tells the producer.
  void producer() {
    const std::string_view text = cursor_.text();
    if (!text.starts_with(producer_comment)) return;
    const std::size_t begin = producer_comment.size();
    module_.producer = std::string(text.substr(begin, text.find('\n') - begin));
  }

  void recovering_item() {
    const std::size_t begin = cursor_.token().offset;
    try {
      item();
    } catch (const ParseFailure&) {
      if (cursor_.token().offset == begin) cursor_.advance();
      while (!cursor_.at(Token::Kind::end) && !begins_item()) cursor_.advance();
    }
  }

  [[nodiscard]] bool begins_item() const {
    return cursor_.token().first_on_line && at_item(cursor_);
  }

  void item() {
    const Token token = cursor_.token();
    const std::string_view word = without_dialect(token.text);
    if (token.kind == Token::Kind::attribute) return cursor_.skip_definition();
    if (token.kind == Token::Kind::type) return type_alias();
    if (token.kind == Token::Kind::string) return generic_item();
    if (open_ != 0 && cursor_.accept("}")) {
      --open_;
      locations_.take_optional();
      return;
    }
    const bool is_word = token.kind == Token::Kind::word;
    if (is_word && word == "module") return open_module(word != token.text);
    if (is_word && word == "global") return global();
    if (is_word && (word == "entry" || word == "testing$func")) return function(word == "entry");
    cursor_.fail_expected("an entry or a global");
  }

  void type_alias() {
    const Token name = cursor_.token();
    types_.define(name.text, {});
    cursor_.advance();
    cursor_.expect("=");
    types_.define(name.text, types_.take());
  }

  /// The builtin module has no name of ours; that of the dialect has one.
  void open_module(bool of_dialect) {
    if (open_ == 2) cursor_.fail(cursor_.token().offset, "modules are nested too deeply");
    cursor_.advance();
    if (of_dialect || cursor_.at(Token::Kind::symbol)) module_.name = cursor_.take_symbol();
    if (cursor_.accept("attributes")) module_attributes();
    cursor_.expect("{");
    ++open_;
  }

  /// `{producer = "..."}`; other attributes are those of modules around ours.
  void module_attributes() {
    const std::size_t begin = cursor_.token().offset;
    cursor_.expect("{");
    if (!cursor_.accept("producer")) {
      cursor_.jump(begin);
      return cursor_.skip_braces();
    }
    cursor_.expect("=");
    module_.producer = cursor_.take_string();
    cursor_.expect("}");
  }

  void global() {
    Global global;
    cursor_.advance();
    if (cursor_.accept("private")) {
      global.visibility = Visibility::private_;
    } else {
      cursor_.accept("public");
    }
    global.constant = cursor_.accept("constant");
    global.name = cursor_.take_symbol();
    if (cursor_.accept("alignment")) {
      cursor_.expect("=");
      global.alignment = take_natural(cursor_, "an alignment");
    }
    cursor_.expect("<");
    const ConstantText text = take_constant(cursor_);
    cursor_.expect(">");
    cursor_.expect(":");
    global.type = types_.take();
    global.value = constant_of(cursor_, text, global.type);
    global.location = locations_.take_optional();
    module_.globals.push_back(std::move(global));
  }

  /// A module, function or global in the form that all ops have.
  void generic_item() {
    const std::size_t begin = cursor_.token().offset;
    const std::string name = cursor_.take_string();
    const std::string_view word = without_dialect(name);
    if (word == "module" || name == "builtin.module") return generic_module(begin);
    if (word == "global") return generic_global(begin);
    if (word != "entry" && word != "testing$func") {
      cursor_.fail(begin, fmt::format("\"{}\" is no entry and no global", name));
    }
    FunctionParser parser(cursor_, types_, locations_, module_);
    module_.functions.push_back(parser.take_generic(word == "entry"));
    names_.push_back(parser.take_names());
  }

  /// `() <{sym_name = "m"}> ({ ... }) : () -> ()`
  void generic_module(std::size_t begin) {
    if (open_ == 2) cursor_.fail(begin, "modules are nested too deeply");
    ++open_;
    take_head(cursor_, [&](std::string_view name, std::size_t) {
      if (name == "sym_name") return take_name(module_.name);
      if (name == "producer") return take_name(module_.producer.emplace());
      skip_value(cursor_);
    });
    cursor_.expect("(");
    cursor_.expect("{");
    while (!cursor_.at("}") && !cursor_.at(Token::Kind::end)) recovering_item();
    cursor_.expect("}");
    cursor_.expect(")");
    generic_tail();
    --open_;
  }

  void generic_global(std::size_t begin) {
    Global global;
    take_head(cursor_, [&](std::string_view name, std::size_t) {
      if (name == "sym_name") return take_name(global.name);
      if (name == "constant") {
        global.constant = true;
      } else if (name == "alignment") {
        cursor_.expect("=");
        global.alignment = take_natural(cursor_, "an alignment");
        if (cursor_.accept(":")) take_element(cursor_);
      } else if (name == "value") {
        cursor_.expect("=");
        global.value = take_dense(cursor_, types_, global.type);
      } else {
        skip_value(cursor_);
      }
    });
    generic_tail();
    if (global.name.empty() || !global.type) {
      cursor_.fail(begin, "a global needs sym_name and value");
    }
    module_.globals.push_back(std::move(global));
  }

  void generic_tail() {
    if (cursor_.at("{")) cursor_.skip_braces();
    cursor_.expect(":");
    (void)take_function_type(cursor_, types_);
    locations_.take_optional();
  }

  void take_name(std::string& name) {
    cursor_.expect("=");
    name = cursor_.take_string();
  }

  void function(bool is_entry) {
    cursor_.advance();
    FunctionParser parser(cursor_, types_, locations_, module_);
    module_.functions.push_back(parser.take(is_entry));
    names_.push_back(parser.take_names());
  }

  Module module_;
  NameTable names_;
  TextCursor cursor_;
  TypeParser types_;
  LocationParser locations_;
  std::size_t open_ = 0;  ///< modules
};

}  // namespace

Module parse(std::string_view text, std::string_view file, DefaultPlace place) {
  return parse_named(text, file, place).module;
}

NamedModule parse_named(std::string_view text, std::string_view file, DefaultPlace place) {
  return ModuleParser(text, file, place).take();
}

}  // namespace tw::inline v0::ir
