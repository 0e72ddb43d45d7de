// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <tilewright/ir/builder.hpp>
#include <tilewright/ir/parser.hpp>

#include "ir/form_parser.hpp"
#include "ir/text_form.hpp"

namespace tw::inline v0::ir {
namespace {

constexpr std::size_t deepest_block = 64;
constexpr std::string_view dialect = "cuda_tile.";
constexpr std::string_view producer_comment = "// Producer: ";

std::string_view without_dialect(std::string_view name) {
  return name.starts_with(dialect) ? name.substr(dialect.size()) : name;
}

/// Whether a global or a function begins here.
bool at_item(const TextCursor& cursor) {
  const std::string_view word = without_dialect(cursor.token().text);
  return cursor.at(Token::Kind::word) &&
         (word == "entry" || word == "global" || word == "testing$func");
}

/// Reads the ops of one function.
class FunctionParser {
 public:
  FunctionParser(TextCursor& cursor, TypeParser& types, LocationParser& locations, Module& module)
      : cursor_(cursor),
        types_(types),
        locations_(locations),
        scope_(cursor),
        forms_(cursor, types, locations, scope_, module, function_) {}

  /// Behind `entry`. The results of a function of the official tests are not held.
  Function take(bool is_entry) {
    const std::size_t name = cursor_.token().offset;
    function_.entry = is_entry;
    function_.name = cursor_.take_symbol();
    scope_.enter();
    declared_arguments(function_.body);
    if (!is_entry && cursor_.accept("->")) result_types();
    if (cursor_.accept("optimization_hints")) {
      cursor_.expect("=");
      function_.hints = take_hints(cursor_);
    }
    block(function_.body, Opcode::return_);
    discardable_attributes();
    function_.location = locations_.take_optional(name);
    return std::move(function_);
  }

 private:
  /// `(%a: T, %b: T)`.
  void declared_arguments(Block& block) {
    cursor_.expect("(");
    if (cursor_.accept(")")) return;
    do {
      const Token name = cursor_.take(Token::Kind::value, "a value");
      cursor_.expect(":");
      argument(block, name, types_.take());
      discardable_attributes();
      locations_.take_optional();
    } while (cursor_.accept(","));
    cursor_.expect(")");
  }

  void result_types() {
    const bool in_parentheses = cursor_.accept("(");
    if (!cursor_.at(")")) types_.take_list();
    if (in_parentheses) cursor_.expect(")");
  }

  /// `{key = value}`, which says nothing about a kernel.
  void discardable_attributes() {
    if (cursor_.at("{")) cursor_.skip_braces();
  }

  void argument(Block& block, const Token& name, const Type& type) {
    block.arguments.push_back(function_.fresh(type));
    scope_.define(name, block.arguments.back());
  }

  /// `{ ... }`, in a scope that the caller opened and this closes.
  void block(Block& block, std::optional<Opcode> implied) {
    if (++depth_ > deepest_block) {
      cursor_.fail(cursor_.token().offset, "blocks are nested too deeply");
    }
    cursor_.expect("{");
    while (!cursor_.at("}")) {
      if (at_end_of_function()) cursor_.fail_expected("'}'");
      recovering_op(block);
    }
    cursor_.advance();
    end(block, implied);
    scope_.leave();
    --depth_;
  }

  [[nodiscard]] bool at_end_of_function() const {
    return cursor_.at(Token::Kind::end) || at_item(cursor_);
  }

  void end(Block& block, std::optional<Opcode> implied) {
    const bool ended = !block.ops.empty() && block.ops.back().row().effect == Effect::terminator;
    if (!ended && implied) block.ops.push_back(OpDraft(*implied).group({}).finish(function_, {}));
  }

  /// An op, or an error and all that belongs to the op that has it.
  void recovering_op(Block& block) {
    const std::size_t begin = cursor_.token().offset;
    const std::size_t depth = depth_;
    const std::size_t scopes = scope_.depth();
    std::vector<ResultName> names;
    try {
      names = result_names();
      op(block, names);
    } catch (const ParseFailure&) {
      depth_ = depth;
      while (scope_.depth() > scopes) scope_.leave();
      for (const ResultName& each : names) define_unknown(each);
      skip_op(begin);
    }
  }

  /// The name of one result, or of several: `%0:2`.
  struct ResultName {
    Token name;
    std::size_t count = 1;
  };

  std::vector<ResultName> result_names() {
    std::vector<ResultName> names;
    if (!cursor_.at(Token::Kind::value)) return names;
    do {
      names.push_back({cursor_.take(Token::Kind::value, "a value")});
      if (!cursor_.accept(":")) continue;
      const std::size_t begin = cursor_.token().offset;
      const std::int64_t count = cursor_.take_integer();
      if (count < 1 || count > most_results) cursor_.fail(begin, "no op has this many results");
      names.back().count = static_cast<std::size_t>(count);
    } while (cursor_.accept(","));
    cursor_.expect("=");
    return names;
  }

