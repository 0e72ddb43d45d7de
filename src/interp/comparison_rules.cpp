// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "interp/elementwise.hpp"
#include "interp/floats.hpp"
#include "interp/integers.hpp"
#include "interp/rules.hpp"
#include "interp/storage.hpp"

namespace tw::inline v0::interp {
namespace {

using ir::AttributeName;
using ir::ComparisonOrdering;
using ir::ComparisonPredicate;
using ir::Signedness;

/// The predicate as C++ compares; false for NaNs but for `not_equal`.
template <ComparisonPredicate Predicate, class T>
TILEWRIGHT_INLINE bool holds(T a, T b) {
  using enum ComparisonPredicate;
  if constexpr (Predicate == equal) return a == b;
  if constexpr (Predicate == not_equal) return a != b;
  if constexpr (Predicate == less_than) return a < b;
  if constexpr (Predicate == less_than_or_equal) return a <= b;
  if constexpr (Predicate == greater_than) return a > b;
  if constexpr (Predicate == greater_than_or_equal) return a >= b;
}

template <class I, bool Signed, ComparisonPredicate Predicate>
struct CompareIntegers {
  TILEWRIGHT_INLINE static std::uint8_t apply(typename I::Storage a, typename I::Storage b) {
    if constexpr (Signed) return holds<Predicate>(I::to_signed(a), I::to_signed(b));
    return holds<Predicate>(a, b);
  }
};

template <class F, bool Ordered, ComparisonPredicate Predicate>
struct CompareFloats {
  TILEWRIGHT_INLINE static std::uint8_t apply(typename F::Storage a, typename F::Storage b) {
    const auto x = F::widen(a);
    const auto y = F::widen(b);
    const bool has_nan = x != x || y != y;
    return Ordered ? !has_nan && holds<Predicate>(x, y) : has_nan || holds<Predicate>(x, y);
  }
};

template <class Use>
void with_predicate(ComparisonPredicate predicate, Use&& use) {
  using enum ComparisonPredicate;
  switch (predicate) {
    case equal:
      return use.template operator()<equal>();
    case not_equal:
      return use.template operator()<not_equal>();
    case less_than:
      return use.template operator()<less_than>();
    case less_than_or_equal:
      return use.template operator()<less_than_or_equal>();
    case greater_than:
      return use.template operator()<greater_than>();
    case greater_than_or_equal:
      return use.template operator()<greater_than_or_equal>();
  }
}

void compare_integers(Preparation& preparation, const ir::Op& op) {
  const bool is_signed = op.as<Signedness>(AttributeName::signedness) == Signedness::signed_;
  with_integer(preparation.tile(op.operands[0]).kind(), [&]<class I>() {
    using S = typename I::Storage;
    with_predicate(op.as<ComparisonPredicate>(AttributeName::comparison_predicate),
                   [&]<ComparisonPredicate Predicate>() {
                     if (is_signed) {
                       add_elementwise<CompareIntegers<I, true, Predicate>, std::uint8_t, S, S>(
                           preparation, op);
                     } else {
                       add_elementwise<CompareIntegers<I, false, Predicate>, std::uint8_t, S, S>(
                           preparation, op);
                     }
                   });
  });
}

void compare_floats(Preparation& preparation, const ir::Op& op) {
  const bool ordered =
      op.as<ComparisonOrdering>(AttributeName::comparison_ordering) == ComparisonOrdering::ordered;
  with_float(preparation.tile(op.operands[0]).kind(), [&]<class F>() {
    using S = typename F::Storage;
    with_predicate(op.as<ComparisonPredicate>(AttributeName::comparison_predicate),
                   [&]<ComparisonPredicate Predicate>() {
                     if (ordered) {
                       add_elementwise<CompareFloats<F, true, Predicate>, std::uint8_t, S, S>(
                           preparation, op);
                     } else {
                       add_elementwise<CompareFloats<F, false, Predicate>, std::uint8_t, S, S>(
                           preparation, op);
                     }
                   });
  });
}

template <class Bits>
struct Select {
  TILEWRIGHT_INLINE static Bits apply(std::uint8_t condition, Bits if_true, Bits if_false) {
    return condition ? if_true : if_false;
  }
};

void select_elements(Preparation& preparation, const ir::Op& op) {
  with_bits(preparation.element_bytes(op.result()), [&]<class Bits>() {
    add_elementwise<Select<Bits>, Bits, std::uint8_t, Bits, Bits>(preparation, op);
  });
}

using enum ir::Opcode;

constexpr std::array rules{
    OpRule{cmpf, compare_floats, Sharing::elementwise},
    OpRule{cmpi, compare_integers, Sharing::elementwise},
    OpRule{select, select_elements, Sharing::elementwise},
};

}  // namespace

std::span<const OpRule> comparison_rules() { return rules; }

}  // namespace tw::inline v0::interp
