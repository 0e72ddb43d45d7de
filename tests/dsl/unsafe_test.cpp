// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <numeric>
#include <string>

#include <gmock/gmock.h>

#include <tilewright/core/error.hpp>
#include <tilewright/dsl/unsafe.hpp>
#include <tilewright/ir/printer.hpp>
#include <tilewright/passes/order_tokens.hpp>

#include "tests/dsl/trace_of.hpp"
#include "tests/support/ops.hpp"

namespace tw::tests {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using unsafe::AtomicMode;
using unsafe::MemoryOrdering;
using unsafe::MemoryScope;

using Matrix = In<float, dyn, dyn>;
using Vector = In<float, dyn>;

const unsafe::Token token = unsafe::accept();

std::string text(const ir::Kernel& kernel) { return ir::print(kernel.module); }

/// What the trace complains about.
template <class... P, class F>
std::string complaint(F body) {
  try {
    static_cast<void>(trace_of<P...>(body));
  } catch (const KernelError& error) {
    return error.what();
  }
  return "nothing";
}

std::vector<float> ramp(std::size_t count) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), 0.f);
  return values;
}

// --- consent

TEST(UnsafeToken, IsTakenOnTheHost) {
  EXPECT_THAT(complaint<>([] { static_cast<void>(unsafe::accept()); }),
              HasSubstr("take an unsafe::Token as a parameter"));
}

// --- what is refused

TEST(UnsafeOp, IsJudgedByTheVerifier) {
  const std::string complaints = complaint<Matrix, Atomic<half, dyn>>([](auto x, auto z) {
    auto p = unsafe::base(token, z);
    static_cast<void>(unsafe::load(token, p, {.order = MemoryOrdering::release}));
    unsafe::atomic_rmw(token, AtomicMode::max, p, 1);
    unsafe::atomic_cas(token, p, 1, 2);
    static_cast<void>(unsafe::alloca_<double>(token, 4, {.alignment = 4}));
    static_cast<void>(unsafe::global<int>(token, {1, 2, 3}));
    static_cast<void>(unsafe::assume(token, p, unsafe::DivBy{3}));
    unsafe::print(token, "%d and %d", {}, x.extent(0));
    auto tensor = unsafe::tensor_view(token, x);
    static_cast<void>(unsafe::partition_view(token, tensor, {96, 1}));
    static_cast<void>(unsafe::partition_view(token, tensor, {8, 8}, {.dim_map = {1, 1}}));
    static_cast<void>(unsafe::strided_view(token, tensor, {8, 8}, {0, 1}));
    static_cast<void>(unsafe::gather_scatter_view(token, tensor, {8, 8}, 2));
    auto tiles = unsafe::partition_view(token, tensor, {8, 8});
    static_cast<void>(unsafe::load(token, tiles, {iota(8), 0}));
    unsafe::store(token, tiles, {0, 0}, zeros<float>(8, 4));
    unsafe::atomic_red(token, AtomicMode::xchg, tiles, {0, 0}, zeros<float>(8, 8));
  });
  for (const char* expected : {"order_c1", "atomic_c1", "atomic_cas_c1", "alloca_c2", "type_c1",
                               "assume_c2", "print_tko_c2", "type_c8", "type_c9", "type_c10",
                               "view_access_c3", "view_access_c4", "atomic_red_view_c1"}) {
    EXPECT_THAT(complaints, HasSubstr(std::string(expected) + ":"));
  }
}

TEST(UnsafeOp, IsRefusedAtItsLine) {
  unsigned line = 0;
  const std::string complaints = complaint<Vector>([&](auto x) {
    auto p = unsafe::base(token, x);
    line = std::source_location::current().line() + 1;
    unsafe::store(token, p, 1, {.order = MemoryOrdering::acquire});
  });
  EXPECT_THAT(complaints, HasSubstr("unsafe_test.cpp:" + std::to_string(line) + ": order_c1"));
}

TEST(UnsafeOp, TakesNoShapesThatTheIrWouldPad) {
  EXPECT_THAT(complaint<Vector>([](auto x) {
                static_cast<void>(unsafe::offset(token, unsafe::base(token, x), iota(96)));
              }),
              HasSubstr("offset of a tile of shape 96: the extents must be powers of two"));
}

