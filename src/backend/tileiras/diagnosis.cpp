// SPDX-License-Identifier: Apache-2.0
#include "backend/tileiras/diagnosis.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tw::inline v0::backend::tileiras {
namespace {

constexpr std::string_view error_mark = "error";
/// What the assembler says at the end of every failure.
constexpr std::string_view empty_words = "failed to compile Tile IR program";
/// The status of a module that went wrong somewhere; others mean wrong input or options.
constexpr int failed_status = 5;

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// Takes ":LINE:COLUMN" off the end.
std::optional<CodePlace> place_before(std::string_view text) {
  std::array<std::uint32_t, 2> numbers{};  // the column, then the line
  for (std::uint32_t& number : numbers) {
    const std::size_t colon = text.rfind(':');
    if (colon == text.npos) return std::nullopt;
    const std::string_view digits = text.substr(colon + 1);
    const auto [end, failed] =
        std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (failed != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
    text = text.substr(0, colon);
  }
  if (text.size() > 1 && text.front() == '"' && text.back() == '"') {
    text = text.substr(1, text.size() - 2);
  }
  return CodePlace(std::string(text), numbers[1], numbers[0]);
}

/// The place in `loc("FILE":LINE:COLUMN)`.
std::optional<CodePlace> place_in_loc(std::string_view text) {
  const std::size_t begin = text.find("loc(");
  const std::size_t end = text.find(')', begin);
  if (begin == text.npos || end == text.npos) return std::nullopt;
  return place_before(text.substr(begin + 4, end - begin - 4));
}

/// What a line says if it is an error: "error: TEXT", "error[NAME]: TEXT", "PLACE: error: TEXT".
std::optional<Diagnostic> error_in(std::string_view line) {
  const std::size_t mark = line.find(error_mark);
  if (mark == line.npos) return std::nullopt;
  const std::string_view before = line.substr(0, mark);
  const bool at_begin = before.find_first_not_of(' ') == before.npos;
  if (!at_begin && !before.ends_with(": ")) return std::nullopt;
  const std::size_t colon = line.find(':', mark);
  const std::string_view name = line.substr(mark + error_mark.size());
  if (colon == line.npos || !(name.starts_with(':') || name.starts_with('['))) return std::nullopt;
  std::string_view text = line.substr(colon + 1);
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));

  Diagnostic result{std::string(text), {}, {}};
  if (at_begin) return result;
  const std::string_view place = before.substr(0, before.size() - 2);
  const std::optional<CodePlace> found = place_in_loc(place);
  result.where = found ? *found : place_before(place).value_or(CodePlace());
  return result;
}

std::string signature(const ir::Function& entry) {
  std::vector<std::string> types;
  for (const ir::Value argument : entry.body.arguments) {
    types.push_back(to_string(entry.type(argument)));
  }
  return fmt::format("({})", fmt::join(types, ", "));
}

}  // namespace

CodePlace place_of_kernel(const ir::Module& module) {
  return module.locations[module.functions.front().location];
}

std::vector<Diagnostic> errors_in(std::string_view output, const CodePlace& kernel) {
  constexpr std::string_view arrow = "--> ";
  std::vector<Diagnostic> errors;
  bool is_open = false;  // the place of the last error may follow
  for (const std::string_view line : lines_of(output)) {
    if (std::optional<Diagnostic> error = error_in(line)) {
      is_open = error->message != empty_words;
      if (is_open) errors.push_back(*std::move(error));
      continue;
    }
    const std::size_t at = line.find(arrow);
    if (at == line.npos) continue;
    if (const auto place = place_in_loc(line.substr(at)); is_open && place) {
      errors.back().where = *place;
    }
    is_open = false;
  }
  for (Diagnostic& error : errors) {
    if (error.where.line() == 0) error.where = kernel;
  }
  return errors;
}

bool is_crash(const Attempt& attempt) {
  const os::Ending& ending = attempt.ending;
  if (attempt.succeeded()) return false;
  if (ending.kind != os::Ending::Kind::exited) return true;
  return ending.code == failed_status && errors_in(ending.output, {}).empty();
}

std::string describe(const Assembler& assembler, const Assembly& assembly, const Attempt& attempt) {
  const std::string& name = assembly.options.kernel;
  return fmt::format("tileiras {} {} on kernel {}{} for sm_{}", to_string(assembler.version),
                     to_string(attempt.ending), name.empty() ? "" : name + " ",
                     signature(assembly.module.functions.front()), assembly.target.sm);
}

}  // namespace tw::inline v0::backend::tileiras
