// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>

#include "interp/conversion_step.hpp"
#include "interp/floats.hpp"
#include "interp/isa.hpp"
#include "interp/preparation.hpp"
#include "interp/rules.hpp"

// Products accumulate in ascending k in the type of the accumulator, each step rounded once.
// Operands of other types are widened first, which is exact.

namespace tw::inline v0::interp {
namespace {

using ir::AttributeName;
using ir::Signedness;

/// f32 and f64.
template <class Number>
struct FloatSteps {
  using Factor = Number;
  using Sum = Number;
  TILEWRIGHT_INLINE static Number add(Number a, Number b, Number sum) {
    return std::fma(a, b, sum);
  }
};

struct IntegerSteps {
  using Factor = std::uint32_t;
  using Sum = std::uint32_t;
  TILEWRIGHT_INLINE static Sum add(Factor a, Factor b, Sum sum) { return sum + a * b; }
};

/// f16 sums as doubles. A double holds the product exactly, and the sum so nearly that rounding it
/// to f16 gives what rounding the exact sum would.
struct HalfSteps {
  using Factor = double;
  using Sum = double;
  TILEWRIGHT_INLINE static double add(double a, double b, double sum) {
    return F16::widen(F16::narrow(a * b + sum));
  }
};

/// f32 sums of scaled factors, whose product a double holds exactly.
struct ScaledSteps {
  using Factor = double;
  using Sum = float;

  TILEWRIGHT_INLINE static float add(double a, double b, float sum) {
    return static_cast<float>(sum_to_odd(a * b, static_cast<double>(sum)));
  }

  /// The sum cut to a double, with its last bit set if anything was lost: rounding that to f32
  /// rounds the exact sum.
  TILEWRIGHT_INLINE static double sum_to_odd(double a, double b) {
    const double sum = a + b;
    const double b_part = sum - a;
    const double lost = (a - (sum - b_part)) + (b - b_part);
    const auto bits = std::bit_cast<std::uint64_t>(sum);
    const bool toward_zero = (lost < 0) != (sum < 0);
    const bool even = (bits & 1) == 0;
    const std::uint64_t odd = toward_zero ? bits - 1 : bits + 1;
    return std::bit_cast<double>(even && lost != 0 && lost == lost ? odd : bits);
  }
};

/// sums[m][n] += left[m][k] * right[k][n], with the sums of some rows and columns in registers.
template <class Steps>
struct Product {
  using Factor = typename Steps::Factor;
  using Sum = typename Steps::Sum;

  template <std::size_t Rows, std::size_t Columns>
  TILEWRIGHT_INLINE static void panel(Sum* __restrict sums, const Factor* __restrict left,
                                      const Factor* __restrict right, std::size_t n,
                                      std::size_t k) {
    Sum block[Rows][Columns];
    for (std::size_t i = 0; i < Rows; ++i) {
      for (std::size_t j = 0; j < Columns; ++j) block[i][j] = sums[i * n + j];
    }
    for (std::size_t step = 0; step < k; ++step) {
      for (std::size_t i = 0; i < Rows; ++i) {
        const Factor factor = left[i * k + step];
        for (std::size_t j = 0; j < Columns; ++j) {
          block[i][j] = Steps::add(factor, right[step * n + j], block[i][j]);
        }
      }
    }
    for (std::size_t i = 0; i < Rows; ++i) {
      for (std::size_t j = 0; j < Columns; ++j) sums[i * n + j] = block[i][j];
    }
  }

  template <std::size_t Columns>
  TILEWRIGHT_INLINE static void columns(Sum* sums, const Factor* left, const Factor* right,
                                        std::size_t m, std::size_t n, std::size_t k) {
    constexpr std::size_t rows = 4;
    for (std::size_t j = 0; j < n; j += Columns) {
      std::size_t i = 0;
      for (; i + rows <= m; i += rows) {
        panel<rows, Columns>(sums + i * n + j, left + i * k, right + j, n, k);
      }
      for (; i < m; ++i) panel<1, Columns>(sums + i * n + j, left + i * k, right + j, n, k);
    }
  }

  /// Extents of tiles are powers of two.
  TILEWRIGHT_INLINE static void run(Sum* sums, const Factor* left, const Factor* right,
                                    std::size_t m, std::size_t n, std::size_t k) {
    constexpr std::size_t widest = 128 / sizeof(Sum);
    if (n >= widest) return columns<widest>(sums, left, right, m, n, k);
    if (n >= 8) return columns<8>(sums, left, right, m, n, k);
    return columns<1>(sums, left, right, m, n, k);
  }
};

/// The extents of a product, equal for all of a batch.
struct Extents {
  std::size_t batch;
  std::size_t m;
  std::size_t n;
  std::size_t k;

