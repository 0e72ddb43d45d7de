// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <tilewright/core/export.hpp>
#include <tilewright/ir/attribute.hpp>
#include <tilewright/ir/opcode.hpp>

namespace tw::inline v0::ir {

/// A release of the bytecode format.
struct Version {
  std::uint8_t major_number = 13;
  std::uint8_t minor_number = 1;
  friend constexpr auto operator<=>(const Version&, const Version&) = default;
};

/// "13.4".
[[nodiscard]] TILEWRIGHT_API std::string to_string(Version version);

/// The version that a type of elements came with.
[[nodiscard]] TILEWRIGHT_API Version since(ElementKind kind);

/// How an attribute's value is held and written.
enum class AttributeKind : std::uint8_t {
  rounding,
  signedness,
  overflow,
  comparison_predicate,
  comparison_ordering,
  memory_ordering,
  memory_scope,
  atomic_mode,
  unit,     ///< present or not: 1 or 0
  integer,  ///< unsigned varint
  boolean,  ///< one byte
  string,
  constant,
  predicate,
  hints,
  int32_array,
  bool_array,
  scalar_array,
};

struct AttributeRow {
  AttributeName name;
  AttributeKind kind;
  bool optional = false;
  Version since = {13, 1};
  /// What a file older than `since` means, and what the builder fills in; absent: must be given.
  std::optional<std::int64_t> fallback = std::nullopt;
};

/// Whether the absence of the attribute would mean the same.
[[nodiscard]] TILEWRIGHT_API bool is_fallback(const Attribute& value, const AttributeRow& row);

enum class Arity : std::uint8_t { one, optional, variadic };

struct OperandRow {
  std::string_view name;
  Arity arity = Arity::one;
  Version since = {13, 1};
};

/// What may happen to an op when its results are unused, or when it is met twice.
enum class Effect : std::uint8_t {
  pure,        ///< a function of its operands and attributes
  reads,       ///< loads: may be dropped, not merged across writes
  writes,      ///< stores, atomics, prints, checks
  control,     ///< for, loop, if, reduce, scan: as pure as their bodies
  terminator,  ///< break, continue, yield, return
};

/// Everything that is generic about one op: drives builder, printer, parser, reader, writer,
/// verifier.
struct OpRow {
  Opcode code;
  std::string_view name;
  Version since;
  Effect effect;
  std::uint8_t results;           ///< their number; the minimum for variadic ops
  bool variadic_results = false;  ///< the wire carries a result count
  std::uint8_t regions = 0;
  std::span<const AttributeRow> attributes;
  std::span<const OperandRow> operands;
  Version results_since = {13, 1};  ///< older files leave the results out
};

/// The row of an op; throws BugError for a code that has none.
TILEWRIGHT_API const OpRow& row(Opcode code);
/// All rows in ascending order of opcode.
TILEWRIGHT_API std::span<const OpRow> all_rows();
/// The position of one of them in that order.
TILEWRIGHT_API std::size_t index_of(const OpRow& row);
/// By text name, without the `cuda_tile.` prefix; both spellings of pow are known.
TILEWRIGHT_API const OpRow* find_row(std::string_view name);
/// The position of an attribute in an op's declaration order, or -1.
TILEWRIGHT_API int attribute_index(const OpRow& row, AttributeName name);
/// The text name of an attribute (`rounding_mode`, `overflow`, ...), as in the generic form.
TILEWRIGHT_API std::string_view attribute_text(AttributeName name);
/// The text of every value of an enumeration, by its number; empty for other kinds of attribute.
TILEWRIGHT_API std::span<const std::string_view> value_names(AttributeKind kind);
/// The version that a value of an enumeration came with.
TILEWRIGHT_API Version value_since(AttributeKind kind, std::int64_t value);

}  // namespace tw::inline v0::ir
