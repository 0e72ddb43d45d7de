// SPDX-License-Identifier: Apache-2.0
#include "backend/tileiras/remarks.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

namespace tw::inline v0::backend::tileiras {
namespace {

/// Takes the first line off a text.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \r");
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(" \r") - begin + 1);
}

/// A scalar of YAML: plain, or in quotes, where two single ones stand for one.
std::string scalar(std::string_view text) {
  text = trimmed(text);
  if (text.size() < 2 || (text.front() != '\'' && text.front() != '"') ||
      text.back() != text.front()) {
    return std::string(text);
  }
  const char quote = text.front();
  text = text.substr(1, text.size() - 2);
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escaped = quote == '"' ? text[i] == '\\' : text.substr(i).starts_with("''");
    if (escaped && i + 1 < text.size()) ++i;
    result += text[i];
  }
  return result;
}

struct Field {
  std::string_view key;
  std::string_view value;
};

/// "Key: value", perhaps as an item of a list.
std::optional<Field> field_in(std::string_view line) {
  line = trimmed(line);
  if (line.starts_with("- ")) line = trimmed(line.substr(2));
  const std::size_t colon = line.find(':');
  if (colon == line.npos) return std::nullopt;
  return Field{line.substr(0, colon), trimmed(line.substr(colon + 1))};
}

/// The value of a key in "{ File: 'a.hpp', Line: 3, Column: 4 }".
std::string_view inside(std::string_view braces, std::string_view key) {
  const std::size_t at = braces.rfind(key);
  if (at == braces.npos) return {};
  const std::string_view rest = braces.substr(at + key.size());
  const bool is_last = rest.find(',') == rest.npos;
  return trimmed(rest.substr(0, is_last ? rest.find('}') : rest.find(',')));
}

std::uint32_t number(std::string_view text) {
  std::uint32_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

CodePlace place(std::string_view braces) {
  // A file's name may hold what looks like another key, so the others are looked for from the end.
  constexpr std::string_view line_key = ", Line:";
  const std::size_t file_end = std::min(braces.rfind(line_key), braces.size());
  const std::string_view file = trimmed(braces.substr(0, file_end));
  const std::size_t file_begin = file.find("File:");
  if (file_begin == file.npos) return {};
  return {scalar(file.substr(file_begin + 5)), number(inside(braces, line_key)),
          number(inside(braces, "Column:"))};
}

/// `loc("a.hpp":3:4): text`: the text, for the line is that of the remark.
std::string without_place(std::string text) {
  const std::size_t end = text.find("): ");
  return text.starts_with("loc(") && end != text.npos ? text.substr(end + 3) : text;
}

std::optional<Remark::Kind> kind_of(std::string_view tag) {
  static constexpr std::pair<std::string_view, Remark::Kind> kinds[] = {
      {"!Passed", Remark::Kind::passed},
      {"!Missed", Remark::Kind::missed},
      {"!Failure", Remark::Kind::failed},
      {"!Analysis", Remark::Kind::analysis},
  };
  const auto* found =
      std::ranges::find(kinds, tag, &std::pair<std::string_view, Remark::Kind>::first);
  if (found == std::end(kinds)) return std::nullopt;
  return found->second;
}

void apply(Remark& remark, const Field& field) {
  static constexpr std::pair<std::string_view, std::string Remark::*> texts[] = {
      {"Name", &Remark::name},
      {"Remark", &Remark::text},
      {"Instruction", &Remark::instruction},
      {"Shape", &Remark::shape},
  };
  for (const auto& [key, text] : texts) {
    if (field.key == key) remark.*text = scalar(field.value);
  }
  if (field.key == "DebugLoc") remark.where = place(field.value);
  if (field.key == "Reason") {
    std::string reason = without_place(scalar(field.value));
    if (std::ranges::find(remark.reasons, reason) == remark.reasons.end()) {
      remark.reasons.push_back(std::move(reason));
    }
  }
}

Remark document(Remark::Kind kind, std::string_view text) {
  Remark remark;
  remark.kind = kind;
  while (!text.empty()) {
    std::string line(take_line(text));
    // A long place is broken into lines.
    while (line.find('{') != line.npos && line.find('}') == line.npos && !text.empty()) {
      line += ' ';
      line += trimmed(take_line(text));
    }
    if (const std::optional<Field> field = field_in(line)) apply(remark, *field);
  }
  return remark;
}

using Place = std::tuple<std::string, std::uint32_t, std::uint32_t>;

/// Calls `visit` with the number and the place of every op.
template <class Visit>
void visit_places(const ir::Module& module, Visit&& visit) {
  std::uint32_t count = 0;
  for (const ir::Function& function : module.functions) {
    ir::walk(function.body,
             [&](const ir::Op& op) { visit(count++, module.locations[op.location]); });
  }
}

}  // namespace

std::vector<Remark> remarks_in(std::string_view yaml) {
  constexpr std::string_view begin = "--- ";
  std::vector<Remark> remarks;
  while (!yaml.empty()) {
    const std::string_view line = take_line(yaml);
    if (!line.starts_with(begin)) continue;
    const std::optional<Remark::Kind> kind = kind_of(trimmed(line.substr(begin.size())));
    const std::string_view body = yaml.substr(0, yaml.find("\n..."));
    if (kind) remarks.push_back(document(*kind, body));
    yaml.remove_prefix(body.size());
  }
  return remarks;
}

void find_ops(std::vector<Remark>& remarks, const ir::Module& module) {
  std::map<Place, std::uint32_t> ops;
  visit_places(module, [&](std::uint32_t op, const ir::SourcePlace& place) {
    ops.try_emplace({place.file, place.line, place.column}, op);
  });
  for (Remark& remark : remarks) {
    const auto found =
        ops.find({remark.where.file_name(), remark.where.line(), remark.where.column()});
    if (found != ops.end()) remark.op = found->second;
  }
}

void find_lines(std::vector<Remark>& remarks, const ir::Module& module) {
  std::vector<CodePlace> places;
  visit_places(module,
               [&](std::uint32_t, const ir::SourcePlace& place) { places.emplace_back(place); });
  for (Remark& remark : remarks) {
    if (remark.op < places.size()) remark.where = places[remark.op];
  }
}

}  // namespace tw::inline v0::backend::tileiras
