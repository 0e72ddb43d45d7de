// SPDX-License-Identifier: Apache-2.0
#include "example.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "error.hpp"

namespace tw::cli {
namespace {

constexpr std::string_view prefix = "example:";

std::string describe(const TensorParameter& tensor) {
  return fmt::format("{}[{}]{}{}", tensor.name, fmt::join(tensor.extents, ", "),
                     tensor.dtype ? " " : "", tensor.dtype ? type_name(*tensor.dtype) : "");
}

template <class Rows, class Text>
std::string listed(const Rows& rows, Text text) {
  std::vector<std::string> texts;
  for (const auto& row : rows) texts.push_back(text(row));
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string describe(const NamedExample& example) {
  const auto& [name, row] = example;
  const auto tensor = [](const TensorParameter& each) { return describe(each); };
  std::string text =
      fmt::format("  {:<12}{}\n{:14}in   {}\n", name, row.summary, "", listed(row.inputs, tensor));
  if (!row.numbers.empty()) {
    text += fmt::format("{:14}also {}\n", "", listed(row.numbers, [](const NumberParameter& each) {
                          return fmt::format("{}={}", each.name, each.value);
                        }));
  }
  return text + fmt::format("{:14}out  {}\n", "", listed(row.outputs, tensor));
}

std::string types_of(const Example& example) {
  return listed(example.instantiations,
                [](const Instantiation& each) { return std::string(type_name(each.dtype)); });
}

}  // namespace

std::map<std::string, Example>& examples() {
  static std::map<std::string, Example> all;
  return all;
}

ExampleRegistration::ExampleRegistration(std::string name, Example example) {
  examples().emplace(std::move(name), std::move(example));
}

const NamedExample& find_example(std::string_view subject) {
  if (subject.starts_with(prefix)) {
    const auto found = examples().find(std::string(subject.substr(prefix.size())));
    if (found != examples().end()) return *found;
  }
  throw UsageError(fmt::format("there is no '{}'; there are {}", subject,
                               listed(examples(), [](const NamedExample& each) {
                                 return std::string(prefix) + each.first;
                               })));
}

std::string describe_examples() {
  std::string text = "Examples, with the extents of their tensors:\n";
  for (const NamedExample& example : examples()) text += describe(example);
  return text;
}

std::string_view type_name(DType dtype) {
  return is_float(dtype) ? info(element_kind(dtype)).name : info(dtype).name;
}

DType type_named(std::string_view name) {
  for (std::size_t i = 0; i < dtype_count; ++i) {
    if (type_name(static_cast<DType>(i)) == name) return static_cast<DType>(i);
  }
  throw UsageError(fmt::format("there is no element type '{}'", name));
}

const Instantiation& instantiation_for(const NamedExample& example, DType dtype) {
  const auto& rows = example.second.instantiations;
  const auto found = std::ranges::find(rows, dtype, &Instantiation::dtype);
  if (found != rows.end()) return *found;
  throw UsageError(fmt::format("{} takes {}, not {}", example.first, types_of(example.second),
                               type_name(dtype)));
}

}  // namespace tw::cli