TEST(UnsafeOp, TakesOperandsThatStretch) {
  EXPECT_THAT(complaint<Vector>([](auto x) {
                auto p = unsafe::offset(token, unsafe::base(token, x), iota(8));
                unsafe::store(token, p, 1, {.mask = iota(4) > 1});
              }),
              HasSubstr("store_ptr_tko of shape 8 takes no operand of shape 4"));
}

// --- pointers

TEST(UnsafePointer, AddressesAreTheParametersOwn) {
  const ir::Kernel kernel = trace_of<Matrix, Atomic<float, dyn>>([](auto x, auto z) {
    auto from = unsafe::base(token, x);
    auto row = unsafe::offset(token, from, unsafe::stride<0>(token, x));  // one row further on
    auto lanes = unsafe::offset(token, row, iota(4));
    auto value = unsafe::load(token, lanes).value;
    unsafe::store(token, unsafe::offset(token, unsafe::base(token, z), iota(4)), value);
  });
  std::vector<float> x = ramp(12);
  std::vector<float> z(4);
  run(kernel, {}, {tensor(x, {3, 4}), tensor(z, {4})});
  EXPECT_THAT(z, ElementsAre(4, 5, 6, 7));
  EXPECT_THAT(text(kernel), HasSubstr("load_ptr_tko weak"));
}

TEST(UnsafePointer, BaseFollowsSelectAndSlice) {
  const ir::Kernel kernel = trace_of<Matrix, Atomic<float, dyn>>([](auto x, auto z) {
    auto part = slice<0>(select<0>(x, 2), 1, 3);
    auto value = unsafe::load(token, unsafe::base(token, part)).value;
    unsafe::store(token, unsafe::base(token, z), value);
  });
  std::vector<float> x = ramp(12);
  std::vector<float> z(1);
  run(kernel, {}, {tensor(x, {3, 4}), tensor(z, {1})});
  EXPECT_THAT(z, ElementsAre(9));
}

TEST(UnsafePointer, MaskAndPadding) {
  const ir::Kernel kernel = trace_of<Vector, Atomic<float, dyn>>([](auto x, auto z) {
    auto lane = iota(4);
    auto from = unsafe::offset(token, unsafe::base(token, x), lane);
    auto value = unsafe::load(token, from, {.mask = lane < 2, .padding = -1}).value;
    auto to = unsafe::offset(token, unsafe::base(token, z), lane);
    unsafe::store(token, to, value, {.mask = lane != 1});
  });
  std::vector<float> x{5, 6};
  std::vector<float> z(4, 9);
  run(kernel, {}, {tensor(x, {2}), tensor(z, {4})});
  EXPECT_THAT(z, ElementsAre(5, 9, -1, -1));
}

TEST(UnsafePointer, TakesEveryLegalOrderAndScope) {
  const ir::Kernel kernel = trace_of<Atomic<int, dyn>>([](auto z) {
    auto p = unsafe::base(token, z);
    static_cast<void>(
        unsafe::load(token, p, {.order = MemoryOrdering::acquire, .scope = MemoryScope::tl_blk}));
    static_cast<void>(unsafe::load(token, p, {.order = MemoryOrdering::relaxed, .latency = 3}));
    unsafe::store(token, p, 1, {.order = MemoryOrdering::release, .scope = MemoryScope::sys});
    unsafe::atomic_rmw(token, AtomicMode::umax, p, 1,
                       {.order = MemoryOrdering::acq_rel, .scope = MemoryScope::tl_blk});
    unsafe::atomic_cas(token, p, 1, 2,
                       {.order = MemoryOrdering::release, .scope = MemoryScope::sys});
  });
  const std::string module = text(kernel);
  EXPECT_THAT(module, HasSubstr("load_ptr_tko acquire tl_blk"));
  EXPECT_THAT(module, HasSubstr("load_ptr_tko relaxed device"));
  EXPECT_THAT(module, HasSubstr("optimization_hints = <default = {latency = 3}>"));
  EXPECT_THAT(module, HasSubstr("store_ptr_tko release sys"));
  EXPECT_THAT(module, HasSubstr("atomic_rmw_tko acq_rel tl_blk"));
  EXPECT_THAT(module, HasSubstr("umax"));
  EXPECT_THAT(module, HasSubstr("atomic_cas_tko release sys"));
}

