// SPDX-License-Identifier: Apache-2.0
#include "binding.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tilewright/core/npy.hpp>

#include "array.hpp"
#include "error.hpp"

namespace tw::cli {
namespace {

template <class Rows>
bool has(const Rows& rows, const std::string& name) {
  return std::ranges::any_of(rows, [&](const auto& row) { return row.name == name; });
}

/// Refuses names other than those of `rows` and of the example's numbers.
template <class Rows>
void refuse_unknown(const NamedExample& example, const Rows& rows, const Assignments& given) {
  for (const auto& [name, right] : given) {
    if (has(rows, name) || has(example.second.numbers, name)) continue;
    std::vector<std::string> known;
    for (const auto& row : rows) known.push_back(row.name);
    for (const NumberParameter& row : example.second.numbers) known.push_back(row.name);
    throw UsageError(fmt::format("{} does not take '{}' here; it takes {}", example.first, name,
                                 fmt::join(known, ", ")));
  }
}

void set_numbers(const Example& example, const Assignments& given, Arguments& arguments) {
  for (const NumberParameter& number : example.numbers) {
    const auto found = given.find(number.name);
    arguments.set_number(number.name, found == given.end() ? number.value : number_of(*found));
  }
}

void refuse_missing(const NamedExample& example, const Assignments& given) {
  std::vector<std::string> missing;
  for (const TensorParameter& input : example.second.inputs) {
    if (!given.contains(input.name)) missing.push_back(fmt::format("--arg {}=FILE", input.name));
  }
  if (missing.empty()) return;
  throw UsageError(fmt::format("{} also needs {}", example.first, fmt::join(missing, " ")));
}

/// Reads one file after the other and holds it against what the example and the files before say.
class FileBinder {
 public:
  explicit FileBinder(const NamedExample& example) : example_(example) {}

  void read(const TensorParameter& input, const Assignment& given) {
    NpyArray array = read_npy(given.value);
    const DType dtype = given.dtype.value_or(array.dtype);
    if (npy_dtype(dtype) != array.dtype) {
      throw UsageError(fmt::format("{} holds {}, but {} is read from {}", given.value,
                                   type_name(array.dtype), type_name(dtype),
                                   type_name(npy_dtype(dtype))));
    }
    check_type(input, given, dtype);
    check_extents(input, given, array.shape);
    bound_.arguments.set_tensor(input.name, upload(dtype, array));
  }

  Bound take(const Assignments& given) && {
    set_numbers(example_.second, given, bound_.arguments);
    return std::move(bound_);
  }

 private:
  void check_type(const TensorParameter& input, const Assignment& given, DType dtype) {
    std::optional<DType> wanted = input.dtype;
    if (!wanted && bound_.instantiation != nullptr) wanted = bound_.instantiation->dtype;
    if (wanted && *wanted != dtype) {
      throw UsageError(fmt::format("{} holds {}, but {} must be {}", given.value, type_name(dtype),
                                   input.name, type_name(*wanted)));
    }
    if (!input.dtype) bound_.instantiation = &instantiation_for(example_, dtype);
  }

  void check_extents(const TensorParameter& input, const Assignment& given, const Shape& shape) {
    if (shape.size() != input.extents.size()) {
      throw UsageError(fmt::format("{} has rank {}, but {} must have rank {}: [{}]", given.value,
                                   shape.size(), input.name, input.extents.size(),
                                   fmt::join(input.extents, ", ")));
    }
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      const std::string& extent = input.extents[axis];
      if (bound_.arguments.set_extent(extent, shape[axis])) continue;
      throw UsageError(fmt::format("{} is {}, but {} must be [{}] with {} = {}", given.value,
                                   to_string(shape), input.name, fmt::join(input.extents, ", "),
                                   extent, bound_.arguments.extent(extent)));
    }
  }

  const NamedExample& example_;
  Bound bound_{};
};

/// A given extent, or the usual one. Throws UsageError when it is no extent.
std::int64_t extent_of(const ExtentParameter& extent, const Assignments& given) {
  const auto found = given.find(extent.name);
  if (found == given.end()) return extent.value;
  const int value = whole_number(extent.name, number_of(*found));
  if (value < 0) throw UsageError(fmt::format("{} must not be negative", extent.name));
  return value;
}

}  // namespace

Bound bind_files(const NamedExample& example, const Assignments& given) {
  refuse_unknown(example, example.second.inputs, given);
  refuse_missing(example, given);
  FileBinder binder(example);
  for (const TensorParameter& input : example.second.inputs) {
    binder.read(input, given.at(input.name));
  }
  return std::move(binder).take(given);
}

Bound bind_zeros(const NamedExample& example, std::optional<DType> dtype,
                 const Assignments& given) {
  refuse_unknown(example, example.second.extents, given);
  const Instantiation& instantiation =
      dtype ? instantiation_for(example, *dtype) : example.second.instantiations.front();
  Bound bound{&instantiation, {}};
  for (const ExtentParameter& extent : example.second.extents) {
    bound.arguments.set_extent(extent.name, extent_of(extent, given));
  }
  for (const TensorParameter& input : example.second.inputs) {
    Shape shape;
    for (const std::string& extent : input.extents) shape.push_back(bound.arguments.extent(extent));
    bound.arguments.set_tensor(input.name, zeros(input.dtype.value_or(instantiation.dtype), shape));
  }
  set_numbers(example.second, given, bound.arguments);
  return bound;
}

}  // namespace tw::cli
