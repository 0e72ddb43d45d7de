// SPDX-License-Identifier: Apache-2.0
#include <set>
#include <string>

#include <tilewright/dsl/unsafe.hpp>

#include "tests/dsl/recorded.hpp"

/// Where each op of the IR is reached from, held against kernels that reach it.
namespace tw::tests {
namespace {

using Names = std::set<std::string, std::less<>>;

void collect(Names& names, const ir::Block& block) {
  ir::walk(block, [&](const ir::Op& op) { names.emplace(op.row().name); });
}

/// What only `tw::unsafe` spells. All other ops belong to the safe language.
Names unsafe_only() {
  using enum ir::Opcode;
  Names names;
  for (const ir::Opcode code :
       {alloca_, assert_, assume, atomic_red_view_tko, fpowi, gdc_launch_dependents_tko,
        gdc_wait_tko, get_global, get_index_space_shape, get_tensor_shape, join_tokens,
        make_gather_scatter_view, make_token, memory_fence_alias_tko, print_tko, ptr_to_int,
        ptr_to_ptr}) {
    names.emplace(ir::row(code).name);
  }
  return names;
}

void float_ops(Out<float, dyn> z, In1<float> x) {
  auto a = x.load_like(z);
  auto sums = ceil(a) + floor(a) - exp(a) * exp2(a) / log(a) + log2(a) + sqrt(a) + rsqrt(a);
  auto waves = sin(a) + cos(a) + tan(a) + sinh(a) + cosh(a) + tanh(a);
  auto pairs = min(a, sums) + max(a, waves) + pow(a, 2) + atan2(a, sums) + a % 3 + fma(a, a, a);
  z.store(where(a < 0, abs(pairs), -pairs));
}

void integer_ops(Out<int, dyn> z, In1<int> x) {
  auto a = x.load_like(z);
  auto bits = (a & 6) | ((a ^ 3) << 1) | (a >> 2);
  auto numbers = min(a, 3) + max(a, 4) + a / 7 + a % 5 - mul_high(a, a) * -abs(a);
  auto wide = as<std::int64_t>(numbers) + as<std::int64_t>(bitcast<int>(as<float>(bits)));
  z.store(as<int>(wide) + as<int>(as<half>(as<float>(a))));
}

void shape_ops(Out<float, 8, 8> z, In2<float> x) {
  Tile<float, 8, 8> a = x.load_like(z);
  auto both = cat<0>(a, transpose(a));
  auto bytes = pack<std::uint8_t>(insert<0>(extract<0>(both, 8, 1), both, 0));
  auto again = unpack<float>(bytes);
  z.store(extract<0>(again, 8, 0) + as<float>(broadcast_to(iota(8), 8, 8)) + cumsum<1>(a) +
          sum<1>(a));
}

void matrix_ops(Out<float, 16, 16> z, Out<int, 16, 16> n) {
  auto scale = full<f8e8m0>(1, 16, 1);
  auto product = dot(full<half>(1, 16, 16), full<half>(2, 16, 16));
  n.store(dot(full<std::int8_t>(1, 16, 16), full<std::int8_t>(2, 16, 16)));
  z.store(mma_scaled(full<f8e4m3>(1, 16, 32), full<f8e4m3>(1, 32, 16), product, scale,
                     reshape(scale, 1, 16)));
}

void control_and_memory(Out<float, dyn, dyn> z, List<In2<float>> xs, Atomic<int, dyn> counts,
                        Int n) {
  Var total = zeros<float>(dim<0>(z), dim<1>(z));
  for (Int i : range(n)) total = total + xs[0].tiles(dim<0>(z), dim<1>(z)).padded(0)(i, 0);
  for (auto& l : loop()) {
    l.break_if(n > 3);
    l.continue_if(n > 2);
  }
  TW_IF(n > 1) { print("n is %d", n); }
  check(n > 0, "n is positive");
  counts.add(n, 1);
  static_cast<void>(counts.compare_exchange(n, 1, 2));
  counts.store(n, counts.load(n));
  z.store(total);
}

void unsafe_ops(unsafe::Token token, Atomic<float, dyn> z) {
  auto base = unsafe::assume(token, unsafe::base(token, z), unsafe::DivBy{4});
  auto own = unsafe::alloca_<float>(token, 8);
  auto constants = unsafe::global<float>(token, {1, 2});
  auto there = unsafe::int_to_ptr<float>(token, unsafe::ptr_to_int(token, constants));
  static_cast<void>(unsafe::load(token, unsafe::ptr_to_ptr<int>(token, there)));
  auto tensor = unsafe::tensor_view(token, base, {8}, {1});
  auto tiles = unsafe::partition_view(token, tensor, {8});
  auto chosen = unsafe::gather_scatter_view(token, tensor, {8}, 0);
  auto [extent] = unsafe::tensor_shape(token, tensor);
  auto [count] = unsafe::index_space_shape(token, tiles);
  unsafe::assert_(token, extent > count, "more elements than tiles");
  auto x = unsafe::load(token, chosen, {iota(8)});
  auto both = unsafe::join_tokens(token, {x.token, unsafe::make_token(token)});
  auto fenced = unsafe::memory_fence_alias(token, unsafe::gdc_wait(token, both));
  auto powers = unsafe::fpowi(token, x.value, iota(8));
  auto added =
      unsafe::atomic_red(token, unsafe::AtomicMode::addf, tiles, {0}, powers, {.after = fenced});
  auto printed = unsafe::print(token, "%f", added, unsafe::load(token, own).value);
  unsafe::gdc_launch_dependents(token, printed);
}

Names safe_names() {
  const auto persistent = [] {
    Specialisation each = specialise<&control_and_memory>({{cut(8), cut(96)}});
    each.linear_grid = each.persistent = true;
    return each;
  }();
  Names names;
  for (const Recorded& kernel : {record<&float_ops>({{cut(8)}}), record<&integer_ops>({{cut(8)}}),
                                 record<&shape_ops>({{cut(8), cut(8)}}),
                                 record<&matrix_ops>({{cut(16), cut(16)}, {cut(16), cut(16)}}),
                                 Recorded(trace<&control_and_memory>(persistent))}) {
    collect(names, kernel.module().functions.front().body);
  }
  return names;
}

TEST(OpCoverageTest, EveryOpIsReached) {
  Names everything;
  for (const ir::OpRow& row : ir::all_rows()) everything.emplace(row.name);

  const Names only = unsafe_only();
  Names reached = safe_names();
  for (const std::string& name : reached) EXPECT_FALSE(only.contains(name)) << name;
  Names listed = reached;
  listed.insert(only.begin(), only.end());
  EXPECT_EQ(listed, everything);

  collect(reached, record<&unsafe_ops>({}, unsafe::accept()).module().functions.front().body);
  EXPECT_EQ(reached, everything);
}

}  // namespace
}  // namespace tw::tests