TEST(UnsafePointer, AtomicUpdatesGiveTheOldValue) {
  const ir::Kernel kernel = trace_of<Atomic<int, dyn>, Atomic<int, dyn>>([](auto z, auto old) {
    auto lane = iota(4);
    auto p = unsafe::offset(token, unsafe::base(token, z), lane);
    auto swapped = unsafe::atomic_cas(token, p, 2, 20);  // only element 2 holds 2
    auto added = unsafe::atomic_rmw(token, AtomicMode::add, p, lane,
                                    {.after = swapped.token, .mask = lane > 0});
    unsafe::store(token, unsafe::offset(token, unsafe::base(token, old), lane),
                  where(lane > 0, added.value, swapped.value));
  });
  std::vector<int> z{0, 1, 2, 3};
  std::vector<int> old(4);
  run(kernel, {}, {tensor(z, {4}), tensor(old, {4})});
  EXPECT_THAT(z, ElementsAre(0, 2, 22, 6));
  EXPECT_THAT(old, ElementsAre(0, 1, 20, 3));
}

TEST(UnsafePointer, CastsKeepTheAddress) {
  const ir::Kernel kernel = trace_of<Vector, Atomic<int, dyn>>([](auto x, auto z) {
    auto address = unsafe::ptr_to_int(token, unsafe::base(token, x));
    auto second = unsafe::int_to_ptr<float>(token, address + 4);  // bytes
    auto bits = unsafe::load(token, unsafe::ptr_to_ptr<int>(token, second)).value;
    unsafe::store(token, unsafe::base(token, z), bits);
  });
  std::vector<float> x{1, 2};
  std::vector<int> z(1);
  run(kernel, {}, {tensor(x, {2}), tensor(z, {1})});
  EXPECT_EQ(z[0], 0x40000000);
}

TEST(UnsafePointer, LoopsCarryAddresses) {
  const ir::Kernel kernel = trace_of<Vector, Atomic<float, dyn>>([](auto x, auto z) {
    Var p = unsafe::base(token, x);
    Var sum = zeros<float>(1);
    for (Int i : range(x.extent(0))) {
      static_cast<void>(i);
      sum = sum + unsafe::load(token, p).value;
      p = unsafe::offset(token, p, 1);
    }
    unsafe::store(token, unsafe::base(token, z), item(sum));
  });
  std::vector<float> x = ramp(5);
  std::vector<float> z(1);
  run(kernel, {}, {tensor(x, {5}), tensor(z, {1})});
  EXPECT_THAT(z, ElementsAre(10));
}

// --- memory of the kernel's own

TEST(UnsafeMemory, GlobalsHoldTheKernelsArray) {
  const std::vector<half> table{half(1.f), half(-2.f)};
  const ir::Kernel kernel = trace_of<Atomic<half, dyn>>([&](auto z) {
    auto at = unsafe::offset(token, unsafe::global(token, std::span<const half>(table)), iota(2));
    unsafe::store(token, unsafe::offset(token, unsafe::base(token, z), iota(2)),
                  unsafe::load(token, at).value);
    static_cast<void>(
        unsafe::global<int>(token, {7, -1, 3, 4}, {.alignment = 16, .constant = false}));
  });
  ASSERT_EQ(kernel.module.globals.size(), 2u);
  EXPECT_TRUE(kernel.module.globals[0].constant);
  EXPECT_EQ(kernel.module.globals[0].alignment, 2u);
  EXPECT_FALSE(kernel.module.globals[1].constant);
  EXPECT_EQ(kernel.module.globals[1].alignment, 16u);
  EXPECT_EQ(ir::element_bits(kernel.module.globals[1].value, ElementKind::i32, 1), 0xffffffffu);
  std::vector<half> z(2);
  run(kernel, {}, {tensor(z, {2})});
  EXPECT_THAT(z, ElementsAre(half(1.f), half(-2.f)));
}

TEST(UnsafeMemory, AllocaIsMemoryOfTheBlock) {
  const ir::Kernel kernel = trace_of<Vector, Atomic<float, dyn>>([](auto x, auto z) {
    auto lane = iota(4);
    auto scratch =
        unsafe::offset(token, unsafe::alloca_<float>(token, 4, {.alignment = 128}), lane);
    auto in = unsafe::load(token, unsafe::offset(token, unsafe::base(token, x), lane)).value;
    auto kept = unsafe::store(token, scratch, in);
    auto reversed = unsafe::offset(token, scratch, 3 - 2 * lane);  // element 3 - lane
    auto out = unsafe::load(token, reversed, {.after = kept}).value;
    unsafe::store(token, unsafe::offset(token, unsafe::base(token, z), lane), out);
  });
  EXPECT_THAT(text(kernel), HasSubstr("alloca num_elem = 4, alignment = 128"));
  std::vector<float> x = ramp(4);
  std::vector<float> z(4);
  run(kernel, {}, {tensor(x, {4}), tensor(z, {4})});
  EXPECT_THAT(z, ElementsAre(3, 2, 1, 0));
}

