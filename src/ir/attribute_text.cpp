// SPDX-License-Identifier: Apache-2.0
#include "ir/attribute_text.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ir/characters.hpp"
#include "ir/float_text.hpp"

namespace tw::inline v0::ir {
namespace {

std::int64_t sign_extended(ElementKind kind, std::uint64_t bits) {
  const unsigned unused = 64u - info(kind).bits;
  return static_cast<std::int64_t>(bits << unused) >> unused;
}

/// The elements from `first` on along the axes from `axis` on, in nested brackets; moves `first`
/// on.
void append_nested(std::string& text, const Constant& constant, const TileType& type,
                   std::size_t axis, std::size_t& first) {
  if (axis == type.shape.size()) {
    text += element_text(type.kind(), element_bits(constant, type.kind(), first++));
    return;
  }
  text += '[';
  for (std::int64_t i = 0; i < type.shape[axis]; ++i) {
    if (i != 0) text += ", ";
    append_nested(text, constant, type, axis + 1, first);
  }
  text += ']';
}

std::string bound_text(const std::optional<std::int64_t>& bound) {
  return bound ? std::to_string(*bound) : "?";
}

struct PredicateText {
  std::string operator()(const DivBy& each) const {
    if (!each.every || !each.along) return fmt::format("div_by<{}>", each.divisor);
    return fmt::format("div_by<{}, every {} along {}>", each.divisor, *each.every, *each.along);
  }
  std::string operator()(const SameElements& each) const {
    return fmt::format("same_elements<[{}]>", fmt::join(each.counts, ", "));
  }
  std::string operator()(const Bounded& each) const {
    return fmt::format("bounded<{}, {}>", bound_text(each.lower), bound_text(each.upper));
  }
};

bool is_plain(unsigned char c) { return c >= 0x20 && c < 0x7f && c != '"'; }

bool continues_identifier(char c) { return is_letter(c) || is_digit(c) || c == '$' || c == '.'; }

bool is_identifier(std::string_view name) {
  return !name.empty() && is_letter(name[0]) && std::ranges::all_of(name, continues_identifier);
}

}  // namespace

std::string element_text(ElementKind kind, std::uint64_t bits) {
  if (info(kind).is_float()) return float_text(kind, bits);
  if (kind == ElementKind::i1) return (bits & 1) != 0 ? "true" : "false";
  return std::to_string(sign_extended(kind, bits));
}

std::string constant_text(const Constant& constant, const TileType& type) {
  const ElementKind kind = type.kind();
  std::string text = fmt::format("{}: ", info(kind).name);
  if (is_splat(constant, kind, static_cast<std::size_t>(product(type.shape)))) {
    return text + element_text(kind, element_bits(constant, kind, 0));
  }
  std::size_t first = 0;
  append_nested(text, constant, type, 0, first);
  return text;
}

std::string scalar_text(const Scalar& scalar) {
  const std::string value = element_text(scalar.kind, scalar.bits);
  const bool has_default_type = scalar.kind == ElementKind::f64 ||
                                scalar.kind == ElementKind::i64 || scalar.kind == ElementKind::i1;
  return has_default_type ? value : fmt::format("{} : {}", value, info(scalar.kind).name);
}

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '\\') {
      result += "\\\\";
    } else if (is_plain(static_cast<unsigned char>(c))) {
      result += c;
    } else {
      fmt::format_to(std::back_inserter(result), "\\{:02X}", static_cast<unsigned char>(c));
    }
  }
  return result + '"';
}

std::string symbol_text(std::string_view name) {
  return "@" + (is_identifier(name) ? std::string(name) : quoted(name));
}

std::string hint_text(const HintValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return quoted(*text);
  const bool* flag = std::get_if<bool>(&value);
  return flag != nullptr ? fmt::format("{}", *flag) : std::to_string(std::get<std::int64_t>(value));
}

std::string hints_text(const Hints& hints) {
  std::string text;
  for (const auto& [architecture, set] : hints) {
    std::string entries;
    for (const auto& [key, value] : set) {
      if (!entries.empty()) entries += ", ";
      entries += key + " = " + hint_text(value);
    }
    if (!text.empty()) text += ", ";
    text += fmt::format("{} = {{{}}}", architecture, entries);
  }
  return "<" + text + ">";
}

std::string predicate_text(const AssumePredicate& predicate) {
  return std::visit(PredicateText(), predicate);
}

}  // namespace tw::inline v0::ir
