// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <tilewright/core/dtype.hpp>
#include <tilewright/core/export.hpp>
#include <tilewright/core/shape.hpp>
#include <tilewright/ir/enums.hpp>

namespace tw::inline v0::ir {

/// The elements of a constant in the wire format's dense form: row major, little endian, element
/// sizes of the format (tf32 three bytes, i1 bit-packed unless it is a splat). One element stands
/// for all: a splat.
struct Constant {
  std::vector<std::byte> bytes;
  bool operator==(const Constant&) const = default;
};

/// One typed number: an identity of a reduction or scan. `bits` is the pattern in the element's own
/// width.
struct Scalar {
  ElementKind kind;
  std::uint64_t bits;
  bool operator==(const Scalar&) const = default;
};

struct DivBy {
  std::uint64_t divisor;
  std::optional<std::int64_t> every = std::nullopt;
  std::optional<std::int64_t> along = std::nullopt;
  bool operator==(const DivBy&) const = default;
};
struct SameElements {
  Shape counts;
  bool operator==(const SameElements&) const = default;
};
struct Bounded {
  std::optional<std::int64_t> lower = std::nullopt;
  std::optional<std::int64_t> upper = std::nullopt;
  bool operator==(const Bounded&) const = default;
};
/// What an `assume` op promises about its operand.
using AssumePredicate = std::variant<DivBy, SameElements, Bounded>;

/// Optimization hints: architecture ("sm_90", "default") -> key -> value. They never change
/// results.
using HintValue = std::variant<std::int64_t, bool>;
using HintSet = std::map<std::string, HintValue>;
using Hints = std::map<std::string, HintSet>;

using IntArray = std::vector<std::int64_t>;
using ScalarArray = std::vector<Scalar>;

/// The value of one attribute. Enumerations, booleans and unit attributes are integers; the op
/// table says which of them an attribute is. `monostate`: an optional attribute that is absent.
using Attribute = std::variant<std::monostate, std::int64_t, std::string, Constant, AssumePredicate,
                               Hints, IntArray, ScalarArray>;

/// Every attribute name that some op has.
enum class AttributeName : std::uint8_t {
  rounding,
  flush_to_zero,
  overflow,
  message,
  predicate,
  memory_ordering,
  memory_scope,
  mode,
  dim,
  comparison_predicate,
  comparison_ordering,
  signedness,
  signedness_lhs,
  signedness_rhs,
  value,
  unsigned_comparison,
  saturating,
  name,
  optimization_hints,
  inbounds,
  propagate_nan,
  fast_acc,
  permutation,
  format,
  identities,
  reverse,
  num_elem,
  alignment,
  global,
  site,
};

/// A constant whose every element is the number with these bits.
TILEWRIGHT_API Constant splat(ElementKind kind, std::uint64_t bits);
/// A constant of `bits.size()` elements in row-major order; stored as a splat when all are equal.
TILEWRIGHT_API Constant dense(ElementKind kind, const std::vector<std::uint64_t>& bits);
/// The bit pattern of element `index` of a constant (any index for a splat).
TILEWRIGHT_API std::uint64_t element_bits(const Constant& constant, ElementKind kind,
                                          std::size_t index);
/// Whether one stored element stands for all `count` elements.
TILEWRIGHT_API bool is_splat(const Constant& constant, ElementKind kind, std::size_t count);
/// Whether the constant has `count` elements or is a splat.
TILEWRIGHT_API bool fits(const Constant& constant, ElementKind kind, std::size_t count);

}  // namespace tw::inline v0::ir
