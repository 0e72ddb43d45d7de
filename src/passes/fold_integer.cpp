// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "passes/fold_rules.hpp"
#include "passes/integer.hpp"

namespace tw::inline v0::passes {
namespace {

using ir::AttributeName;
using ir::ComparisonPredicate;
using ir::Opcode;
using ir::RoundingMode;
using ir::Signedness;
using Bits = std::uint64_t;

/// Constant operands of an op, both of `width` bits and zero above them.
struct Numbers {
  const ir::Op& op;
  Bits a;
  Bits b;
  std::uint8_t width;

  [[nodiscard]] bool is_signed() const {
    return op.as<Signedness>(AttributeName::signedness) == Signedness::signed_;
  }
  /// Sign-extended; one bit is 0 or -1.
  [[nodiscard]] std::int64_t signed_a() const { return extended(a); }
  [[nodiscard]] std::int64_t signed_b() const { return extended(b); }

 private:
  [[nodiscard]] std::int64_t extended(Bits bits) const {
    return width == 1 ? -static_cast<std::int64_t>(bits) : as_signed(bits, width);
  }
};

using Result = std::optional<Bits>;

bool divides(const Numbers& n) {
  if (n.b == 0) return false;
  const bool overflows = n.is_signed() && n.signed_b() == -1 && n.a == Bits{1} << (n.width - 1);
  return !overflows;
}

Bits signed_quotient(std::int64_t a, std::int64_t b, RoundingMode mode) {
  const std::int64_t truncated = a / b;
  const bool inexact = a % b != 0;
  const bool negative = (a < 0) != (b < 0);
  if (mode == RoundingMode::negative_inf && inexact && negative) {
    return static_cast<Bits>(truncated - 1);
  }
  if (mode == RoundingMode::positive_inf && inexact && !negative) {
    return static_cast<Bits>(truncated + 1);
  }
  return static_cast<Bits>(truncated);
}

Result quotient(const Numbers& n) {
  if (!divides(n)) return std::nullopt;
  const auto mode = n.op.as<RoundingMode>(AttributeName::rounding);
  if (n.is_signed()) return signed_quotient(n.signed_a(), n.signed_b(), mode);
  return n.a / n.b + (mode == RoundingMode::positive_inf && n.a % n.b != 0);
}

Result remainder(const Numbers& n) {
  if (!divides(n)) return std::nullopt;
  return n.is_signed() ? static_cast<Bits>(n.signed_a() % n.signed_b()) : n.a % n.b;
}

bool below(const Numbers& n) { return n.is_signed() ? n.signed_a() < n.signed_b() : n.a < n.b; }

Result compared(const Numbers& n) {
  switch (n.op.as<ComparisonPredicate>(AttributeName::comparison_predicate)) {
    case ComparisonPredicate::equal:
      return n.a == n.b;
    case ComparisonPredicate::not_equal:
      return n.a != n.b;
    case ComparisonPredicate::less_than:
      return below(n);
    case ComparisonPredicate::less_than_or_equal:
      return below(n) || n.a == n.b;
    case ComparisonPredicate::greater_than:
      return !below(n) && n.a != n.b;
    case ComparisonPredicate::greater_than_or_equal:
      return !below(n);
  }
  return std::nullopt;
}

Result shifted_left(const Numbers& n) { return n.b < n.width ? Result(n.a << n.b) : std::nullopt; }
Result shifted_right(const Numbers& n) {
  if (n.b >= n.width) return std::nullopt;
  return n.is_signed() ? static_cast<Bits>(n.signed_a() >> n.b) : n.a >> n.b;
}

/// The upper half of the unsigned product.
Result high_product(const Numbers& n) {
  if (n.width <= 32) return (n.a * n.b) >> n.width;
  const Bits low_a = n.a & 0xffffffff;
  const Bits low_b = n.b & 0xffffffff;
  const Bits high_a = n.a >> 32;
  const Bits high_b = n.b >> 32;
  const Bits middle = high_a * low_b + ((low_a * low_b) >> 32);
  const Bits carry = (middle & 0xffffffff) + low_a * high_b;
  return high_a * high_b + (middle >> 32) + (carry >> 32);
}

// What holds of an op whatever its first operand x is, given its second.
constexpr Bits all_ones = ~Bits{0};
struct Identity {
  std::optional<Bits> neutral = std::nullopt;    ///< x op n = x, at the operand's width
  std::optional<Bits> absorbing = std::nullopt;  ///< x op n = n
};

struct Row {
  Opcode code;
  Result (*evaluate)(const Numbers&);
  bool commutes = false;
  Identity identity = {};
  /// x op x: x itself, or the bits of this constant.
  bool idempotent = false;
  std::optional<Bits> with_itself = std::nullopt;
};

constexpr std::array binary_rows{
    Row{Opcode::addi, [](const Numbers& n) { return Result(n.a + n.b); }, true, {.neutral = 0}},
    Row{.code = Opcode::subi,
        .evaluate = [](const Numbers& n) { return Result(n.a - n.b); },
        .identity = {.neutral = 0},
        .with_itself = 0},
    Row{Opcode::muli,
        [](const Numbers& n) { return Result(n.a * n.b); },
        true,
        {.neutral = 1, .absorbing = 0}},
    Row{.code = Opcode::mulhii,
        .evaluate = high_product,
        .commutes = true,
        .identity = {.absorbing = 0}},
    Row{.code = Opcode::divi, .evaluate = quotient, .identity = {.neutral = 1}},
    Row{.code = Opcode::remi, .evaluate = remainder},
    Row{Opcode::andi,
        [](const Numbers& n) { return Result(n.a & n.b); },
        true,
        {.neutral = all_ones, .absorbing = 0},
        true},
    Row{Opcode::ori,
        [](const Numbers& n) { return Result(n.a | n.b); },
        true,
        {.neutral = 0, .absorbing = all_ones},
        true},
    Row{.code = Opcode::xori,
        .evaluate = [](const Numbers& n) { return Result(n.a ^ n.b); },
        .commutes = true,
        .identity = {.neutral = 0},
        .with_itself = 0},
    Row{Opcode::mini,
        [](const Numbers& n) { return Result(below(n) ? n.a : n.b); },
        true,
        {},
        true},
    Row{Opcode::maxi,
        [](const Numbers& n) { return Result(below(n) ? n.b : n.a); },
        true,
        {},
        true},
    Row{.code = Opcode::shli, .evaluate = shifted_left, .identity = {.neutral = 0}},
    Row{.code = Opcode::shri, .evaluate = shifted_right, .identity = {.neutral = 0}},
    Row{.code = Opcode::cmpi, .evaluate = compared},
};

const Row* binary_row(Opcode code) {
  const auto row = std::ranges::find(binary_rows, code, &Row::code);
  return row == binary_rows.end() ? nullptr : &*row;
}

/// Whether a comparison of a value with itself is true.
bool reflexive(const ir::Op& op) {
  switch (op.as<ComparisonPredicate>(AttributeName::comparison_predicate)) {
    case ComparisonPredicate::equal:
    case ComparisonPredicate::less_than_or_equal:
    case ComparisonPredicate::greater_than_or_equal:
      return true;
    default:
      return false;
  }
}

Outcome fold_binary(ir::Op& op, const Row& row, const Definitions& definitions) {
  const std::uint8_t width = integer_width(definitions.type(op.operands[0]));
  auto a = definitions.splat(op.operands[0]);
  auto b = definitions.splat(op.operands[1]);
  if (a && b) {
    const Result result = row.evaluate({op, masked(*a, width), masked(*b, width), width});
    if (!result) return unchanged();
    return splat_of(masked(*result, integer_width(definitions.type(op.result()))));
  }
  if (a && row.commutes) {
    std::swap(op.operands[0], op.operands[1]);
    std::swap(a, b);
  }
  const auto is = [&](const std::optional<Bits>& bits) {
    return b && bits && masked(*b, width) == masked(*bits, width);
  };
  // Of one bit read as signed, the pattern 1 is -1: it multiplies and divides as such.
  const bool one_is_one = width > 1 || (row.code != Opcode::muli && row.code != Opcode::divi);
  if (is(row.identity.neutral) && one_is_one) return same_as(op.operands[0]);
  if (is(row.identity.absorbing)) return splat_of(masked(*b, width));
  if (!(op.operands[0] == op.operands[1])) return unchanged();
  if (row.idempotent) return same_as(op.operands[0]);
  if (row.with_itself) return splat_of(*row.with_itself);
  if (op.code == Opcode::cmpi) return splat_of(reflexive(op));
  return unchanged();
}

Outcome fold_select(const ir::Op& op, const Definitions& definitions) {
  if (op.operands[1] == op.operands[2]) return same_as(op.operands[1]);
  if (const auto condition = definitions.splat(op.operands[0])) {
    return same_as(op.operands[(*condition & 1) != 0 ? 1 : 2]);
  }
  const auto if_true = definitions.splat(op.operands[1]);
  const auto if_false = definitions.splat(op.operands[2]);
  const bool of_truth = integer_width(definitions.type(op.result())) == 1;
  if (of_truth && if_true && if_false && (*if_true & 1) != 0 && (*if_false & 1) == 0) {
    return same_as(op.operands[0]);
  }
  return unchanged();
}

Outcome fold_widening(const ir::Op& op, const Definitions& definitions, Bits source) {
  const std::uint8_t from = integer_width(definitions.type(op.operands[0]));
  const std::uint8_t to = integer_width(definitions.type(op.result()));
  const Numbers numbers{op, masked(source, from), 0, from};
  const Bits extended = numbers.is_signed() ? static_cast<Bits>(numbers.signed_a()) : numbers.a;
  return splat_of(masked(extended, to));
}

Outcome fold_unary(const ir::Op& op, const Definitions& definitions) {
  const auto source = definitions.splat(op.operands[0]);
  const std::uint8_t width = integer_width(definitions.type(op.result()));
  switch (op.code) {
    case Opcode::exti:
      return source ? fold_widening(op, definitions, *source) : unchanged();
    case Opcode::trunci: {
      const Definition& widened = definitions[op.operands[0]];
      const bool returns = widened.known && widened.code == Opcode::exti &&
                           definitions.type(widened.operand) == definitions.type(op.result());
      if (returns) return same_as(widened.operand);
      return source ? splat_of(masked(*source, width)) : unchanged();
    }
    case Opcode::negi:
      return source ? splat_of(masked(Bits{0} - *source, width)) : unchanged();
    case Opcode::absi: {
      if (!source) return unchanged();
      const std::int64_t number = as_signed(*source, width);
      return splat_of(masked(number < 0 ? Bits{0} - *source : *source, width));
    }
    default:
      return unchanged();
  }
}

}  // namespace

Outcome fold_integer(ir::Op& op, const Definitions& definitions) {
  if (const Row* row = binary_row(op.code)) return fold_binary(op, *row, definitions);
  switch (op.code) {
    case Opcode::select:
      return fold_select(op, definitions);
    case Opcode::absi:
    case Opcode::exti:
    case Opcode::negi:
    case Opcode::trunci:
      return fold_unary(op, definitions);
    case Opcode::offset: {
      const auto distance = definitions.splat(op.operands[1]);
      return distance && *distance == 0 ? same_as(op.operands[0]) : unchanged();
    }
    default:
      return unchanged();
  }
}

}  // namespace tw::inline v0::passes
