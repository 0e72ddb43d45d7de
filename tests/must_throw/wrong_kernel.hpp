// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <source_location>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "tests/support/trace.hpp"

/// Kernels that are wrong, with the messages that they earn.
namespace tw::tests {

/// The lines that the kernel being traced announced as wrong, in order.
inline std::vector<unsigned>& announced_lines() {
  static std::vector<unsigned> lines;
  return lines;
}
/// The lines that notes name, in order.
inline std::vector<unsigned>& noted_lines() {
  static std::vector<unsigned> lines;
  return lines;
}
/// Says in a kernel that its next line is wrong.
inline void next_line_is_wrong(std::source_location here = std::source_location::current()) {
  announced_lines().push_back(here.line() + 1);
}

/// Says in a kernel that a note names its next line.
inline void next_line_is_noted(std::source_location here = std::source_location::current()) {
  noted_lines().push_back(here.line() + 1);
}

/// One wrong kernel: each message is a part of the diagnostic that the next announced line earns.
struct WrongKernel {
  std::string name;
  std::string file;
  std::function<std::vector<Diagnostic>()> trace;
  std::vector<std::string> messages;
};
inline void PrintTo(const WrongKernel& wrong, std::ostream* out) { *out << wrong.name; }

struct CutsAt {
  std::vector<Cuts> outputs;
  const char* file;
  CutsAt(std::initializer_list<Cuts> cuts,
         std::source_location here = std::source_location::current())
      : outputs(cuts), file(here.file_name()) {}
};

template <auto Kernel, class... C>
WrongKernel wrong(std::string name, CutsAt cuts, std::vector<std::string> messages,
                  C... constants) {
  return {std::move(name), cuts.file,
          [outputs = cuts.outputs, constants...] {
            return errors_of<Kernel>(specialise<Kernel>(outputs), constants...);
          },
          std::move(messages)};
}

/// Expects that each diagnostic has its message and stands on its announced line of the user's
/// file, so none in the library; notes stand in that file, too.
inline void expect_errors(const WrongKernel& wrong) {
  announced_lines().clear();
  noted_lines().clear();
  const std::vector<Diagnostic> diagnostics = wrong.trace();

  std::vector<unsigned> lines;
  std::vector<unsigned> notes;
  for (const Diagnostic& diagnostic : diagnostics) {
    EXPECT_EQ(diagnostic.where.file_name(), wrong.file) << to_string(diagnostic);
    lines.push_back(diagnostic.where.line());
    for (const Diagnostic::Note& note : diagnostic.notes) {
      EXPECT_EQ(note.where.file_name(), wrong.file) << to_string(diagnostic);
      notes.push_back(note.where.line());
    }
  }
  EXPECT_EQ(lines, announced_lines());
  EXPECT_EQ(notes, noted_lines());

  ASSERT_EQ(diagnostics.size(), wrong.messages.size());
  for (std::size_t i = 0; i < diagnostics.size(); ++i) {
    EXPECT_THAT(diagnostics[i].message, testing::HasSubstr(wrong.messages[i]));
  }
}

class MustThrow : public testing::TestWithParam<WrongKernel> {};

}  // namespace tw::tests