// --- views

TEST(UnsafeView, PartitionTransposesThroughItsMap) {
  const ir::Kernel kernel = trace_of<Matrix, Atomic<float, dyn, dyn>>([](auto x, auto z) {
    auto from =
        unsafe::partition_view(token, unsafe::tensor_view(token, x), {4, 2}, {.dim_map = {1, 0}});
    auto to = unsafe::partition_view(token, unsafe::tensor_view(token, z), {4, 2});
    auto tile = unsafe::load(token, from, {0, 0}, {.inbounds = {true, true}});
    unsafe::store(token, to, {0, 0}, tile.value, {.after = tile.token});
  });
  EXPECT_THAT(text(kernel), HasSubstr("dim_map=[1, 0]"));
  EXPECT_THAT(text(kernel), HasSubstr("inbounds = [true, true]"));
  std::vector<float> x = ramp(8);
  std::vector<float> z(8);
  run(kernel, {}, {tensor(x, {2, 4}), tensor(z, {4, 2})});
  EXPECT_THAT(z, ElementsAre(0, 4, 1, 5, 2, 6, 3, 7));
}

TEST(UnsafeView, ExtentsAreNumbersOrScalars) {
  const ir::Kernel kernel = trace_of<Vector, Int>([](auto x, Int n) {
    auto p = unsafe::base(token, x);
    static_cast<void>(unsafe::tensor_view(token, p, {n, 64}, {as<std::int64_t>(n), 1}));
  });
  EXPECT_THAT(text(kernel), HasSubstr("tensor_view<?x64xf32, strides=[?,1]>"));
  EXPECT_THAT(text(kernel), HasSubstr("tile<i64> -> tensor_view"));
}

TEST(UnsafeView, StridedTilesOverlapAndPad) {
  const ir::Kernel kernel = trace_of<Vector, Atomic<float, dyn, dyn>>([](auto x, auto z) {
    auto windows = unsafe::strided_view(token, unsafe::tensor_view(token, x), {4}, {2},
                                        {.padding = unsafe::Padding::neg_inf});
    auto rows = unsafe::partition_view(token, unsafe::tensor_view(token, z), {1, 4});
    auto [count] = unsafe::index_space_shape(token, windows);
    for (Int i : range(count)) {
      auto window = unsafe::load(token, windows, {i}).value;
      unsafe::store(token, rows, {i, 0}, reshape(window, 1, 4));
    }
  });
  std::vector<float> x = ramp(5);
  std::vector<float> z(12);
  run(kernel, {}, {tensor(x, {5}), tensor(z, {3, 4})});
  const float none = -std::numeric_limits<float>::infinity();
  EXPECT_THAT(z, ElementsAre(0, 1, 2, 3, 2, 3, 4, none, 4, none, none, none));
}

TEST(UnsafeView, GatherNamesRowsOneByOne) {
  const ir::Kernel kernel =
      trace_of<Matrix, In<int, dyn>, Atomic<float, dyn, dyn>>([](auto x, auto ids, auto z) {
        auto rows = unsafe::gather_scatter_view(token, unsafe::tensor_view(token, x), {4, 2}, 0,
                                                unsafe::Padding::zero);
        auto to = unsafe::gather_scatter_view(token, unsafe::tensor_view(token, z), {4, 2}, 0);
        auto which = ids.tiles(4)(0);
        auto [m, n] = unsafe::tensor_shape(token, unsafe::tensor_view(token, x));
        unsafe::store(token, to, {m - 1 - iota(4), 0}, unsafe::load(token, rows, {which, 0}).value);
      });
  std::vector<float> x = ramp(8);
  std::vector<int> ids{3, 3, 0, 1};
  std::vector<float> z(8);
  run(kernel, {}, {tensor(x, {4, 2}), tensor(ids, {4}), tensor(z, {4, 2})});
  EXPECT_THAT(z, ElementsAre(2, 3, 0, 1, 6, 7, 6, 7));
}

