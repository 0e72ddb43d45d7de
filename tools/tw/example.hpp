// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tilewright/core/dtype.hpp>

#include "any_launch.hpp"
#include "arguments.hpp"

namespace tw::cli {

/// An input or an output of an example, with a name for each extent. Extents of one name are equal.
struct TensorParameter {
  std::string name;
  std::vector<std::string> extents;
  std::optional<DType> dtype = {};  ///< none: the element type of the instantiation
};

/// A number that the command line may give.
struct NumberParameter {
  std::string name;
  double value;  ///< unless it does
};

/// An extent, and its value where no input fixes it.
struct ExtentParameter {
  std::string name;
  std::int64_t value;
};

/// How an example is launched for one element type.
struct Instantiation {
  DType dtype;
  AnyLaunch (*launch)(const Arguments& arguments);
};

/// One for each `T`: `instantiate<float, half>([]<class T>(const Arguments& arguments) { ... })`.
template <class... T, class F>
std::vector<Instantiation> instantiate(F) {
  return {{dtype_of<T>, [](const Arguments& arguments) -> AnyLaunch {
             return F{}.template operator()<T>(arguments);
           }}...};
}

/// A kernel with what it takes to launch it from the command line.
struct Example {
  std::string summary;
  std::vector<ExtentParameter> extents;
  std::vector<TensorParameter> inputs;
  std::vector<NumberParameter> numbers;
  std::vector<TensorParameter> outputs;
  std::vector<Instantiation> instantiations;  ///< the first is the default
};

/// All registered examples by name.
std::map<std::string, Example>& examples();

/// An example and its name.
using NamedExample = std::map<std::string, Example>::value_type;

/// The example that `example:NAME` means. Throws UsageError, which lists those there are.
const NamedExample& find_example(std::string_view subject);

/// What a user must know of all examples: their names, inputs, numbers and outputs, a paragraph
/// each.
std::string describe_examples();

/// Registers an example as long as the program runs: one static object in the example's file.
struct ExampleRegistration {
  ExampleRegistration(std::string name, Example example);
};

/// "f16" or "int32_t": floats as on the command line, integers as in C++.
std::string_view type_name(DType dtype);
/// The element type that the command line calls `name`. Throws UsageError when there is none.
DType type_named(std::string_view name);
/// The instantiation for an element type. Throws UsageError, which lists those there are.
const Instantiation& instantiation_for(const NamedExample& example, DType dtype);

}  // namespace tw::cli