  /// So that an op with an error causes no further ones where its results are used.
  void define_unknown(const ResultName& name) {
    if (scope_.knows(name.name.text)) return;
    const Value first = function_.fresh({});
    for (std::size_t i = 1; i < name.count; ++i) function_.fresh({});
    scope_.define(name.name, first, name.count);
  }

  /// Goes on to the next line that begins with an op, behind the blocks of this one.
  void skip_op(std::size_t begin) {
    if (cursor_.token().offset == begin && !at_end_of_function()) cursor_.advance();
    while (!cursor_.at("}") && !at_end_of_function()) {
      const bool begins_op = cursor_.at(Token::Kind::value) || cursor_.at(Token::Kind::word);
      if (cursor_.token().first_on_line && begins_op) return;
      if (cursor_.at("{")) {
        cursor_.skip_braces();
      } else {
        cursor_.advance();
      }
    }
  }

  void op(Block& block, const std::vector<ResultName>& names) {
    const Token name = cursor_.token();
    if (name.kind == Token::Kind::string) {
      cursor_.fail(name.offset, "ops in quotes are not read; write the op's own form");
    }
    if (name.kind != Token::Kind::word) cursor_.fail_expected("an op");
    OpText text{.row = find_row(without_dialect(name.text))};
    if (text.row == nullptr) {
      cursor_.fail(name.offset, fmt::format("no op is called '{}'", name.text));
    }
    cursor_.advance();
    for (const ResultName& each : names) text.named_results += each.count;
    forms_.read(text);
    check_result_count(text, names, name.offset);
    OpDraft draft(text.row->code);
    for (const auto& group : text.groups) draft.group(group);
    for (auto& [attribute, value] : text.attributes) draft.set(attribute, std::move(value));
    regions(text, draft);
    discardable_attributes();
    Op op = draft.finish(function_, text.results);
    op.location = locations_.take_optional(name.offset);
    define(op, names);
    block.ops.push_back(std::move(op));
  }

  void check_result_count(const OpText& text, const std::vector<ResultName>& names,
                          std::size_t offset) {
    if (names.empty() || text.named_results == text.results.size()) return;
    cursor_.fail(offset, fmt::format("{} names for results of {}, which has {}", text.named_results,
                                     text.row->name, text.results.size()));
  }

  void define(const Op& op, const std::vector<ResultName>& names) {
    std::size_t first = 0;
    for (const ResultName& each : names) {
      scope_.define(each.name, op.results[first], each.count);
      first += each.count;
    }
  }

  /// The blocks of an op; the last of an `if` may be missing.
  void regions(OpText& text, OpDraft& draft) {
    const TextForm& form = text_form(text.row->code);
    for (std::size_t i = 0; i < text.row->regions; ++i) {
      if (i != 0 && !cursor_.accept("else")) return;
      Block body;
      scope_.enter();
      if (form.declares_arguments) declared_arguments(body);
      loop_arguments(text, body);
      block(body, form.implied);
      draft.region(std::move(body));
    }
  }

  /// The index of a for has the type of its step, the others that of what they start as.
  void loop_arguments(const OpText& text, Block& block) {
    if (text.arguments.empty()) return;
    std::vector<Value> like(text.group("initValues").begin(), text.group("initValues").end());
    if (text.row->code == Opcode::for_) like.insert(like.begin(), text.group("step").front());
    for (std::size_t i = 0; i < like.size(); ++i) {
      argument(block, text.arguments[i], Type(function_.type(like[i])));
    }
  }

  static constexpr std::int64_t most_results = 65535;

  TextCursor& cursor_;
  TypeParser& types_;
  LocationParser& locations_;
  Function function_;
  ValueScope scope_;
  FormParser forms_;
  std::size_t depth_ = 0;
};

/// Reads a whole text.
class ModuleParser {
 public:
  ModuleParser(std::string_view text, std::string_view file, DefaultPlace place)
      : cursor_(text, file), types_(cursor_), locations_(cursor_, module_.locations, place) {}

  Module take() {
    producer();
    while (!cursor_.at(Token::Kind::end)) recovering_item();
    if (open_ != 0 && !cursor_.has_errors())
      cursor_.report(cursor_.token().offset, "a module is not closed");
    cursor_.throw_errors();
    return std::move(module_);
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

  void function(bool is_entry) {
    cursor_.advance();
    module_.functions.push_back(
        FunctionParser(cursor_, types_, locations_, module_).take(is_entry));
  }

  Module module_;
  TextCursor cursor_;
  TypeParser types_;
  LocationParser locations_;
  std::size_t open_ = 0;  ///< modules
};

}  // namespace

Module parse(std::string_view text, std::string_view file, DefaultPlace place) {
  return ModuleParser(text, file, place).take();
}

}  // namespace tw::inline v0::ir
