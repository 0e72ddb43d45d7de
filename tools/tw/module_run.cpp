// SPDX-License-Identifier: Apache-2.0
#include "module_run.hpp"

#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tilewright/core/float_conversion.hpp>
#include <tilewright/core/npy.hpp>
#include <tilewright/interp/program.hpp>
#include <tilewright/ir/verifier.hpp>

#include "array.hpp"
#include "error.hpp"
#include "example.hpp"
#include "module_file.hpp"
#include "number_text.hpp"

namespace tw::cli {
namespace {

std::string parameter_name(std::size_t index) { return fmt::format("arg{}", index); }

ir::Module verified(const std::string& file) {
  ir::Module module = load_module(file, ir::DefaultPlace::text);
  if (auto problems = ir::verify(module); !problems.empty()) throw KernelError(std::move(problems));
  return module;
}

const ir::Function& entry_of(const ir::Module& module, const std::string& name) {
  std::vector<std::string> names;
  for (const ir::Function& each : module.functions) {
    if (each.name == name || (name.empty() && module.functions.size() == 1)) return each;
    names.push_back(each.name);
  }
  throw UsageError(fmt::format("--entry has to name one of {}", fmt::join(names, ", ")));
}

/// `4x8`, or nothing if the text is something else.
std::optional<Shape> extents(std::string_view text) {
  Shape shape;
  const char* next = text.data();
  const char* const end = next + text.size();
  while (true) {
    std::int64_t extent = 0;
    const auto [behind, error] = std::from_chars(next, end, extent);
    if (error != std::errc() || extent < 0) return std::nullopt;
    shape.push_back(extent);
    if (behind == end) return shape;
    if (*behind != 'x') return std::nullopt;
    next = behind + 1;
  }
}

template <class Number>
Number required(const std::string& name, const std::string& text) {
  if (const auto number = number_in<Number>(text)) return *number;
  throw UsageError(fmt::format("{} must be a number, not '{}'", name, text));
}

/// The bits of a number in the low ones of the word.
std::uint64_t scalar(const std::string& name, const std::string& text, ElementKind kind) {
  if (info(kind).is_float()) return numeric::encode(required<double>(name, text), kind);
  const auto number = required<std::int64_t>(name, text);
  const int bits = info(kind).bits;
  if (bits < 64) {
    const std::int64_t half = std::int64_t{1} << (bits - 1);
    if (number < -half || number >= 2 * half) {
      throw UsageError(fmt::format("{} does not fit into {}", text, info(kind).name));
    }
  }
  return static_cast<std::uint64_t>(number);
}

/// The arguments of one run, and the arrays that they point to.
class Bindings {
 public:
  Bindings(const ir::Function& entry, const Assignments& given) : entry_(entry) {
    refuse_unknown(given);
    for (std::size_t i = 0; i < entry.body.arguments.size(); ++i) bind(i, given);
    if (missing_.empty()) return;
    throw UsageError(fmt::format("{} also needs --arg {}", entry.name, fmt::join(missing_, " ")));
  }

  [[nodiscard]] const std::vector<std::uint64_t>& words() const { return words_; }

  /// The array that a parameter points to.
  [[nodiscard]] const NpyArray& array(const std::string& name) const {
    const auto found = arrays_.find(name);
    if (found == arrays_.end()) throw UsageError(fmt::format("{} is no pointer", name));
    return found->second;
  }
  [[nodiscard]] const std::map<std::string, NpyArray>& arrays() const { return arrays_; }

 private:
  void refuse_unknown(const Assignments& given) const {
    const std::size_t count = entry_.body.arguments.size();
    for (const auto& [name, right] : given) {
      std::size_t i = 0;
      while (i < count && parameter_name(i) != name) ++i;
      if (i < count) continue;
      throw UsageError(fmt::format("{} has no parameter '{}'; it has {} of them, from arg0 on",
                                   entry_.name, name, count));
    }
  }

  void bind(std::size_t index, const Assignments& given) {
    const std::string name = parameter_name(index);
    const ir::Type& type = entry_.type(entry_.body.arguments[index]);
    const auto found = given.find(name);
    if (found == given.end()) {
      missing_.push_back(fmt::format("{}=... ({})", name, to_string(type)));
      return;
    }
    const ir::TileType& tile = type.tile();
    const std::optional<DType>& said = found->second.dtype;
    if (said && element_kind(*said) != tile.kind()) {
      throw UsageError(fmt::format("{} is a {}, not {}", name, to_string(type), type_name(*said)));
    }
    if (!tile.holds_pointers()) {
      words_.push_back(scalar(name, found->second.value, tile.kind()));
      return;
    }
    NpyArray& array = arrays_[name];
    array = load(found->second, tile.kind());
    words_.push_back(reinterpret_cast<std::uintptr_t>(array.bytes.data()));
  }

  static NpyArray load(const Assignment& given, ElementKind pointee) {
    const DType dtype = dtype_of_kind(pointee).value();
    if (const auto shape = extents(given.value)) {
      const DType stored = npy_dtype(dtype);
      const auto count = static_cast<std::size_t>(product(*shape));
      return {stored, *shape, std::vector<std::byte>(count * storage_bytes(stored))};
    }
    NpyArray array = read_npy(given.value);
    const DType meant = given.dtype.value_or(array.dtype == npy_dtype(dtype) ? dtype : array.dtype);
    if (element_kind(meant) == pointee && npy_dtype(meant) == array.dtype) return array;
    throw UsageError(fmt::format("{} holds {}, but the pointer is to {}", given.value,
                                 type_name(array.dtype), info(pointee).name));
  }

  const ir::Function& entry_;
  std::vector<std::uint64_t> words_;
  std::map<std::string, NpyArray> arrays_;
  std::vector<std::string> missing_;
};

interp::Grid grid_of(const std::vector<std::uint32_t>& numbers) {
  const auto number = [&](std::size_t axis) { return axis < numbers.size() ? numbers[axis] : 1u; };
  return {number(0), number(1), number(2)};
}

void keep(const Bindings& bindings, const Assignments& outputs) {
  for (const auto& [name, target] : outputs) write_npy(target.value, bindings.array(name));
  for (const auto& [name, array] : bindings.arrays()) {
    if (outputs.contains(name)) continue;
    fmt::print("{}: {}\n", name, statistics(upload(array.dtype, array)));
  }
}

}  // namespace

void run_module(const ModuleRun& request) {
  const ir::Module module = verified(request.file);
  const ir::Function& entry = entry_of(module, request.entry);
  const Bindings bindings(entry, request.arguments);
  for (const auto& [name, target] : request.outputs) (void)bindings.array(name);
  interp::Program(module, entry.name)
      .run(grid_of(request.grid), bindings.words(),
           {.print = [](std::string_view text) { fmt::print("{}", text); }});
  keep(bindings, request.outputs);
}

}  // namespace tw::cli
