// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <cmath>
#include <numeric>
#include <random>
#include <thread>

#include <gtest/gtest.h>

#include <tilewright/core/error.hpp>

#include "interp/isa.hpp"
#include "tests/interp/test_kernel.hpp"

namespace tw::interp_test {
namespace {

using enum ElementKind;
using ir::AtomicMode;
using ir::MemoryOrdering;
using ir::MemoryScope;

/// out[block] = softmax-like mixture of row `block` of a matrix with 64 columns: a bit of
/// everything that is worth running in parallel.
interp::Program row_kernel(std::int64_t rows) {
  TestKernel k;
  ir::Builder& b = k.build();
  const Value in = k.pointer(f32);
  const Value out = k.pointer(f32);
  const auto id = b.block_ids();
  const Value row = k.load(k.tiles(in, {rows, 64}, {1, 64}), {id[0], k.i32(0)});
  const Value scaled = b.simple(Opcode::exp, b.type(row), {row});
  const Value product =
      b.float_op(Opcode::mulf, scaled, row, ir::RoundingMode::nearest_even, false);
  k.store(product, k.tiles(out, {rows, 64}, {1, 64}), {id[0], k.i32(0)});
  return k.finish();
}

std::vector<float> random_values(std::size_t count) {
  std::mt19937 generator(3);
  std::uniform_real_distribution<float> distribution(-2, 2);
  std::vector<float> values(count);
  for (float& value : values) value = distribution(generator);
  return values;
}

TEST(Program, GivesTheSameInParallel) {
  constexpr std::size_t rows = 777;
  const interp::Program program = row_kernel(rows);
  EXPECT_FALSE(program.sequential());
  const std::vector<float> in = random_values(rows * 64);
  std::vector<float> expected(in.size());
  for (std::size_t k = 0; k < in.size(); ++k) {
    expected[k] = static_cast<float>(std::exp(static_cast<double>(in[k]))) * in[k];
  }
  for (const unsigned threads : {1u, 2u, 5u, 0u}) {
    std::vector<float> out(in.size(), -1);
    const std::uint64_t arguments[] = {address(in.data()), address(out.data())};
    program.run({rows}, arguments, {.threads = threads});
    EXPECT_EQ(out, expected) << threads << " threads";
  }
}

TEST(Program, IsSharedByThreads) {
  constexpr std::size_t rows = 64;
  const interp::Program program = row_kernel(rows);
  const std::vector<float> in = random_values(rows * 64);
  std::vector<std::vector<float>> outs(4, std::vector<float>(in.size()));
  std::vector<std::thread> callers;
  for (auto& out : outs) {
    callers.emplace_back([&] {
      const std::uint64_t arguments[] = {address(in.data()), address(out.data())};
      for (int repeat = 0; repeat < 20; ++repeat) program.run({rows}, arguments, {.threads = 3});
    });
  }
  for (std::thread& caller : callers) caller.join();
  for (const auto& out : outs) EXPECT_EQ(out, outs.front());
}

TEST(Program, GivesTheSameOnEveryInstructionSet) {
  constexpr std::size_t rows = 16;
  const interp::Isa best = interp::machine_isa();
  const std::vector<float> in = random_values(rows * 64);
  std::vector<std::vector<float>> results;
  for (const interp::Isa isa : {interp::Isa::baseline, interp::Isa::avx2, interp::Isa::avx512}) {
    if (isa > best) continue;
    interp::isa_in_use() = isa;
    TestKernel k;
    ir::Builder& b = k.build();
    const Value a = k.pointer(f32);
    const Value out = k.pointer(f32);
    const Value tile = k.load(k.tiles(a, {16, 64}, {16, 64}), {k.i32(0), k.i32(0)});
    const Value turned =
        b.append(OpDraft(Opcode::permute)
                     .operand(tile)
                     .set(AttributeName::permutation, ir::Attribute(ir::IntArray{1, 0})),
                 {ir::tile_type(f32, {64, 16})});
    Value sums = b.simple(Opcode::mmaf, ir::tile_type(f32, {64, 64}),
                          {turned, tile, b.constant(f32, bits(0.1f), {64, 64})});
    for (const ElementKind kind : {f16, bf16, f64, f32}) {
      sums = b.append(OpDraft(Opcode::ftof).operand(sums), {ir::tile_type(kind, {64, 64})});
      sums = b.float_op(Opcode::addf, sums, sums, ir::RoundingMode::nearest_even, false);
      sums = b.float_op(Opcode::mulf, sums, sums, ir::RoundingMode::nearest_even, false);
    }
    k.store_all(sums, out);
    std::vector<float> result(64 * 64);
    k.run({address(in.data()), address(result.data())});
    results.push_back(std::move(result));
  }
  interp::isa_in_use() = best;
  for (const auto& result : results) EXPECT_EQ(result, results.front());
}

TEST(Program, RunsNothingForAnEmptyGrid) {
  TestKernel k;
  const Value out = k.pointer(i32);
  k.store_all(k.i32(1), out);
  std::int32_t memory = 0;
  k.run({address(&memory)}, {0, 1, 1});
  EXPECT_EQ(memory, 0);
}

TEST(Program, RefusesWrongEntriesAndArguments) {
  TestKernel k;
  k.scalar(i32);
  const interp::Program program = k.finish();
  EXPECT_THROW(interp::Program(k.module(), "other"), LaunchError);
  EXPECT_THROW(program.run({}, {}), LaunchError);
}

TEST(Program, TakesScalarsFromTheLowBytes) {
  TestKernel k;
  const Value small = k.scalar(i8);
  const Value real = k.scalar(f32);
  const Value out = k.pointer(f32);
  const Value number =
      k.build().append(OpDraft(Opcode::itof)
                           .operand(small)
                           .set(AttributeName::signedness, ir::Signedness::signed_)
                           .set(AttributeName::rounding, ir::RoundingMode::nearest_even),
                       {ir::tile_type(f32)});
  k.store_all(k.build().float_op(Opcode::addf, number, real, ir::RoundingMode::nearest_even, false),
              out);
  float memory = 0;
  k.run({0xff, bits(0.25f), address(&memory)});
  EXPECT_EQ(memory, -0.75f);
}

TEST(Program, TakesTheLowestBitOfATruthValue) {
  TestKernel k;
  const Value truth = k.scalar(i1);
  const Value out = k.pointer(i1);
  k.store_all(truth, out);
  const interp::Program program = k.finish();
  std::uint8_t memory = 9;
  for (const std::uint64_t given : {0ull, 1ull, 2ull, ~0ull}) {
    const std::uint64_t arguments[] = {given, address(&memory)};
    program.run({}, arguments);
    EXPECT_EQ(memory, given & 1);
  }
}

class Order : public ::testing::Test {
 protected:
  Value update(AtomicMode mode, ElementKind kind) {
    return kernel.build().append(OpDraft(Opcode::atomic_rmw_tko)
                                     .operand(kernel.pointer(kind))
                                     .operand(kernel.build().constant(kind, 1))
                                     .set(AttributeName::memory_ordering, MemoryOrdering::relaxed)
                                     .set(AttributeName::memory_scope, MemoryScope::device)
                                     .set(AttributeName::mode, mode),
                                 {ir::tile_type(kind), ir::token_type()});
  }
  TestKernel kernel;
};

TEST_F(Order, OfIntegerSumsIsFree) {
  update(AtomicMode::add, i32);
  const interp::Program program = kernel.finish();
  EXPECT_FALSE(program.sequential());
  std::int32_t sum = 0;
  const std::uint64_t argument = address(&sum);
  program.run({10000}, {&argument, 1}, {.threads = 4});
  EXPECT_EQ(sum, 10000);
}

TEST_F(Order, OfFloatSumsIsKept) {
  update(AtomicMode::addf, f32);
  EXPECT_TRUE(kernel.finish().sequential());
}

TEST_F(Order, OfFetchedValuesIsKept) {
  const Value ticket = update(AtomicMode::add, i32);
  const Value out = kernel.pointer(i32);
  const auto id = kernel.build().block_ids();
  kernel.store(kernel.build().reshape(ticket, {1}), kernel.tiles(out, {100}, {1}), {id[0]});
  const interp::Program program = kernel.finish();
  EXPECT_TRUE(program.sequential());
  std::int32_t counter = 0;
  std::vector<std::int32_t> tickets(100);
  const std::uint64_t arguments[] = {address(&counter), address(tickets.data())};
  program.run({100}, arguments, {.threads = 4});
  std::vector<std::int32_t> expected(100);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(tickets, expected);
}

TEST_F(Order, OfAtomicStoresIsKept) {
  kernel.build().store_pointer(kernel.pointer(i32), kernel.build().block_ids()[0], {},
                               MemoryOrdering::relaxed, MemoryScope::device);
  const interp::Program program = kernel.finish();
  EXPECT_TRUE(program.sequential());
  std::int32_t last = -1;
  const std::uint64_t argument = address(&last);
  program.run({100}, {&argument, 1}, {.threads = 4});
  EXPECT_EQ(last, 99);
}

TEST(Program, RunsInsideItsOwnPrintSink) {
  TestKernel inner;
  const Value out = inner.pointer(i32);
  inner.store_all(inner.build().constant(i32, 3, {16}), out);
  const interp::Program nested = inner.finish();

  TestKernel k;
  const Value result = k.pointer(i32);
  const Value kept = k.build().append(OpDraft(Opcode::addi).operand(k.i32(40)).operand(k.i32(2)),
                                      {ir::tile_type(i32)});
  OpDraft draft(Opcode::print_tko);
  draft.group({kept}).set(AttributeName::format, ir::Attribute(std::string("%d")));
  k.build().append(draft, {ir::token_type()});
  k.store_all(kept, result);
  const interp::Program program = k.finish();
  std::vector<std::int32_t> memory(16);
  std::int32_t answer = 0;
  const std::uint64_t argument = address(&answer);
  program.run({}, {&argument, 1}, {.print = [&](std::string_view) {
                const std::uint64_t inner_argument = address(memory.data());
                nested.run({}, {&inner_argument, 1});
              }});
  EXPECT_EQ(memory, std::vector<std::int32_t>(16, 3));
  EXPECT_EQ(answer, 42);
}

}  // namespace
}  // namespace tw::interp_test
