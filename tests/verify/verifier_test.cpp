// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tilewright/ir/printer.hpp>
#include <tilewright/ir/verifier.hpp>

#include "tests/ir/sample_module.hpp"
#include "tests/verify/cases.hpp"

namespace tw::ir {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> names_of(const std::vector<Diagnostic>& diagnostics) {
  std::vector<std::string> names;
  for (const Diagnostic& each : diagnostics) {
    names.push_back(each.message.substr(0, each.message.find(':')));
  }
  return names;
}

/// The names of the broken constraints, in order.
std::vector<std::string> broken(const Module& module, const VerifyOptions& options = {}) {
  return names_of(verify(module, options));
}

std::vector<VerifyCase> all_cases() {
  std::vector<VerifyCase> cases;
  for (const auto& some : {op_cases(), type_cases(), control_cases(), module_cases()}) {
    cases.insert(cases.end(), some.begin(), some.end());
  }
  return cases;
}

TEST(Verifier, FindsEachBrokenConstraint) {
  for (const VerifyCase& each : all_cases()) {
    SCOPED_TRACE(each.constraint);
    EXPECT_THAT(broken(each.good), IsEmpty()) << print(each.good);
    EXPECT_THAT(names_of(examine(each.good).warnings), IsEmpty());
    if (each.is_warning) {
      EXPECT_THAT(broken(each.bad, each.options), IsEmpty());
      EXPECT_THAT(names_of(examine(each.bad, each.options).warnings), ElementsAre(each.constraint));
    } else {
      EXPECT_THAT(broken(each.bad, each.options), ElementsAre(each.constraint));
    }
  }
}

TEST(Verifier, HasACaseForEachConstraint) {
  std::set<std::string_view> covered;
  for (const VerifyCase& each : all_cases()) covered.insert(each.constraint);
  std::set<std::string_view> listed;
  for (const Constraint& each : constraints()) {
    EXPECT_TRUE(listed.insert(each.name).second) << each.name;
    EXPECT_TRUE(covered.contains(each.name)) << each.name;
  }
}

TEST(Verifier, AcceptsEverySample) {
  EXPECT_THAT(broken(SampleModule::build()), IsEmpty());
  for (const OpSample& each : samples::all())
    EXPECT_THAT(broken(each.module()), IsEmpty()) << each.text;
}

TEST(Verifier, AllowsFunctionsWhereAsked) {
  Module module;
  Function function{.name = "f", .entry = false};
  Builder builder(function);
  const Value token = add_parameter(function, token_type());
  builder.append(OpDraft(Opcode::return_).group({token}), {});
  module.functions.push_back(std::move(function));
  EXPECT_THAT(broken(module), ElementsAre("entry_c1", "entry_c2", "return_c2"));
  EXPECT_THAT(broken(module, {.allow_functions = true}), IsEmpty());
}

TEST(Verifier, AllowsParametersThatFilesCanHoldWhereAsked) {
  const auto with_parameter = [](const Type& type) {
    Module module;
    Function function{.name = "k"};
    Builder builder(function);
    add_parameter(function, type);
    builder.append(OpDraft(Opcode::return_), {});
    module.functions.push_back(std::move(function));
    return module;
  };
  const VerifyOptions any{.allow_any_parameters = true};
  EXPECT_THAT(broken(with_parameter(token_type())), ElementsAre("entry_c2"));
  EXPECT_THAT(broken(with_parameter(token_type()), any), IsEmpty());
  EXPECT_THAT(broken(with_parameter(tile_type(ElementKind::f32, {4})), any),
              ElementsAre("entry_c2"));
}

TEST(Verifier, NamesOpsThatExist) {
  for (const Constraint& each : constraints()) {
    std::istringstream names{std::string(each.ops)};
    for (std::string name; names >> name;) {
      const bool own = name == "check" || name == "print";
      EXPECT_TRUE(name == "entry" || find_row(own ? "tw." + name : name) != nullptr) << name;
    }
  }
}

TEST(Verifier, ReportsAllThatIsWrongWithItsPlace) {
  Module module;
  Function function{.name = "k"};
  Builder builder(function);
  const Value x = add_parameter(function, tile_type(ElementKind::f32));
  for (std::uint32_t line = 7; line < 9; ++line) {
    builder.at(module.locations.add(SourcePlace{"kernel.cpp", line, 3}));
    builder.simple(Opcode::negi, tile_type(ElementKind::f32), {x});
  }
  builder.append(OpDraft(Opcode::return_), {});
  module.functions.push_back(std::move(function));

  const std::vector<Diagnostic> found = verify(module);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(to_string(found[0]),
            "kernel.cpp:7: int_c1: negi: tile<f32> gives tile<f32> (rule: Operands and result have "
            "one type: a tile of i1, i8, i16, i32 or i64.)");
  EXPECT_EQ(found[1].where.line(), 8u);
}

/// The rows `| name | ops | text |` that the document must have.
std::string documented_rows() {
  std::string text;
  for (const Constraint& each : constraints()) {
    text += "| `" + std::string(each.name) + "` | " + std::string(each.ops) + " | " +
            std::string(each.text) + " |\n";
  }
  return text;
}

TEST(Verifier, IsDocumented) {
  std::ifstream file(TILEWRIGHT_IR_DOCUMENT);
  std::string rows;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("| `")) rows += line + "\n";
  }
  EXPECT_EQ(rows, documented_rows());
}

}  // namespace
}  // namespace tw::ir
