// SPDX-License-Identifier: Apache-2.0
#include "ir/function_parser.hpp"

#include <utility>

#include <fmt/format.h>

#include <tilewright/ir/builder.hpp>

#include "ir/generic_attributes.hpp"
#include "ir/text_form.hpp"

namespace tw::inline v0::ir {
namespace {

constexpr std::size_t deepest_block = 64;
constexpr std::int64_t most_results = 65535;
constexpr std::string_view dialect = "cuda_tile.";

}  // namespace

std::string_view without_dialect(std::string_view name) {
  return name.starts_with(dialect) ? name.substr(dialect.size()) : name;
}

bool at_item(const TextCursor& cursor) {
  const std::string_view word = without_dialect(cursor.token().text);
  return cursor.at(Token::Kind::word) &&
         (word == "entry" || word == "global" || word == "testing$func");
}

Function FunctionParser::take(bool is_entry) {
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

Function FunctionParser::take_generic(bool is_entry) {
  const std::size_t begin = cursor_.token().offset;
  function_.entry = is_entry;
  std::optional<FunctionType> type;
  const auto attribute = [&](std::string_view name, std::size_t) { generic_attribute(name, type); };
  take_head(cursor_, attribute);
  cursor_.expect("(");
  scope_.enter();
  generic_block(function_.body);
  cursor_.expect(")");
  if (cursor_.at("{")) take_dictionary(cursor_, attribute);
  cursor_.expect(":");
  (void)take_function_type(cursor_, types_);
  if (function_.name.empty()) cursor_.fail(begin, "a function needs sym_name");
  if (!type) cursor_.fail(begin, "a function needs function_type");
  check_types(cursor_, function_, function_.body.arguments, begin, type->inputs);
  function_.location = locations_.take_optional(begin);
  return std::move(function_);
}

/// Of a function; what others say is not held.
void FunctionParser::generic_attribute(std::string_view name, std::optional<FunctionType>& type) {
  if (name == "sym_name") {
    cursor_.expect("=");
    function_.name = cursor_.take_string();
  } else if (name == "function_type") {
    cursor_.expect("=");
    type = take_function_type(cursor_, types_);
  } else if (name == "optimization_hints") {
    cursor_.expect("=");
    cursor_.take(Token::Kind::attribute, "hints");
    function_.hints = take_hints(cursor_);
  } else {
    skip_value(cursor_);
  }
}

/// `(%a: T, %b: T)`.
void FunctionParser::declared_arguments(Block& block) {
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

void FunctionParser::result_types() {
  const bool in_parentheses = cursor_.accept("(");
  if (!cursor_.at(")")) types_.take_list();
  if (in_parentheses) cursor_.expect(")");
}

/// `{key = value}`, which says nothing about a kernel.
void FunctionParser::discardable_attributes() {
  if (cursor_.at("{")) cursor_.skip_braces();
}

void FunctionParser::argument(Block& block, const Token& name, const Type& type) {
  block.arguments.push_back(function_.fresh(type));
  scope_.define(name, block.arguments.back());
  this->name(block.arguments.back(), std::string(name.text.substr(1)));
}

void FunctionParser::name(Value value, std::string name) {
  if (names_.size() <= value.index) names_.resize(value.index + 1);
  names_[value.index] = std::move(name);
}

/// `{ ... }`, in a scope that the caller opened and this closes.
void FunctionParser::block(Block& block, std::optional<Opcode> implied) {
  open_block();
  ops(block);
  end(block, implied);
}

/// The same with the arguments in front of the ops, as `^bb0(%a: T):`, and all ops written out.
void FunctionParser::generic_block(Block& block) {
  open_block();
  if (cursor_.accept("^")) {
    cursor_.take(Token::Kind::word, "the name of a block");
    if (cursor_.at("(")) declared_arguments(block);
    cursor_.expect(":");
  }
  ops(block);
}

void FunctionParser::open_block() {
  if (++depth_ > deepest_block) {
    cursor_.fail(cursor_.token().offset, "blocks are nested too deeply");
  }
  cursor_.expect("{");
}

/// Up to the brace that ends their block.
void FunctionParser::ops(Block& block) {
  while (!cursor_.at("}")) {
    if (at_end_of_function()) cursor_.fail_expected("'}'");
    recovering_op(block);
  }
  cursor_.advance();
  scope_.leave();
  --depth_;
}

bool FunctionParser::at_end_of_function() const {
  return cursor_.at(Token::Kind::end) || at_item(cursor_);
}

void FunctionParser::end(Block& block, std::optional<Opcode> implied) {
  const bool ended = !block.ops.empty() && block.ops.back().row().effect == Effect::terminator;
  if (!ended && implied) block.ops.push_back(OpDraft(*implied).group({}).finish(function_, {}));
}

/// An op, or an error and all that belongs to the op that has it.
void FunctionParser::recovering_op(Block& block) {
  const std::size_t begin = cursor_.token().offset;
  const std::size_t depth = depth_;
  const std::size_t scopes = scope_.depth();
  ResultNames names;
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

/// Goes on to the next line that begins with an op, behind the blocks of this one.
void FunctionParser::skip_op(std::size_t begin) {
  if (cursor_.token().offset == begin && !at_end_of_function()) cursor_.advance();
  while (!cursor_.at("}") && !at_end_of_function()) {
    const bool begins_op = cursor_.at(Token::Kind::value) || cursor_.at(Token::Kind::word) ||
                           cursor_.at(Token::Kind::string);
    if (cursor_.token().first_on_line && begins_op) return;
    if (cursor_.at("{")) {
      cursor_.skip_braces();
    } else {
      cursor_.advance();
    }
  }
}

FunctionParser::ResultNames FunctionParser::result_names() {
  ResultNames names;
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
void FunctionParser::define_unknown(const ResultName& name) {
  if (scope_.knows(name.name.text)) return;
  const Value first = function_.fresh({});
  for (std::size_t i = 1; i < name.count; ++i) function_.fresh({});
  scope_.define(name.name, first, name.count);
}

void FunctionParser::define(const Op& op, const ResultNames& names) {
  std::size_t first = 0;
  for (const ResultName& each : names) {
    scope_.define(each.name, op.results[first], each.count);
    const std::string base(each.name.text.substr(1));
    // No op is printed with one name for some of its results and another for the rest.
    const bool is_kept = each.count == 1 || names.size() == 1;
    for (std::size_t i = 0; is_kept && i < each.count; ++i) {
      name(op.results[first + i], i == 0 ? base : fmt::format("{}#{}", base, i));
    }
    first += each.count;
  }
}

void FunctionParser::check_result_count(const OpText& text, std::size_t offset) {
  if (text.named_results == 0 || text.named_results == text.results.size()) return;
  cursor_.fail(offset, fmt::format("{} names for results of {}, which has {}", text.named_results,
                                   text.row->name, text.results.size()));
}

void FunctionParser::op(Block& block, const ResultNames& names) {
  const Token token = cursor_.token();
  const bool is_generic = token.kind == Token::Kind::string;
  if (!is_generic && token.kind != Token::Kind::word) cursor_.fail_expected("an op");
  const std::string name = is_generic ? cursor_.take_string() : std::string(token.text);
  OpText text{.row = find_row(without_dialect(name))};
  if (text.row == nullptr) cursor_.fail(token.offset, fmt::format("no op is called '{}'", name));
  if (!is_generic) cursor_.advance();
  for (const ResultName& each : names) text.named_results += each.count;
  std::vector<Block> regions;
  if (is_generic) {
    generic_op(text, regions, token.offset);
  } else {
    custom_op(text, regions, token.offset);
  }
  OpDraft draft(text.row->code);
  for (const auto& group : text.groups) draft.group(group);
  for (auto& [attribute, value] : text.attributes) draft.set(attribute, std::move(value));
  for (Block& each : regions) draft.region(std::move(each));
  Op op = draft.finish(function_, text.results);
  op.location = locations_.take_optional(token.offset);
  define(op, names);
  block.ops.push_back(std::move(op));
}

/// By its form, and its blocks, of which the last of an `if` may be missing.
void FunctionParser::custom_op(OpText& text, std::vector<Block>& regions, std::size_t offset) {
  forms_.read(text);
  check_result_count(text, offset);
  const TextForm& form = text_form(text.row->code);
  for (std::size_t i = 0; i < text.row->regions; ++i) {
    if (i != 0 && !cursor_.accept("else")) break;
    Block& body = regions.emplace_back();
    scope_.enter();
    if (form.declares_arguments) declared_arguments(body);
    loop_arguments(text, body);
    block(body, form.implied);
  }
  discardable_attributes();
}

void FunctionParser::generic_op(OpText& text, std::vector<Block>& regions, std::size_t offset) {
  GenericParser::Head head = generic_.take_head(text);
  if (cursor_.accept("(")) {
    do {
      scope_.enter();
      generic_block(regions.emplace_back());
    } while (cursor_.accept(","));
    cursor_.expect(")");
  }
  if (regions.size() != text.row->regions) {
    cursor_.fail(offset, fmt::format("{} blocks of {}, which has {}", regions.size(),
                                     text.row->name, text.row->regions));
  }
  generic_.take_tail(text, head);
  check_result_count(text, offset);
}

/// The index of a for has the type of its step, the others that of what they start as.
void FunctionParser::loop_arguments(const OpText& text, Block& block) {
  if (text.arguments.empty()) return;
  std::vector<Value> like(text.group("initValues").begin(), text.group("initValues").end());
  if (text.row->code == Opcode::for_) like.insert(like.begin(), text.group("step").front());
  for (std::size_t i = 0; i < like.size(); ++i) {
    argument(block, text.arguments[i], Type(function_.type(like[i])));
  }
}

}  // namespace tw::inline v0::ir
