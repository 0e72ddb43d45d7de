// SPDX-License-Identifier: Apache-2.0
// Compares our verdicts with those of NVIDIA's disassembler, on a text or on samples that are
// changed at random:
//
//     interop_verdicts DISASSEMBLER (FILE | SEED COUNT)
//
// prints a line for each difference (our verdict, theirs, the function's text in one line), then
// how often each op and attribute was met. compare_verdicts.py judges both.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <regex>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include <tilewright/bytecode/reader.hpp>
#include <tilewright/bytecode/writer.hpp>
#include <tilewright/ir/parser.hpp>
#include <tilewright/ir/printer.hpp>
#include <tilewright/ir/verifier.hpp>

#include "tests/interop/mutator.hpp"

namespace tw {
namespace {

using ir::Module;

/// As many as fit into one file: starting the disassembler takes longer than reading this many.
constexpr std::size_t pack_size = 64;
constexpr bytecode::WriteOptions newest{.version = ir::Version{13, 5}};

struct Case {
  Module module;
  std::string ours;    ///< the first broken rule, "unreadable", or nothing
  std::string theirs;  ///< the first error, or nothing
};

std::string our_verdict(const Module& module) {
  try {
    const auto errors = ir::verify(bytecode::read(bytecode::write(module, newest)));
    if (errors.empty()) return "";
    return errors.front().message.substr(0, errors.front().message.find(':'));
  } catch (const bytecode::ReadError&) {
    return "unreadable";
  }
}

/// A changed sample, mostly of one op, unless it is nothing that can be written.
std::optional<Case> next_case(ir::Mutator& mutator, std::size_t number) {
  try {
    Module module = number % 4 == 0 ? mutator.module() : mutator.sample().module();
    std::string ours = our_verdict(module);
    return Case{std::move(module), std::move(ours), {}};
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// The functions of cases in one module. That of case 7, and all places in it, are called f7.
Module packed(const std::vector<Case>& cases, const std::vector<std::size_t>& chosen) {
  Module pack;
  for (const std::size_t index : chosen) {
    const Module& single = cases[index].module;
    ir::Function function = single.functions.front();
    function.name = fmt::format("f{}", index);
    function.location = pack.locations.add(ir::SourcePlace{function.name, 1, 1});
    walk(function.body, [&](ir::Op& op) { op.location = function.location; });
    pack.functions.push_back(std::move(function));
    if (pack.globals.empty()) pack.globals = single.globals;
  }
  return pack;
}

class Disassembler {
 public:
  explicit Disassembler(std::string program)
      : program_(std::move(program)),
        file_(std::filesystem::temp_directory_path() / fmt::format("verdicts-{}", getpid())) {}
  Disassembler(const Disassembler&) = delete;
  Disassembler& operator=(const Disassembler&) = delete;
  ~Disassembler() { std::filesystem::remove(file_); }

  /// What it says of a module, line by line.
  std::vector<std::string> complaints(const Module& module) {
    const auto bytes = bytecode::write(module, newest);
    std::ofstream(file_, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    const std::string command = fmt::format("'{}' '{}' 2>&1 >/dev/null", program_, file_.string());
    std::FILE* pipe = popen(command.c_str(), "r");
    std::string text;
    std::array<char, 4096> buffer;
    while (std::fgets(buffer.data(), buffer.size(), pipe) != nullptr) text += buffer.data();
    const bool failed = pclose(pipe) != 0;
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      lines.push_back(text.substr(begin, end - begin));
      begin = end + 1;
    }
    if (failed && lines.empty()) lines.emplace_back("error: it fails in silence");
    return failed ? lines : std::vector<std::string>();
  }

 private:
  std::string program_;
  std::filesystem::path file_;
};

/// Judges cases by what is said of all of them in one file, and of those that are left when what
/// was blamed is taken out, until nothing is: some checks come only where others passed. An error
/// of the verifier is at the function's place; one of the reader names the function.
void judge(std::vector<Case>& cases, Disassembler& disassembler) {
  static const std::regex blame(R"re(^\S*loc\("f(\d+)":.*error: (.*)|function 'f(\d+))re");
  std::vector<std::size_t> left(cases.size());
  std::iota(left.begin(), left.end(), std::size_t{0});
  while (!left.empty()) {
    const auto lines = disassembler.complaints(packed(cases, left));
    if (lines.empty()) return;
    for (const std::string& line : lines) {
      std::smatch match;
      if (!std::regex_search(line, match, blame)) continue;
      Case& blamed = cases.at(std::stoul(match[1].matched ? match[1] : match[3]));
      if (blamed.theirs.empty()) blamed.theirs = match[2].matched ? match[2].str() : lines.front();
    }
    const auto is_blamed = [&](std::size_t each) { return !cases[each].theirs.empty(); };
    if (std::erase_if(left, is_blamed) == 0) {
      throw std::runtime_error("nobody is blamed for: " + lines.front());
    }
  }
}

std::string in_one_line(std::string text) {
  std::ranges::replace(text, '\n', ';');
  return text;
}

/// The ops and attributes of a module.
std::set<std::string> contents(const Module& module) {
  std::set<std::string> names{"cases"};
  walk(module.functions.front().body, [&](const ir::Op& op) {
    names.insert(fmt::format("op {}", op.row().name));
    for (std::size_t i = 0; i < op.attributes.size(); ++i) {
      if (op.attributes[i].empty()) continue;
      names.insert(fmt::format("attribute {}", ir::attribute_text(op.row().attributes[i].name)));
    }
  });
  return names;
}

/// How often something was met, and accepted by both.
struct Count {
  std::size_t all = 0;
  std::size_t accepted = 0;

  void add(const Case& each) {
    ++all;
    accepted += each.ours.empty() && each.theirs.empty();
  }
};

void print_difference(const Case& each) {
  if (each.ours.empty() == each.theirs.empty()) return;
  fmt::print("difference\t{}\t{}\t{}\n", each.ours, each.theirs,
             in_one_line(ir::print(each.module)));
}

/// Of changed samples.
void compare_random(Disassembler& disassembler, std::uint64_t seed, std::size_t count) {
  ir::Mutator mutator(seed);
  std::map<std::string, Count> counts;
  for (std::size_t done = 0; done < count;) {
    std::vector<Case> cases;
    while (cases.size() < pack_size) {
      if (auto next = next_case(mutator, cases.size())) cases.push_back(std::move(*next));
    }
    judge(cases, disassembler);
    done += cases.size();
    for (const Case& each : cases) {
      for (const std::string& what : contents(each.module)) counts[what].add(each);
      print_difference(each);
    }
  }
  for (const auto& [what, met] : counts) {
    fmt::print("count\t{}\t{}\t{}\n", what, met.all, met.accepted);
  }
}

/// Of a text with one function.
void compare_text(Disassembler& disassembler, const std::string& file) {
  std::ifstream in(file);
  Module module = ir::parse(std::string(std::istreambuf_iterator<char>(in), {}), file);
  std::string ours = our_verdict(module);
  std::vector<Case> cases{{std::move(module), std::move(ours), {}}};
  judge(cases, disassembler);
  print_difference(cases.front());
}

}  // namespace
}  // namespace tw

int main(int count, char** arguments) {
  if (count != 3 && count != 4) {
    fmt::print(stderr, "usage: interop_verdicts DISASSEMBLER (FILE | SEED COUNT)\n");
    return EXIT_FAILURE;
  }
  tw::Disassembler disassembler(arguments[1]);
  if (count == 3) {
    tw::compare_text(disassembler, arguments[2]);
  } else {
    tw::compare_random(disassembler, std::strtoull(arguments[2], nullptr, 10),
                       std::strtoull(arguments[3], nullptr, 10));
  }
  return EXIT_SUCCESS;
}
