// SPDX-License-Identifier: Apache-2.0
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include <tilewright/core/error.hpp>

namespace tw::inline v0 {
namespace {

void append_line(std::string& text, std::string_view indent, const CodePlace& where,
                 const std::string& message) {
  text += indent;
  if (where.line() != 0) {
    fmt::format_to(std::back_inserter(text), "{}:{}: ", where.file_name(), where.line());
  }
  text += message;
}

std::string joined(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) {
    if (!text.empty()) text += '\n';
    text += to_string(diagnostic);
  }
  return text;
}

/// An error without a diagnostic would have no place and no text.
std::vector<Diagnostic> at_least_one(std::vector<Diagnostic> diagnostics) {
  if (diagnostics.empty()) diagnostics.push_back({"an error was raised without a reason", {}, {}});
  return diagnostics;
}

}  // namespace

std::string to_string(const Diagnostic& diagnostic) {
  std::string text;
  append_line(text, "", diagnostic.where, diagnostic.message);
  for (const Diagnostic::Note& note : diagnostic.notes) {
    append_line(text, "\n  ", note.where, note.message);
  }
  return text;
}

Error::Error(std::string message, Location where)
    : Error(std::vector<Diagnostic>{{std::move(message), where, {}}}) {}

Error::Error(std::vector<Diagnostic> diagnostics)
    : std::runtime_error(joined(at_least_one(diagnostics))),
      diagnostics_(at_least_one(std::move(diagnostics))) {}

}  // namespace tw::inline v0
