// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <tilewright/passes/pipeline.hpp>

#include "recorded.hpp"

/// What operations and their options become.
namespace tw::tests {
namespace {

using ir::AttributeName;
using ir::Opcode;

void quotient(Out<float, dyn> c, In1<float> a) {
  auto x = a.load_like(c);
  c.store(div(x, x + 1.f, {.rounding = approx, .ftz = true}));
}

TEST(RecordedOptions, RoundingAndFlush) {
  const Recorded kernel = record<&quotient>({{cut(8)}});
  const ir::Op& division = kernel.only(Opcode::divf);
  EXPECT_EQ(division.as<ir::RoundingMode>(AttributeName::rounding), ir::RoundingMode::approx);
  EXPECT_NE(division.find(AttributeName::flush_to_zero), nullptr);
  const ir::Op& sum = kernel.only(Opcode::addf);
  EXPECT_EQ(sum.as<ir::RoundingMode>(AttributeName::rounding), ir::RoundingMode::nearest_even);
  EXPECT_EQ(sum.integer(AttributeName::flush_to_zero), 0);
}

template <class T>
void shifted(Out<T, dyn> c, In1<T> a) {
  auto x = a.load_like(c);
  c.store(max(x >> 3, x % 5));
}

TEST(RecordedSigns, BelongToTheElementType) {
  const Recorded with = record<&shifted<std::int16_t>>({{cut(8)}});
  const Recorded without = record<&shifted<std::uint16_t>>({{cut(8)}});
  for (const Opcode code : {Opcode::shri, Opcode::remi, Opcode::maxi}) {
    EXPECT_EQ(with.only(code).as<ir::Signedness>(AttributeName::signedness),
              ir::Signedness::signed_);
    EXPECT_EQ(without.only(code).as<ir::Signedness>(AttributeName::signedness),
              ir::Signedness::unsigned_);
  }
}

void mixed_product(Out<int, dyn, dyn> c, In2<std::uint8_t> a, In2<std::int8_t> b) {
  c.store(dot(a.tiles(dim<0>(c), 32)(0, 0), b.tiles(32, dim<1>(c))(0, 0)));
}
void fast_product(Out<float, dyn, dyn> c, In2<f8e4m3> a) {
  auto x = a.load_like(c);
  c.store(dot(x, x, {.fast_acc = true}));
}

TEST(RecordedProducts, KnowSignsAndAccumulators) {
  const Recorded mixed = record<&mixed_product>({{cut(16), cut(16)}});
  const ir::Op& product = mixed.only(Opcode::mmai);
  EXPECT_EQ(product.as<ir::Signedness>(AttributeName::signedness_lhs), ir::Signedness::unsigned_);
  EXPECT_EQ(product.as<ir::Signedness>(AttributeName::signedness_rhs), ir::Signedness::signed_);
  const Recorded fast = record<&fast_product>({{cut(16), cut(16)}});
  EXPECT_NE(fast.only(Opcode::mmaf).find(AttributeName::fast_acc), nullptr);
}

/// How many ops of one kind work on whole tiles: the code of bounds is of scalars.
std::size_t on_tiles(const Recorded& kernel, Opcode code) {
  const std::vector<const ir::Op*> ops = kernel.ops(code);
  return static_cast<std::size_t>(std::ranges::count_if(
      ops, [&](const ir::Op* op) { return !kernel.type(op->result()).tile().shape.empty(); }));
}

/// A kernel after everything that follows from constants has been folded.
template <auto Kernel>
Recorded folded() {
  return Recorded(passes::optimise(passes::prepare(trace<Kernel>(specialise<Kernel>({{cut(8)}})))));
}

void by_constants(Out<int, dyn> c, In1<int> a) {
  auto x = a.load_like(c);
  c.store((x << 2) + x / 3);
}
void remainder_of_constants(Out<int, dyn> c, In1<int> a) { c.store(a.load_like(c) % 7); }
void by_numbers(Out<int, dyn> c, In1<int> a, In1<int> b) {
  c.store(a.load_like(c) / b.load_like(c));
}

// Division by zero and shifts beyond the width are defined, and cost nothing where a constant rules
// them out.
TEST(RecordedTotality, ConstantsFoldItsGuardsAway) {
  const Recorded constants = folded<&by_constants>();
  EXPECT_EQ(on_tiles(constants, Opcode::divi), 1u);
  EXPECT_EQ(on_tiles(constants, Opcode::shli), 1u);
  EXPECT_EQ(on_tiles(constants, Opcode::andi), 0u);
  EXPECT_EQ(on_tiles(constants, Opcode::select), 0u);
  const Recorded remainder = folded<&remainder_of_constants>();
  EXPECT_EQ(on_tiles(remainder, Opcode::remi), 1u);
  EXPECT_EQ(on_tiles(remainder, Opcode::select), 0u);
  const Recorded numbers = folded<&by_numbers>();
  EXPECT_EQ(on_tiles(numbers, Opcode::divi), 1u);
  EXPECT_GT(on_tiles(numbers, Opcode::select), 0u);
}

void conversions(Out<half, dyn> c, In1<float> a, In1<std::uint8_t> b) {
  auto x = a.load_like(c);
  auto y = as<int>(b.load_like(c)) + as<int>(x);
  c.store(as<half>(x) + as<half>(y) + as<half>(as<half>(x)));
}

TEST(RecordedConversions, UseOneOpEachAndNoneForTheSameType) {
  const Recorded kernel = record<&conversions>({{cut(8)}});
  EXPECT_EQ(kernel.count(Opcode::ftof), 2u);
  EXPECT_EQ(kernel.only(Opcode::exti).as<ir::Signedness>(AttributeName::signedness),
            ir::Signedness::unsigned_);
  EXPECT_EQ(kernel.only(Opcode::itof).as<ir::Signedness>(AttributeName::signedness),
            ir::Signedness::signed_);
  const ir::Op& to_integer = kernel.only(Opcode::ftoi);
  EXPECT_NE(to_integer.find(AttributeName::saturating), nullptr);
}

void same_shape(Out<float, dyn, dyn> c, In2<float> a) {
  auto x = a.load_like(c);
  c.store(permute<0, 1>(broadcast_to(x, dim<0>(c), dim<1>(c))));
}

TEST(RecordedShapes, WhatMovesNothingIsNoOp) {
  const Recorded kernel = record<&same_shape>({{cut(4), cut(8)}});
  EXPECT_EQ(kernel.count(Opcode::permute), 0u);
  EXPECT_EQ(kernel.count(Opcode::broadcast), 0u);
}

}  // namespace
}  // namespace tw::tests
