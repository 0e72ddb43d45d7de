// SPDX-License-Identifier: Apache-2.0
#include <numeric>

#include <gtest/gtest.h>

#include "tests/interp/test_kernel.hpp"

namespace tw::interp_test {
namespace {

using enum ElementKind;
using ir::AtomicMode;
using ir::MemoryOrdering;
using ir::MemoryScope;
using Patterns = std::vector<std::uint64_t>;

class PointerKernel : public TestKernel {
 public:
  Value list(ElementKind kind, const Patterns& patterns) {
    return build().append(
        OpDraft(Opcode::constant).set(AttributeName::value, ir::dense(kind, patterns)),
        {ir::tile_type(kind, {static_cast<std::int64_t>(patterns.size())})});
  }
  /// Pointers to the elements that `offsets`, a tile of integers, count from `base`.
  Value pointers(Value base, Value offsets) {
    const Shape& shape = build().type(offsets).tile().shape;
    const Value all = build().spread(base, shape);
    return build().simple(Opcode::offset, build().type(all), {all, offsets});
  }
  Value update(AtomicMode mode, Value pointer_tile, Value value, Value mask = {}) {
    return build().append(OpDraft(Opcode::atomic_rmw_tko)
                              .operand(pointer_tile)
                              .operand(value)
                              .optional(mask)
                              .set(AttributeName::memory_ordering, MemoryOrdering::relaxed)
                              .set(AttributeName::memory_scope, MemoryScope::device)
                              .set(AttributeName::mode, mode),
                          {build().type(value), ir::token_type()});
  }
};

TEST(Offset, CountsElementsWithSign) {
  PointerKernel k;
  const Value base = k.pointer(i16);
  const Value out = k.pointer(i16);
  const Value offsets = k.list(i8, {0xff, 0, 2, 1});
  k.store_all(k.build().load_pointer(k.pointers(base, offsets), {}, {}), out);
  const std::int16_t memory[] = {10, 11, 12, 13};
  std::int16_t result[4] = {};
  k.run({address(&memory[1]), address(result)});
  EXPECT_EQ(std::vector<int>(result, result + 4), std::vector<int>({10, 11, 13, 12}));
}

TEST(LoadPointer, MaskedLanesTakeThePaddingAndTouchNothing) {
  PointerKernel k;
  const Value base = k.pointer(i32);
  const Value out = k.pointer(i32);
  // Lanes 1 and 3 point far outside.
  const Value pointers = k.pointers(base, k.list(i32, {1, 1u << 30, 0, 0x80000000}));
  const Value mask = k.list(i1, {1, 0, 1, 0});
  const Value padded = k.build().load_pointer(pointers, mask, k.list(i32, {5, 6, 7, 8}));
  const Value plain = k.build().load_pointer(pointers, mask, {});
  k.store_all(k.build().append(OpDraft(Opcode::cat)
                                   .operand(padded)
                                   .operand(plain)
                                   .set(AttributeName::dim, ir::Attribute(std::int64_t{0})),
                               {ir::tile_type(i32, {8})}),
              out);
  const std::int32_t memory[] = {20, 21};
  std::int32_t result[8] = {};
  k.run({address(memory), address(result)});
  EXPECT_EQ(std::vector<int>(result, result + 8), std::vector<int>({21, 6, 20, 8, 21, 0, 20, 0}));
}

TEST(StorePointer, WritesWhereTheMaskIsTrue) {
  PointerKernel k;
  const Value base = k.pointer(f16);
  k.build().store_pointer(k.pointers(base, k.list(i32, {3, 0, 2, 1})), k.list(f16, {1, 2, 3, 4}),
                          k.list(i1, {1, 1, 0, 1}), MemoryOrdering::weak, MemoryScope::device);
  k.build().store_pointer(k.pointers(base, k.list(i32, {4, 5})), k.list(f16, {8, 9}), {},
                          MemoryOrdering::release, MemoryScope::sys);
  std::uint16_t memory[6] = {70, 70, 70, 70, 70, 70};
  k.run({address(memory)});
  EXPECT_EQ(std::vector<int>(memory, memory + 6), std::vector<int>({2, 4, 70, 1, 8, 9}));
}

TEST(Pointers, ConvertToIntegersAndBack) {
  PointerKernel k;
  const Value base = k.pointer(i32);
  const Value out = k.pointer(i64);
  const Value number = k.build().simple(Opcode::ptr_to_int, ir::tile_type(i64), {base});
  const Value second =
      k.build().append(OpDraft(Opcode::addi).operand(number).operand(k.build().integer(i64, 4)),
                       {ir::tile_type(i64)});
  const Value pointer = k.build().simple(Opcode::int_to_ptr, ir::pointer_tile_type(f32), {second});
  const Value cast = k.build().simple(Opcode::ptr_to_ptr, ir::pointer_tile_type(i32), {pointer});
  k.build().store_pointer(cast, k.i32(9), {}, MemoryOrdering::weak, MemoryScope::device);
  k.store_all(number, out);
  std::int32_t memory[2] = {1, 2};
  std::uint64_t as_integer = 0;
  k.run({address(memory), address(&as_integer)});
  EXPECT_EQ(memory[1], 9);
  EXPECT_EQ(as_integer, address(memory));
}

/// Runs one update of one element; gives the old value and what is in memory afterwards.
std::pair<std::uint64_t, std::uint64_t> updated(ElementKind kind, AtomicMode mode,
                                                std::uint64_t memory, std::uint64_t value) {
  PointerKernel k;
  const Value target = k.pointer(kind);
  const Value out = k.pointer(kind);
  k.store_all(k.update(mode, target, k.build().constant(kind, value)), out);
  std::uint64_t old = 0;
  k.run({address(&memory), address(&old)});
  return {old, memory};
}

TEST(Atomics, EveryMode) {
  using Pair = std::pair<std::uint64_t, std::uint64_t>;
  EXPECT_EQ(updated(i32, AtomicMode::and_, 0b1100, 0b1010), Pair(0b1100, 0b1000));
  EXPECT_EQ(updated(i64, AtomicMode::or_, 0b1100, 0b1010), Pair(0b1100, 0b1110));
  EXPECT_EQ(updated(i32, AtomicMode::xor_, 0b1100, 0b1010), Pair(0b1100, 0b0110));
  EXPECT_EQ(updated(i32, AtomicMode::add, 0xffffffff, 2), Pair(0xffffffff, 1));
  EXPECT_EQ(updated(i64, AtomicMode::add, ~0ull, 2), Pair(~0ull, 1));
  EXPECT_EQ(updated(i32, AtomicMode::max, 0x80000000, 1), Pair(0x80000000, 1));
  EXPECT_EQ(updated(i32, AtomicMode::min, 0x80000000, 1), Pair(0x80000000, 0x80000000));
  EXPECT_EQ(updated(i32, AtomicMode::umax, 0x80000000, 1), Pair(0x80000000, 0x80000000));
  EXPECT_EQ(updated(i64, AtomicMode::umin, 1ull << 63, 1), Pair(1ull << 63, 1));
  EXPECT_EQ(updated(i64, AtomicMode::xchg, 5, 6), Pair(5, 6));
  EXPECT_EQ(updated(f32, AtomicMode::xchg, bits(1.0f), bits(2.0f)), Pair(bits(1.0f), bits(2.0f)));
  EXPECT_EQ(updated(f32, AtomicMode::addf, bits(1.5f), bits(2.0f)), Pair(bits(1.5f), bits(3.5f)));
  EXPECT_EQ(updated(f64, AtomicMode::addf, bits(1.5), bits(0x1p-52)),
            Pair(bits(1.5), bits(1.5 + 0x1p-52)));
  EXPECT_EQ(updated(f16, AtomicMode::addf, 0x3c00, 0x1400), Pair(0x3c00, 0x3c01));   // 1 + 2^-10
  EXPECT_EQ(updated(bf16, AtomicMode::addf, 0x3f80, 0x3b80), Pair(0x3f80, 0x3f80));  // a tie
}

TEST(Atomics, OfSixteenBitsLeaveTheNeighbourAlone) {
  PointerKernel k;
  const Value base = k.pointer(f16);
  k.update(AtomicMode::addf, k.pointers(base, k.list(i32, {1, 1})), k.list(f16, {0x3c00, 0x4000}));
  std::uint16_t memory[3] = {0x1234, 0, 0x5678};
  k.run({address(memory)});
  EXPECT_EQ(std::vector<int>(memory, memory + 3), std::vector<int>({0x1234, 0x4200, 0x5678}));
}

TEST(Atomics, MaskedLanesTouchNothing) {
  PointerKernel k;
  const Value base = k.pointer(i32);
  const Value pointers = k.pointers(base, k.list(i32, {0, 1, 1u << 30, 0}));
  k.update(AtomicMode::add, pointers, k.list(i32, {1, 2, 3, 4}), k.list(i1, {1, 1, 0, 1}));
  std::int32_t memory[2] = {10, 20};
  k.run({address(memory)});
  EXPECT_EQ(memory[0], 15);
  EXPECT_EQ(memory[1], 22);
}

TEST(Atomics, CompareAndSwapComparesBits) {
  PointerKernel k;
  const Value base = k.pointer(f32);
  const Value out = k.pointer(f32);
  // -0 is not +0 here, and a NaN is itself.
  const Value old =
      k.build().append(OpDraft(Opcode::atomic_cas_tko)
                           .operand(k.pointers(base, k.list(i32, {0, 1, 2, 3})))
                           .operand(k.list(f32, {0, 0x7fc00000, bits(7.0f), 9}))
                           .operand(k.list(f32, Patterns(4, bits(5.0f))))
                           .optional(k.list(i1, {1, 1, 1, 0}))
                           .set(AttributeName::memory_ordering, MemoryOrdering::acq_rel)
                           .set(AttributeName::memory_scope, MemoryScope::sys),
                       {ir::tile_type(f32, {4}), ir::token_type()});
  k.store_all(old, out);
  std::uint32_t memory[4] = {0x80000000, 0x7fc00000, 3, 4};
  std::uint32_t result[4] = {};
  k.run({address(memory), address(result)});
  const auto five = static_cast<std::uint32_t>(bits(5.0f));
  EXPECT_EQ(std::vector<std::uint32_t>(memory, memory + 4),
            std::vector<std::uint32_t>({0x80000000, five, 3, 4}));
  // The masked lane gives what it would have compared with.
  EXPECT_EQ(std::vector<std::uint32_t>(result, result + 4),
            std::vector<std::uint32_t>({0x80000000, 0x7fc00000, 3, 9}));
}

TEST(Atomics, OfAViewAreCutToTheTensor) {
  PointerKernel k;
  const Value base = k.pointer(i32);
  k.build().append(OpDraft(Opcode::atomic_red_view_tko)
                       .operand(k.tiles(base, {3}, {1}, {2}, std::nullopt))
                       .group({k.i32(1)})
                       .operand(k.list(i32, {5, 6}))
                       .set(AttributeName::memory_ordering, MemoryOrdering::relaxed)
                       .set(AttributeName::memory_scope, MemoryScope::device)
                       .set(AttributeName::mode, AtomicMode::umax),
                   {ir::token_type()});
  std::int32_t memory[4] = {1, 2, 3, 4};
  k.run({address(memory)});
  EXPECT_EQ(std::vector<int>(memory, memory + 4), std::vector<int>({1, 2, 5, 4}));
}

TEST(Alloca, IsAlignedMemoryOfTheBlock) {
  PointerKernel k;
  const Value out = k.pointer(i64);
  const Value memory =
      k.build().append(OpDraft(Opcode::alloca_)
                           .set(AttributeName::num_elem, ir::Attribute(std::int64_t{4}))
                           .set(AttributeName::alignment, ir::Attribute(std::int64_t{128})),
                       {ir::pointer_tile_type(i64)});
  const Value pointers = k.pointers(memory, k.list(i32, {0, 1, 2, 3}));
  k.build().store_pointer(pointers, k.list(i64, {5, 6, 7, 8}), {}, MemoryOrdering::weak,
                          MemoryScope::device);
  const Value number = k.build().simple(Opcode::ptr_to_int, ir::tile_type(i64), {memory});
  const Value loaded = k.build().load_pointer(pointers, {}, {});
  k.store(loaded, k.tiles(out, {8}, {4}), {k.i32(0)});
  k.store(k.build().reshape(number, {1}), k.tiles(out, {8}, {1}), {k.i32(4)});
  std::uint64_t result[8] = {};
  k.run({address(result)});
  EXPECT_EQ(Patterns(result, result + 4), Patterns({5, 6, 7, 8}));
  EXPECT_EQ(result[4] % 128, 0u);
}

TEST(Globals, HoldTheirValuesAndWhatIsStored) {
  PointerKernel k;
  k.module().globals.push_back(
      {"table", ir::tile_type(i32, {4}), ir::dense(i32, {3, 1, 4, 1}), 256});
  const Value out = k.pointer(i32);
  OpDraft draft(Opcode::get_global);
  draft.set(AttributeName::name, ir::Attribute(std::string("table")));
  const Value table = k.build().append(draft, {ir::pointer_tile_type(i32)});
  const Value first = k.build().load_pointer(table, {}, {});
  k.store_all(first, out);
  const Value next = k.build().append(OpDraft(Opcode::addi).operand(first).operand(k.i32(1)),
                                      {ir::tile_type(i32)});
  k.build().store_pointer(table, next, {}, MemoryOrdering::weak, MemoryScope::device);
  const interp::Program program = k.finish();
  std::int32_t result = 0;
  const std::uint64_t argument = address(&result);
  program.run({}, {&argument, 1});
  EXPECT_EQ(result, 3);
  program.run({}, {&argument, 1});
  EXPECT_EQ(result, 4);
}

}  // namespace
}  // namespace tw::interp_test
