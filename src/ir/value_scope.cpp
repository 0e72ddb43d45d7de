// SPDX-License-Identifier: Apache-2.0
#include "ir/value_scope.hpp"

#include <charconv>

#include <fmt/format.h>

namespace tw::inline v0::ir {

void ValueScope::leave() {
  for (; defined_.size() > blocks_.back(); defined_.pop_back()) values_.erase(defined_.back());
  blocks_.pop_back();
}

void ValueScope::define(const Token& name, Value first, std::size_t count) {
  if (!values_.try_emplace(name.text, Values{first, count}).second) {
    cursor_.report(name.offset, fmt::format("{} is already defined", name.text));
    return;
  }
  defined_.push_back(name.text);
}

Value ValueScope::take() {
  const Token name = cursor_.take(Token::Kind::value, "a value");
  std::size_t index = 0;
  Token suffix = name;
  if (cursor_.at(Token::Kind::attribute)) {
    suffix = cursor_.token();
    const char* const last = suffix.text.data() + suffix.text.size();
    const auto [end, error] = std::from_chars(suffix.text.data() + 1, last, index);
    if (error != std::errc() || end != last) cursor_.fail_expected("the number of a result");
    cursor_.advance();
  }
  const auto found = values_.find(name.text);
  if (found == values_.end()) {
    cursor_.fail(name.offset, fmt::format("{} is not defined here", name.text));
  }
  const auto [first, count] = found->second;
  if (index >= count) {
    cursor_.fail(suffix.offset, fmt::format("there is no {}#{}", name.text, index));
  }
  return Value{static_cast<std::uint32_t>(first.index + index)};
}

}  // namespace tw::inline v0::ir
