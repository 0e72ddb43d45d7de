// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include <gtest/gtest.h>

#include <tilewright/passes/roots.hpp>

#include "traced_kernel.hpp"

namespace {

using namespace tw;
using ir::Opcode;
using ir::Value;
using passes::Root;
using passes::Roots;
using test::TracedKernel;

Roots roots_of(const ir::Kernel& kernel) { return {kernel.module, kernel.entry()}; }

Root parameter(std::uint32_t index) { return {Root::Kind::parameter, index}; }

TEST(Roots, ViewsAndOffsetsComeFromTheirParameter) {
  TracedKernel k;
  k.base();
  const Value p = k.base();
  const Value view = k.tiles(p, k.extent(), 16);
  const Value moved = k.build().simple(Opcode::offset, k.build().type(p), {p, k.scalar()});
  const auto roots = roots_of(k.finish());
  EXPECT_EQ(roots.of(view), parameter(1));
  EXPECT_EQ(roots.of(moved), parameter(1));
}

TEST(Roots, ChoosingBetweenParametersIsUnknown) {
  TracedKernel k;
  const Value p = k.base();
  const Value q = k.base();
  const Value c = k.argument(ir::AbiKind::scalar, ElementKind::i1);
  const Value same = k.build().select(c, p, p);
  const Value either = k.build().select(c, p, q);
  const auto roots = roots_of(k.finish());
  EXPECT_EQ(roots.of(same), parameter(0));
  EXPECT_EQ(roots.of(either).kind, Root::Kind::unknown);
}

TEST(Roots, LoopsCarryThem) {
  TracedKernel k;
  const Value p = k.base();
  const Value q = k.base();
  const Value n = k.extent();
  std::vector<Value> inside;
  const auto results = k.carrying(n, n, n, {p, p}, [&](Value i, const std::vector<Value>& carried) {
    inside = carried;
    const Value next = k.build().simple(Opcode::offset, k.build().type(p), {carried[0], i});
    return std::vector{next, q};
  });
  const auto roots = roots_of(k.finish());
  EXPECT_EQ(roots.of(inside[0]), parameter(0));
  EXPECT_EQ(roots.of(results[0]), parameter(0));
  EXPECT_EQ(roots.of(inside[1]).kind, Root::Kind::unknown);
  EXPECT_EQ(roots.of(results[1]).kind, Root::Kind::unknown);
}

TEST(Roots, RowsOfATableAreNotTheTable) {
  TracedKernel k;
  const Value table = k.argument(ir::AbiKind::rows, ElementKind::i64);
  const Value address = k.load_pointer(table);
  const Value row =
      k.build().simple(Opcode::int_to_ptr, ir::pointer_tile_type(ElementKind::f32), {address});
  k.keep(k.build().constant(ElementKind::f32, 0), row);
  const auto roots = roots_of(k.finish());
  EXPECT_EQ(roots.of(row), (Root{Root::Kind::rows, 0}));
  EXPECT_TRUE(roots.written(roots.of(row)));
  EXPECT_FALSE(roots.written(roots.of(table)));
}

TEST(Roots, AnUnknownWriteMayGoAnywhere) {
  TracedKernel k;
  const Value p = k.base();
  const Value q = k.base();
  const Value c = k.argument(ir::AbiKind::scalar, ElementKind::i1);
  k.keep(k.build().constant(ElementKind::f32, 0), k.build().select(c, p, q));
  EXPECT_TRUE(roots_of(k.finish()).written(parameter(0)));
}

}  // namespace
