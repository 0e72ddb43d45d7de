// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <tilewright/core/dtype.hpp>
#include <tilewright/core/export.hpp>
#include <tilewright/core/shape.hpp>
#include <tilewright/core/small_vector.hpp>
#include <tilewright/ir/enums.hpp>

namespace tw::inline v0::ir {

/// The elements of a constant in the wire format's dense form: row major, little endian, element
/// sizes of the format (tf32 three bytes, i1 bit-packed unless it is a splat). One element stands
/// for all: a splat.
struct Constant {
  SmallVector<std::byte, 8> bytes;
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
/// results. No tool reads a string yet, but files hold them.
using HintValue = std::variant<std::int64_t, bool, std::string>;
using HintSet = std::map<std::string, HintValue>;
using Hints = std::map<std::string, HintSet>;

using IntArray = SmallVector<std::int64_t, 2>;
using ScalarArray = std::vector<Scalar>;

/// Something large and rare: it lies on the heap, but is copied and compared like a member.
template <class T>
class Boxed {
 public:
  explicit Boxed(T value) : value_(std::make_unique<T>(std::move(value))) {}
  Boxed(const Boxed& other) : Boxed(*other) {}
  Boxed(Boxed&&) noexcept = default;
  Boxed& operator=(const Boxed& other) { return *this = Boxed(other); }
  Boxed& operator=(Boxed&&) noexcept = default;
  ~Boxed() = default;

  [[nodiscard]] const T& operator*() const noexcept { return *value_; }
  friend bool operator==(const Boxed& a, const Boxed& b) { return *a == *b; }

 private:
  std::unique_ptr<T> value_;
};

/// The value of one attribute. Enumerations, booleans and unit attributes are integers; the op
/// table says which of them an attribute is. An optional attribute that is absent is empty.
class Attribute {
 public:
  Attribute() = default;
  // Each of these *is* an attribute: NOLINTBEGIN(google-explicit-constructor)
  Attribute(std::int64_t value) : value_(value) {}
  Attribute(Constant value) : value_(std::move(value)) {}
  Attribute(IntArray value) : value_(std::move(value)) {}
  Attribute(std::string value) : value_(Boxed(std::move(value))) {}
  Attribute(const char* value) : Attribute(std::string(value)) {}
  Attribute(AssumePredicate value) : value_(Boxed(std::move(value))) {}
  Attribute(Hints value) : value_(Boxed(std::move(value))) {}
  Attribute(ScalarArray value) : value_(Boxed(std::move(value))) {}
  // NOLINTEND(google-explicit-constructor)

  [[nodiscard]] bool empty() const noexcept { return index() == 0; }
  /// Tells kinds of attributes apart; 0 is the empty one.
  [[nodiscard]] std::size_t index() const noexcept { return value_.index(); }
  /// What the attribute holds if it is a T, or nullptr.
  template <class T>
  [[nodiscard]] const T* as() const noexcept {
    if constexpr (is_small<T>) {
      return std::get_if<T>(&value_);
    } else {
      const auto* boxed = std::get_if<Boxed<T>>(&value_);
      return boxed != nullptr ? &**boxed : nullptr;
    }
  }
  template <class T>
  [[nodiscard]] bool is() const noexcept {
    return as<T>() != nullptr;
  }
  /// What the attribute holds, which must be a T.
  template <class T>
  [[nodiscard]] const T& get() const {
    if constexpr (is_small<T>) {
      return std::get<T>(value_);
    } else {
      return *std::get<Boxed<T>>(value_);
    }
  }
  /// Calls `visitor` with what the attribute holds: `std::monostate` if it is empty.
  template <class Visitor>
  decltype(auto) visit(Visitor&& visitor) const {
    return std::visit(Unboxing<Visitor>{visitor}, value_);
  }

  bool operator==(const Attribute&) const = default;

 private:
  template <class T>
  static constexpr bool is_small =
      std::is_same_v<T, std::int64_t> || std::is_same_v<T, Constant> || std::is_same_v<T, IntArray>;

  template <class Visitor>
  struct Unboxing {
    Visitor& visitor;
    template <class T>
    decltype(auto) operator()(const T& value) const {
      return visitor(value);
    }
    template <class T>
    decltype(auto) operator()(const Boxed<T>& value) const {
      return visitor(*value);
    }
  };

  // Ops hold several of these, so that only what is small and frequent lies in the object.
  std::variant<std::monostate, std::int64_t, Constant, IntArray, Boxed<std::string>,
               Boxed<AssumePredicate>, Boxed<Hints>, Boxed<ScalarArray>>
      value_;
};

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