  Extents(const Shape& left, const Shape& right)
      : batch(left.size() == 3 ? static_cast<std::size_t>(left[0]) : 1),
        m(static_cast<std::size_t>(left[left.size() - 2])),
        n(static_cast<std::size_t>(right.back())),
        k(static_cast<std::size_t>(left.back())) {}
};

template <class Steps>
void add_product(Preparation& preparation, const Extents& extents, Slot sums, Slot left,
                 Slot right) {
  const auto product = best_version<Product<Steps>>();
  preparation.add([=](Frame& frame) {
    const auto [batch, m, n, k] = extents;
    for (std::size_t b = 0; b < batch; ++b) {
      product(frame.at<typename Steps::Sum>(sums) + b * m * n,
              frame.at<const typename Steps::Factor>(left) + b * m * k,
              frame.at<const typename Steps::Factor>(right) + b * k * n, m, n, k);
    }
  });
}

/// Where an operand's elements lie in a type that holds them: where they are, or in a copy.
Slot widened(Preparation& preparation, ir::Value value, DType from_type, DType to_type) {
  const Slot from = preparation.slot(value);
  if (from_type == to_type) return from;
  const std::size_t count = preparation.count(value);
  const Slot to = preparation.scratch(count * storage_bytes(to_type));
  add_conversion(preparation, {from, from_type}, {to, to_type}, count);
  return to;
}

Slot widened(Preparation& preparation, ir::Value value, DType to_type) {
  return widened(preparation, value, *dtype_of_kind(preparation.tile(value).kind()), to_type);
}

void begin_sums(Preparation& preparation, const ir::Op& op) {
  const Slot into[] = {preparation.slot(op.result())};
  preparation.move({&op.operands[2], 1}, into);
}

template <class Steps>
void float_product_in(Preparation& preparation, const ir::Op& op, DType type) {
  const Extents extents(preparation.tile(op.operands[0]).shape,
                        preparation.tile(op.operands[1]).shape);
  const Slot left = widened(preparation, op.operands[0], type);
  const Slot right = widened(preparation, op.operands[1], type);
  begin_sums(preparation, op);
  add_product<Steps>(preparation, extents, preparation.slot(op.result()), left, right);
}

void half_product(Preparation& preparation, const ir::Op& op) {
  const Extents extents(preparation.tile(op.operands[0]).shape,
                        preparation.tile(op.operands[1]).shape);
  const Slot left = widened(preparation, op.operands[0], DType::f64);
  const Slot right = widened(preparation, op.operands[1], DType::f64);
  const Slot sums = widened(preparation, op.operands[2], DType::f64);
  add_product<HalfSteps>(preparation, extents, sums, left, right);
  add_conversion(preparation, {sums, DType::f64}, {preparation.slot(op.result()), DType::f16},
                 preparation.count(op.result()));
}

void float_product(Preparation& preparation, const ir::Op& op) {
  switch (preparation.tile(op.result()).kind()) {
    case ElementKind::f16:
      return half_product(preparation, op);
    case ElementKind::f64:
      return float_product_in<FloatSteps<double>>(preparation, op, DType::f64);
    default:
      return float_product_in<FloatSteps<float>>(preparation, op, DType::f32);
  }
}

void integer_product(Preparation& preparation, const ir::Op& op) {
  const Extents extents(preparation.tile(op.operands[0]).shape,
                        preparation.tile(op.operands[1]).shape);
  const auto factor = [&](std::size_t operand, AttributeName signedness) {
    const bool is_signed = op.as<Signedness>(signedness) == Signedness::signed_;
    return widened(preparation, op.operands[operand], is_signed ? DType::int8 : DType::uint8,
                   DType::int32);
  };
  const Slot left = factor(0, AttributeName::signedness_lhs);
  const Slot right = factor(1, AttributeName::signedness_rhs);
  begin_sums(preparation, op);
  add_product<IntegerSteps>(preparation, extents, preparation.slot(op.result()), left, right);
}

/// Multiplies `factors`, a stack of matrices, by scales that each cover a block of elements.
void add_scaling(Preparation& preparation, Slot factors, const Shape& extents, Slot scales,
                 const Shape& scale_extents) {
  const auto rows = static_cast<std::size_t>(product(extents) / extents.back());
  const auto columns = static_cast<std::size_t>(extents.back());
  const std::size_t axis = extents.size() - 2;
  const auto row_block = static_cast<std::size_t>(extents[axis] / scale_extents[axis]);
  const auto column_block = static_cast<std::size_t>(extents.back() / scale_extents.back());
  preparation.add([=](Frame& frame) {
    auto* factor = frame.at<double>(factors);
    for (std::size_t row = 0; row < rows; ++row) {
      const auto* scale =
          frame.at<const double>(scales) + row / row_block * (columns / column_block);
      for (std::size_t column = 0; column < columns; ++column) {
        *factor++ *= scale[column / column_block];
      }
    }
  });
}

void scaled_product(Preparation& preparation, const ir::Op& op) {
  const auto scaled = [&](ir::Value value, ir::Value scale) {
    const Slot factors = widened(preparation, value, DType::f64);
    add_scaling(preparation, factors, preparation.tile(value).shape,
                widened(preparation, scale, DType::f64), preparation.tile(scale).shape);
    return factors;
  };
  const Extents extents(preparation.tile(op.operands[0]).shape,
                        preparation.tile(op.operands[1]).shape);
  const Slot left = scaled(op.operands[0], op.operands[3]);
  const Slot right = scaled(op.operands[1], op.operands[4]);
  begin_sums(preparation, op);
  add_product<ScaledSteps>(preparation, extents, preparation.slot(op.result()), left, right);
}

using enum ir::Opcode;

constexpr std::array rules{
    OpRule{mmaf, float_product, Sharing::accumulator},
    OpRule{mmaf_scaled, scaled_product, Sharing::accumulator},
    OpRule{mmai, integer_product, Sharing::accumulator},
};

}  // namespace

std::span<const OpRule> matrix_rules() { return rules; }

}  // namespace tw::inline v0::interp