TEST(UnsafeView, ReducesTilesAtomically) {
  const ir::Kernel kernel = trace_of<Vector, Atomic<float, dyn>>([](auto x, auto z) {
    auto [block, y, z_] = unsafe::block_ids(token);
    auto from = unsafe::partition_view(token, unsafe::tensor_view(token, x), {2});
    auto sum = unsafe::partition_view(token, unsafe::tensor_view(token, z), {2});
    unsafe::atomic_red(token, AtomicMode::addf, sum, {0}, unsafe::load(token, from, {block}).value);
  });
  EXPECT_THAT(text(kernel), HasSubstr("atomic_red_view_tko relaxed device"));
  std::vector<float> x = ramp(6);
  std::vector<float> z(2);
  run(kernel, {.x = 3}, {tensor(x, {6}), tensor(z, {2})});
  EXPECT_THAT(z, ElementsAre(0 + 2 + 4, 1 + 3 + 5));
}

// --- order

TEST(UnsafeOrder, OpsTakeAndGiveTokens) {
  const ir::Kernel kernel = trace_of<Atomic<int, dyn>>([](auto z) {
    auto p = unsafe::base(token, z);
    auto first = unsafe::store(token, p, 1);
    auto second = unsafe::load(token, p, {.after = unsafe::make_token(token)});
    auto both = unsafe::join_tokens(token, {first, second.token});
    auto waited = unsafe::gdc_wait(token, both);
    auto fenced = unsafe::memory_fence_alias(token, waited);
    unsafe::gdc_launch_dependents(token, fenced);
    unsafe::gdc_launch_dependents(token);
  });
  // Tokens are numbered like other values; only who takes whose matters.
  const std::vector<const ir::Op*> ops = all_ops(kernel);
  const auto find = [&](ir::Opcode code) { return *std::ranges::find(ops, code, &ir::Op::code); };
  const ir::Op& join = *find(ir::Opcode::join_tokens);
  EXPECT_THAT(join.operands, ElementsAre(find(ir::Opcode::store_ptr_tko)->result(0),
                                         find(ir::Opcode::load_ptr_tko)->result(1)));
  EXPECT_EQ(find(ir::Opcode::load_ptr_tko)->operands.back(),
            find(ir::Opcode::make_token)->result());
  const ir::Op& wait = *find(ir::Opcode::gdc_wait_tko);
  EXPECT_THAT(wait.operands, ElementsAre(join.result()));
  const ir::Op& fence = *find(ir::Opcode::memory_fence_alias_tko);
  EXPECT_THAT(fence.operands, ElementsAre(wait.result()));
  EXPECT_THAT(find(ir::Opcode::gdc_launch_dependents_tko)->operands, ElementsAre(fence.result()));
}

TEST(UnsafeOrder, LoopsAndBranchesCarryTokens) {
  const ir::Kernel kernel = trace_of<Atomic<int, dyn>, Int>([](auto z, Int n) {
    auto p = unsafe::base(token, z);
    Var done = unsafe::make_token(token);
    for (Int i : range(n)) done = unsafe::store(token, p, i, {.after = done});
    TW_IF(n > 3) { done = unsafe::store(token, p, n, {.after = done}); }
    unsafe::gdc_launch_dependents(token, done);
  });
  EXPECT_THAT(text(kernel), HasSubstr("-> (token)"));
  std::vector<int> z(1);
  run(kernel, {}, {tensor(z, {1}), number(3)});
  EXPECT_THAT(z, ElementsAre(2));
  run(kernel, {}, {tensor(z, {1}), number(4)});
  EXPECT_THAT(z, ElementsAre(4));
}

/// Whether an op waits for a token, perhaps through others.
bool waits_for(const std::vector<const ir::Op*>& ops, const ir::Op& op, ir::Value awaited) {
  return std::ranges::any_of(op.operands, [&](ir::Value operand) {
    if (operand == awaited) return true;
    const auto made = std::ranges::find_if(ops, [&](const ir::Op* each) {
      return each->code == ir::Opcode::join_tokens && each->result() == operand;
    });
    return made != ops.end() && waits_for(ops, **made, awaited);
  });
}

