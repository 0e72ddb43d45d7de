// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "backend/tileiras/lint/subject.hpp"

namespace tw::inline v0::backend::tileiras {
namespace {

/// What tensor cores ask of the factors of a product, as remarks of tileiras 13.5 over all small
/// tiles show.
struct FactorRow {
  ElementKind kind;
  std::int64_t depth;        ///< the least k of an instruction of one warp
  std::int64_t group_depth;  ///< the least k of one of a group of warps
};
constexpr FactorRow factors[] = {
    {ElementKind::f16, 8, 16},    {ElementKind::bf16, 8, 16},   {ElementKind::tf32, 8, 8},
    {ElementKind::f8e4m3, 8, 32}, {ElementKind::f8e5m2, 8, 32}, {ElementKind::i8, 16, 32},
};

/// Each of the four warps of a block wants a piece of its own of the result.
constexpr std::int64_t piece_rows = 16;
constexpr std::int64_t piece_columns = 8;
constexpr std::int64_t warps = 4;
constexpr std::int64_t group_rows = 64;

/// Architectures whose tensor cores also take instructions of a group of warps, and do most by
/// them.
struct GroupRow {
  std::int32_t sm;
  const char* instruction;
};
constexpr GroupRow groups[] = {
    {90, "wgmma"},        {100, "tcgen05.mma"}, {103, "tcgen05.mma"},
    {107, "tcgen05.mma"}, {110, "tcgen05.mma"},
};

struct Product {
  std::int64_t m;
  std::int64_t n;
  std::int64_t k;
  ElementKind kind;

  explicit Product(const LintSubject& subject, const ir::Op& op) {
    const ir::TileType& left = subject.type(op.operands[0]).tile();
    m = left.shape[left.shape.size() - 2];
    k = left.shape.back();
    n = subject.type(op.operands[1]).tile().shape.back();
    kind = left.kind();
  }

  [[nodiscard]] bool fits_warps(const FactorRow& row) const {
    return m >= piece_rows && n >= piece_columns && k >= row.depth &&
           m * n >= warps * piece_rows * piece_columns;
  }
  [[nodiscard]] bool fits_group(const FactorRow& row) const {
    return m >= group_rows && k >= row.group_depth;
  }
};

std::string describe(const Product& product) {
  return fmt::format("the product of {} with m = {}, n = {}, k = {}", info(product.kind).name,
                     product.m, product.n, product.k);
}

void lint_product(LintSubject& subject, const ir::Op& op) {
  const Product product(subject, op);
  if (product.kind == ElementKind::f32) {
    subject.warn(op, describe(product) +
                         " runs outside the tensor cores: convert the factors to tf32 if its "
                         "precision suffices");
    return;
  }
  const auto* row = std::ranges::find(factors, product.kind, &FactorRow::kind);
  if (row == std::end(factors)) return;
  if (!product.fits_warps(*row)) {
    subject.warn(op, fmt::format("{} runs outside the tensor cores: they need m of {}, n of {} and "
                                 "k of {} at least, and m * n of {}",
                                 describe(product), piece_rows, piece_columns, row->depth,
                                 warps * piece_rows * piece_columns));
    return;
  }
  const auto* group = std::ranges::find(groups, subject.sm(), &GroupRow::sm);
  if (group == std::end(groups) || product.fits_group(*row)) return;
  subject.warn(op, fmt::format("{} does not use {} of sm_{}, which needs m of {} and k of {} at "
                               "least: if n is larger than m, multiply the transposed factors",
                               describe(product), group->instruction, group->sm, group_rows,
                               row->group_depth));
}

}  // namespace

bool is_product(const ir::Op& op) {
  return op.code == ir::Opcode::mmaf || op.code == ir::Opcode::mmai ||
         op.code == ir::Opcode::mmaf_scaled;
}

void lint_products(LintSubject& subject) {
  ir::walk(subject.entry().body, [&](const ir::Op& op) {
    if (op.code == ir::Opcode::mmaf || op.code == ir::Opcode::mmai) lint_product(subject, op);
  });
}

}  // namespace tw::inline v0::backend::tileiras
