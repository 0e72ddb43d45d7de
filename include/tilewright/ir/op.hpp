// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <tilewright/core/export.hpp>
#include <tilewright/core/small_vector.hpp>
#include <tilewright/ir/attribute.hpp>
#include <tilewright/ir/location.hpp>
#include <tilewright/ir/op_table.hpp>
#include <tilewright/ir/type.hpp>

namespace tw::inline v0::ir {

/// An SSA value of one function: an index into `Function::types`. A strong type, so that no number
/// becomes a value by accident.
struct Value {
  static constexpr std::uint32_t none = 0xffffffffu;
  std::uint32_t index = none;

  [[nodiscard]] constexpr explicit operator bool() const noexcept { return index != none; }
  friend constexpr bool operator==(Value, Value) = default;
};

struct Block;

/// One operation. Ops are values: copying one copies its regions.
///
/// Operands lie flat in wire order; `group_sizes[k]` says how many belong to the k-th row of the op
/// table's operand list (0 or 1 for an optional one). Attributes lie in the table's order.
struct TILEWRIGHT_API Op {
  static constexpr std::size_t max_groups = 5;

  Opcode code{};
  LocationId location = LocationId::unknown;
  std::array<std::uint16_t, max_groups> group_sizes{};
  SmallVector<Value, 4> operands;
  SmallVector<Value, 2> results;
  SmallVector<Attribute, 2> attributes;
  /// One block each; an `if` without `else` has an empty second block (no terminator).
  std::vector<Block> regions;

  [[nodiscard]] const OpRow& row() const { return ir::row(code); }
  /// The operands of one row of the table.
  [[nodiscard]] std::span<const Value> group(std::size_t index) const;
  [[nodiscard]] std::span<Value> group(std::size_t index);
  /// The operand of an optional group, or no value.
  [[nodiscard]] Value optional(std::size_t index) const;
  [[nodiscard]] Value result(std::size_t index = 0) const { return results.at(index); }

  /// The attribute, or nullptr when the op has none of this name or it is absent.
  [[nodiscard]] const Attribute* find(AttributeName name) const;
  /// An integer, enumeration, boolean or unit attribute; absent ones are 0.
  [[nodiscard]] std::int64_t integer(AttributeName name) const;
  template <class Enum>
  [[nodiscard]] Enum as(AttributeName name) const {
    return static_cast<Enum>(integer(name));
  }
  /// An attribute of a given alternative; throws BugError when it is absent or of another kind.
  template <class T>
  [[nodiscard]] const T& get(AttributeName name) const {
    const Attribute* attribute = find(name);
    if (const T* value = attribute != nullptr ? attribute->as<T>() : nullptr) return *value;
    throw_absent(name);
  }
  void set(AttributeName name, Attribute value);
  /// Gives every absent attribute the value that its absence means, if it means one.
  void fill_fallbacks();

 private:
  [[noreturn]] void throw_absent(AttributeName name) const;
};

/// Straight-line ops that end in a terminator, with the values that enter from outside.
struct Block {
  std::vector<Value> arguments;
  std::vector<Op> ops;
};

/// One kernel entry. Its parameters are the arguments of `body`.
struct Function {
  std::string name;
  Block body;
  std::vector<Type> types;  ///< of every value, by index
  Hints hints;
  LocationId location = LocationId::unknown;
  bool entry = true;
  Visibility visibility = Visibility::public_;

  [[nodiscard]] const Type& type(Value value) const { return types[value.index]; }
  Value fresh(Type type) {
    types.push_back(std::move(type));
    return Value{static_cast<std::uint32_t>(types.size() - 1)};
  }
};

struct Global {
  std::string name;
  Type type;  ///< a tile of rank 1
  Constant value;
  std::uint64_t alignment = 0;
  bool constant = false;
  Visibility visibility = Visibility::public_;
  LocationId location = LocationId::unknown;
};

/// What a failed check or a print reports: the row that its `site` attribute names.
struct Site {
  LocationId location = LocationId::unknown;
  /// "load", "store", "gather", "atomic", "check", "print", "step", ...
  std::string kind;
  /// Position of the kernel parameter concerned, or -1.
  std::int32_t parameter = -1;
  /// The axis of the tensor concerned, or -1.
  std::int32_t axis = -1;
  /// The user's text of a check, or the format of a print.
  std::string text;
  /// The check only guards: where it fails nothing is reported, as for padding or at a tensor's
  /// edge.
  bool silent = false;
};

/// "load of argument 1 along axis 0": what a site is about, in the words of messages, which count
/// arguments from one.
[[nodiscard]] TILEWRIGHT_API std::string to_string(const Site& site);

/// A unit of compilation: a value like any other; passes take one and return one.
struct Module {
  std::string name = "kernels";
  std::vector<Function> functions;
  std::vector<Global> globals;
  std::optional<std::string> producer;
  LocationTable locations;
  std::vector<Site> sites;
};

/// Calls `visit(op)` for every op of the block, an op before its regions.
template <class BlockType, class Visit>
void walk(BlockType& block, Visit&& visit) {
  for (auto& op : block.ops) {
    visit(op);
    for (auto& region : op.regions) walk(region, visit);
  }
}

}  // namespace tw::inline v0::ir