TEST(UnsafeOrder, GivenTokensSurviveTheOrderOfTheLibrary) {
  ir::Kernel kernel = trace_of<Atomic<int, dyn>, Atomic<int, dyn>>([](auto a, auto b) {
    auto first = unsafe::store(token, unsafe::base(token, a), 1);
    unsafe::store(token, unsafe::base(token, b), 2);
    // The library orders this behind the store to b, the token behind that to a.
    static_cast<void>(unsafe::load(token, unsafe::base(token, b), {.after = first}));
  });
  kernel.module = passes::order_tokens(std::move(kernel.module));
  const std::vector<const ir::Op*> ops = all_ops(kernel);
  std::vector<ir::Value> stored;
  for (const ir::Op* op : ops) {
    if (op->code == ir::Opcode::store_ptr_tko) stored.push_back(op->result());
  }
  const auto load = std::ranges::find(ops, ir::Opcode::load_ptr_tko, &ir::Op::code);
  ASSERT_EQ(stored.size(), 2u);
  EXPECT_TRUE(waits_for(ops, **load, stored[0]));
  EXPECT_TRUE(waits_for(ops, **load, stored[1]));
}

// --- promises and reports

TEST(UnsafeAssume, WritesEveryPredicate) {
  const ir::Kernel kernel = trace_of<Matrix, Int>([](auto x, Int n) {
    auto p = unsafe::assume(token, unsafe::base(token, x), unsafe::DivBy{16});
    static_cast<void>(unsafe::assume(token, unsafe::tensor_view(token, x), unsafe::DivBy{32}));
    auto lanes = unsafe::offset(token, p, broadcast_to(reshape(iota(8), 1, 8), 4, 8));
    static_cast<void>(
        unsafe::assume(token, lanes, unsafe::DivBy{.divisor = 4, .every = 4, .along = 1}));
    static_cast<void>(unsafe::assume(token, iota(8) / 4, unsafe::SameElements{{4}}));
    static_cast<void>(unsafe::assume(token, n, unsafe::Bounded{.lower = 0}));
    static_cast<void>(unsafe::assume(token, n, unsafe::Bounded{.lower = -3, .upper = 7}));
  });
  for (const char* expected :
       {"assume div_by<16>", "assume div_by<32>", "assume div_by<4, every 4 along 1>",
        "assume same_elements<[4]>", "assume bounded<0, ?>", "assume bounded<-3, 7>"}) {
    EXPECT_THAT(text(kernel), HasSubstr(expected));
  }
}

TEST(UnsafeReport, AssertTraps) {
  const ir::Kernel kernel =
      trace_of<Int>([](Int n) { unsafe::assert_(token, n > 0, "n is positive"); });
  EXPECT_THAT(text(kernel), HasSubstr("assert %0, \"n is positive\""));
  run(kernel, {}, {number(1)});
  EXPECT_THROW(run(kernel, {}, {number(0)}), DeviceFault);
}

TEST(UnsafeReport, PrintsInTheOrderOfTokens) {
  const ir::Kernel kernel = trace_of<Int>([](Int n) {
    auto first = unsafe::print(token, "start;", {});
    unsafe::print(token, "n=%d, 100%%;", first, n);
  });
  std::string printed;
  run(kernel, {}, {number(5)}, {.print = [&](std::string_view part) { printed += part; }});
  EXPECT_EQ(printed, "start;n=5, 100%;");
}

// --- blocks and numbers

TEST(UnsafeBlock, IdsAndCountsAreTheLaunchedGrids) {
  const ir::Kernel kernel = trace_of<Atomic<int, dyn>>([](auto z) {
    auto [x, y, depth] = unsafe::block_ids(token);
    auto [nx, ny, nz] = unsafe::block_counts(token);
    auto linear = x + nx * (y + ny * depth);
    unsafe::store(token, unsafe::offset(token, unsafe::base(token, z), linear), linear + 100 * nz);
  });
  std::vector<int> z(12);
  run(kernel, {3, 2, 2}, {tensor(z, {12})});
  for (int i = 0; i < 12; ++i) EXPECT_EQ(z[static_cast<std::size_t>(i)], 200 + i);
}

TEST(UnsafeMath, PowersWithIntegerExponents) {
  const ir::Kernel kernel = trace_of<Atomic<float, dyn>>([](auto z) {
    auto lane = iota(4);
    unsafe::store(token, unsafe::offset(token, unsafe::base(token, z), lane),
                  unsafe::fpowi(token, full(-2.f, 1), lane - 1));
  });
  std::vector<float> z(4);
  run(kernel, {}, {tensor(z, {4})});
  EXPECT_THAT(z, ElementsAre(-0.5f, 1, -2, 4));
}

}  // namespace
}  // namespace tw::tests
