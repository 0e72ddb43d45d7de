// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include "tests/verify/cases.hpp"

namespace tw::ir {
namespace {

using enum ElementKind;
using enum AttributeName;
using enum Opcode;
using samples::n;
using samples::of;
using samples::token;
using samples::x8;

Type f(Shape shape) { return tile_type(f32, std::move(shape)); }
Type i(Shape shape) { return tile_type(i32, std::move(shape)); }
Type pointers(Shape shape) { return pointer_tile_type(f32, std::move(shape)); }

/// A sample, its change, and the constraint that the change breaks.
VerifyCase vary(std::string_view constraint, OpSample sample,
                const std::function<void(OpSample&)>& change, const VerifyOptions& options = {}) {
  const Module good = sample.module();
  change(sample);
  return {constraint, good, sample.module(), options};
}

/// The same for what a draft would refuse: the change is made to the finished op.
VerifyCase spoil(std::string_view constraint, const OpSample& sample,
                 const std::function<void(Op&)>& change, const VerifyOptions& options = {}) {
  Module bad = sample.module();
  change(subject(bad));
  return {constraint, sample.module(), bad, options};
}

void set(OpSample& sample, AttributeName name, Attribute value) {
  for (auto& [each, old] : sample.attributes) {
    if (each == name) {
      old = std::move(value);
      return;
    }
  }
  sample.attributes.emplace_back(name, std::move(value));
}

void add_elementwise(std::vector<VerifyCase>& cases) {
  cases.push_back(vary("float_c1", sample(addf), [](auto& s) { s.operands[1] = {f({4})}; }));
  cases.push_back(vary("float_c1", sample(absf),
                       [](auto& s) { s.operands[0] = s.results = {tile_type(tf32, {8})}; }));
  cases.push_back(vary("int_c1", sample(muli), [](auto& s) { s.results = {x8}; }));
  cases.push_back(vary("int_c1", sample(maxi), [](auto& s) { s.operands[0] = {i({4})}; }));
  const std::pair<Opcode, RoundingMode> absent[] = {
      {addf, RoundingMode::full},         {sqrt, RoundingMode::full},
      {divf, RoundingMode::nearest_away}, {exp, RoundingMode::nearest_even},
      {tanh, RoundingMode::zero},         {divi, RoundingMode::nearest_even},
      {itof, RoundingMode::zero},         {ftoi, RoundingMode::zero},
  };
  for (const auto& [code, mode] : absent) {
    cases.push_back(
        vary("rounding_c1", sample(code), [m = mode](auto& s) { set(s, rounding, of(m)); }));
  }
  cases.push_back(vary("rounding_c2", sample(divf), [](auto& s) {
    s.operands = {{samples::h8}, {samples::h8}};
    s.results = {samples::h8};
  }));
  cases.push_back(vary("flush_c1", sample(exp2), [](auto& s) {
    s.operands = {{samples::h8}};
    s.results = {samples::h8};
  }));
  cases.push_back(vary("divi_c1", sample(divi),
                       [](auto& s) { set(s, rounding, of(RoundingMode::negative_inf)); }));
  cases.push_back(vary("negi_c1", sample(negi),
                       [](auto& s) { set(s, overflow, of(Overflow::no_unsigned_wrap)); }));
  cases.push_back(vary("cmpf_c1", sample(cmpf), [](auto& s) { s.operands[1] = {f({4})}; }));
  cases.push_back(vary("cmpi_c1", sample(cmpi), [](auto& s) { s.operands = {{x8}, {x8}}; }));
  cases.push_back(vary("cmp_c1", sample(cmpi), [](auto& s) { s.results = {samples::n8}; }));
  cases.push_back(vary("select_c1", sample(select), [](auto& s) { s.operands[1] = {f({4})}; }));
  cases.push_back(
      vary("select_c2", sample(select), [](auto& s) { s.operands[0] = {tile_type(i1)}; }));
  cases.push_back(vary("select_c3", sample(select), [](auto& s) {
    s.operands[1] = s.operands[2] = s.results = {tile_type(f4e2m1, {8})};
  }));
  cases.push_back(vary("fpowi_c1", sample(fpowi), [](auto& s) { s.results = {samples::h8}; }));
  cases.push_back(
      vary("fpowi_c2", sample(fpowi), [](auto& s) { s.operands[1] = {tile_type(i64, {8})}; }));
}

void add_conversions(std::vector<VerifyCase>& cases) {
  const auto to = [&](std::string_view constraint, Opcode code, const Type& from,
                      const Type& result, VerifyOptions options = {}) {
    cases.push_back(vary(
        constraint, sample(code),
        [&](auto& s) {
          s.operands = {{from}};
          s.results = {result};
        },
        options));
  };
  to("conversion_c1", exti, tile_type(i8, {4}), i({8}));
  to("conversion_c1", ptr_to_int, pointers({}), tile_type(i64, {1}));
  to("ftof_c1", ftof, x8, x8);
  to("ftof_c1", ftof, samples::n8, x8);
  to("ftof_c2", ftof, x8, tile_type(f8e8m0, {8}));
  to("itof_c1", itof, samples::n8, tile_type(f8e8m0, {8}));
  to("ftoi_c1", ftoi, x8, tile_type(i4, {8}));
  to("exti_c1", exti, samples::n8, samples::n8);
  to("trunci_c1", trunci, tile_type(i8, {8}), samples::n8);
  to("bitcast_c1", bitcast, x8, tile_type(i64, {8}));
  to("int_to_ptr_c1", int_to_ptr, samples::n8, samples::p8);
  to("ptr_to_int_c1", ptr_to_int, samples::p8, samples::n8);
  to("ptr_to_ptr_c1", ptr_to_ptr, samples::p8, tile_type(i64, {8}));
  to("pack_c1", pack, i({4, 2}), tile_type(i8, {32}));
  to("pack_c2", pack, tile_type(f8e5m2, {32}), tile_type(i8, {32}));
  to("pack_c2", unpack, samples::n8, tile_type(i16, {16}));
  to("pack_c3", pack, tile_type(tf32, {8}), tile_type(i8, {16}));
}

/// What each rounding mode of a conversion needs: kinds, tool, and whether it is there.
void add_ftof_modes(std::vector<VerifyCase>& cases) {
  using enum RoundingMode;
  struct Row {
    ElementKind from, to;
    RoundingMode mode;
    Version tool = {13, 5};
  };
  const Row refused[] = {
      {f32, f16, zero, {13, 3}},   {f32, f16, positive_inf},    {f32, f16, nearest_away},
      {f64, f32, nearest_away},    {f32, tf32, negative_inf},   {f32, f8e4m3, zero},
      {f8e8m0, f32, negative_inf}, {f8e5m3, f16, positive_inf}, {f16, f8e8m0, nearest_even},
      {f16, f8e8m0, negative_inf}, {f32, f16, approx},
  };
  const Row accepted[] = {
      {f32, f16, zero, {13, 4}},   {f64, f32, positive_inf},     {f32, tf32, nearest_away},
      {f8e5m2, f16, nearest_away}, {f8e5m3, bf16, negative_inf}, {f16, f8e8m0, positive_inf},
      {f8e8m0, f32, zero},         {f32, f64, nearest_away},
  };
  const auto sample_of = [](const Row& row) {
    OpSample sample = ir::sample(ftof);
    sample.operands = {{tile_type(row.from, {8})}};
    sample.results = {tile_type(row.to, {8})};
    set(sample, rounding, of(row.mode));
    return sample.module();
  };
  for (std::size_t k = 0; k < std::size(refused); ++k) {
    const Row& good = accepted[k % std::size(accepted)];
    cases.push_back({"ftof_c2", sample_of(good), sample_of(refused[k]), {.tool = refused[k].tool}});
  }
}

void add_shapes(std::vector<VerifyCase>& cases) {
  const auto turned = [](IntArray order) {
    return [order](auto& s) { set(s, permutation, order); };
  };
  cases.push_back(
      vary("broadcast_c1", sample(broadcast), [](auto& s) { s.results = {f({1, 8})}; }));
  cases.push_back(
      vary("broadcast_c2", sample(broadcast), [](auto& s) { s.operands = {{f({4})}}; }));
  cases.push_back(vary("reshape_c1", sample(reshape), [](auto& s) { s.results = {f({64})}; }));
  cases.push_back(vary("reshape_c1", sample(reshape), [](auto& s) { s.results = {i({128})}; }));
  cases.push_back(vary("permute_c1", sample(permute), [](auto& s) { s.results = {i({8, 16})}; }));
  cases.push_back(vary("permute_c1", sample(permute), [](auto& s) {
    s.operands = {{x8}};
    s.results = {x8};
    set(s, permutation, IntArray{0});
  }));
  cases.push_back(vary("permute_c2", sample(permute), turned({0, 0})));
  cases.push_back(vary("permute_c2", sample(permute), turned({1, 0, 2})));
  cases.push_back(vary("permute_c2", sample(permute), turned({-1, 0})));
  cases.push_back(vary("permute_c3", sample(permute), turned({0, 1})));
  cases.push_back(vary("cat_c1", sample(cat), [](auto& s) { s.operands[1] = {i({8})}; }));
  cases.push_back(vary("cat_c2", sample(cat), [](auto& s) { set(s, dim, std::int64_t{1}); }));
  cases.push_back(vary("cat_c3", sample(cat), [](auto& s) { s.results = {f({32})}; }));
  cases.push_back(vary("extract_c1", sample(extract), [](auto& s) { s.results = {i({4, 8})}; }));
  cases.push_back(vary("extract_c2", sample(extract), [](auto& s) { s.results = {f({4, 16})}; }));
  cases.push_back(vary("extract_c3", sample(extract), [](auto& s) { s.operands[1] = {n}; }));
  cases.push_back(
      vary("extract_c3", sample(extract), [](auto& s) { s.operands[1] = {n, tile_type(i64)}; }));
  cases.push_back(
      vary("extract_c2", sample(insert), [](auto& s) { s.operands[0] = {f({32, 8})}; }));
  cases.push_back(vary("insert_c1", sample(insert), [](auto& s) { s.results = {f({4, 8})}; }));
  cases.push_back(vary("iota_c1", sample(iota), [](auto& s) { s.results = {i({8, 1})}; }));
  cases.push_back(
      vary("iota_c2", sample(iota), [](auto& s) { s.results = {tile_type(i8, {512})}; }));
  cases.push_back(vary("constant_c1", sample(constant), [](auto& s) {
    set(s, value, Constant{{std::byte{1}}});
    s.results = {tile_type(i4, {2})};
  }));
  cases.push_back(
      vary("constant_c2", sample(constant), [](auto& s) { s.results = {tile_type(f16, {4})}; }));
  cases.push_back(vary("offset_c1", sample(offset), [](auto& s) { s.results = {pointers({4})}; }));
  cases.push_back(vary("offset_c2", sample(offset), [](auto& s) { s.operands[1] = {n}; }));
}

void add_assumptions(std::vector<VerifyCase>& cases) {
  const auto promise = [&](std::string_view constraint, std::size_t index, AssumePredicate bad) {
    cases.push_back(
        vary(constraint, sample(assume, index), [&](auto& s) { set(s, predicate, bad); }));
  };
  cases.push_back(vary("assume_c1", sample(assume, 1), [](auto& s) { s.results = {n}; }));
  promise("assume_c2", 0, DivBy{3});
  promise("assume_c2", 0, DivBy{std::uint64_t{1} << 63});
  promise("assume_c2", 0, DivBy{4, 2});
  promise("assume_c2", 0, DivBy{4, 2, 1});
  promise("assume_c2", 0, DivBy{4, 9, 0});
  promise("assume_c3", 1, SameElements{{9}});
  promise("assume_c3", 1, SameElements{{4, 1}});
  promise("assume_c4", 2, Bounded{1, 0});
  promise("assume_c4", 2, Bounded{std::nullopt, std::int64_t{1} << 31});
  cases.push_back(vary("assume_c2", sample(assume, 0), [](auto& s) {
    s.operands = {{x8}};
    s.results = {x8};
  }));
  cases.push_back(vary("assume_c4", sample(assume, 2), [](auto& s) {
    s.operands = {{samples::p8}};
    s.results = {samples::p8};
  }));
}

void add_matrices(std::vector<VerifyCase>& cases) {
  cases.push_back(vary("mma_c1", sample(mmaf), [](auto& s) { s.operands[2] = {f({1, 16, 16})}; }));
  cases.push_back(
      vary("mma_c2", sample(mmai), [](auto& s) { s.operands[1] = {tile_type(i8, {16, 16})}; }));
  cases.push_back(vary("mma_c2", sample(mmaf), [](auto& s) {
    s.operands = {{f({2, 16, 8})}, {f({4, 8, 16})}, {f({2, 16, 16})}};
  }));
  cases.push_back(
      vary("mma_c3", sample(mmaf), [](auto& s) { s.results = {tile_type(f16, {16, 16})}; }));
  const auto factors = [](ElementKind kind, ElementKind sum) {
    return [=](auto& s) {
      s.operands = {
          {tile_type(kind, {16, 8})}, {tile_type(kind, {8, 16})}, {tile_type(sum, {16, 16})}};
      s.results = {tile_type(sum, {16, 16})};
    };
  };
  cases.push_back(vary("mmaf_c1", sample(mmaf), factors(bf16, f16)));
  cases.push_back(vary("mmaf_c1", sample(mmaf), factors(f4e2m1, f32)));
  cases.push_back(vary("mmaf_c1", sample(mmaf), factors(i8, i32)));
  cases.push_back(vary("mmai_c1", sample(mmai), factors(i16, i32)));
  cases.push_back(vary("mmaf_scaled_c1", sample(mmaf_scaled),
                       [](auto& s) { s.operands[1] = {tile_type(f8e5m2, {64, 16})}; }));
  cases.push_back(vary("mmaf_scaled_c2", sample(mmaf_scaled), [](auto& s) {
    s.operands[3] = {tile_type(f8e4m3, {16, 2})};
    s.operands[4] = {tile_type(f8e4m3, {2, 16})};
  }));
  cases.push_back(vary("mmaf_scaled_c3", sample(mmaf_scaled),
                       [](auto& s) { s.operands[4] = {tile_type(f8e8m0, {4, 16})}; }));
  cases.push_back(vary("mmaf_scaled_c4", sample(mmaf_scaled), [](auto& s) {
    s.operands[3] = {tile_type(f8e8m0, {16, 4})};
    s.operands[4] = {tile_type(f8e8m0, {4, 16})};
  }));
}

void add_views(std::vector<VerifyCase>& cases) {
  const TensorViewType whole{f32, {4, 8}, {8, 1}};
  cases.push_back(vary("make_view_c1", sample(make_partition_view),
                       [&](auto& s) { s.operands = {{Type(whole)}}; }));
  cases.push_back(vary("make_view_c1", sample(make_partition_view),
                       [](auto& s) { s.results = {samples::picks}; }));
  cases.push_back(vary("make_tensor_view_c1", sample(make_tensor_view),
                       [](auto& s) { s.operands[0] = {pointer_tile_type(f16)}; }));
  cases.push_back(vary("make_tensor_view_c2", sample(make_tensor_view),
                       [](auto& s) { s.operands[1] = {n, n}; }));
  cases.push_back(vary("make_tensor_view_c3", sample(make_tensor_view),
                       [](auto& s) { s.operands[1] = {tile_type(i64)}; }));
  cases.push_back(vary("make_tensor_view_c4", sample(make_tensor_view, 2),
                       [](auto& s) { s.operands[0] = {pointers({})}; }));
  cases.push_back(
      vary("axes_c1", sample(get_tensor_shape), [](auto& s) { s.operands = {{samples::cut}}; }));
  cases.push_back(vary("axes_c1", sample(get_index_space_shape),
                       [](auto& s) { s.operands = {{Type(samples::tensor)}}; }));
  cases.push_back(vary("axes_c2", sample(get_tensor_shape), [](auto& s) { s.results = {n}; }));
  cases.push_back(vary("axes_c2", sample(get_index_space_shape),
                       [](auto& s) { s.results = {n, tile_type(i64)}; }));
  cases.push_back(vary("view_access_c1", sample(load_view_tko),
                       [](auto& s) { s.operands[0] = {Type(samples::tensor)}; }));
  cases.push_back(
      vary("view_access_c2", sample(load_view_tko), [](auto& s) { s.operands[1] = {n}; }));
  cases.push_back(vary("view_access_c3", sample(load_view_tko),
                       [](auto& s) { s.operands[1] = {n, tile_type(i64)}; }));
  cases.push_back(vary("view_access_c3", sample(load_view_tko, 3),
                       [](auto& s) { s.operands[1] = {i({8}), n}; }));
  cases.push_back(vary("view_access_c4", sample(store_view_tko),
                       [](auto& s) { s.operands[0] = {f({8, 16})}; }));
  cases.push_back(vary("view_access_c5", sample(load_view_tko, 1),
                       [](auto& s) { set(s, inbounds, IntArray{1}); }));
}

void add_memory(std::vector<VerifyCase>& cases) {
  cases.push_back(vary("token_c1", sample(gdc_wait_tko), [](auto& s) { s.operands = {{n}}; }));
  cases.push_back(vary("token_c1", sample(make_token), [](auto& s) { s.results = {n}; }));
  cases.push_back(
      vary("join_tokens_c1", sample(join_tokens), [](auto& s) { s.operands = {{token}}; }));
  const std::pair<Opcode, MemoryOrdering> absent[] = {
      {load_ptr_tko, MemoryOrdering::release},        {load_view_tko, MemoryOrdering::acq_rel},
      {store_ptr_tko, MemoryOrdering::acquire},       {store_view_tko, MemoryOrdering::acq_rel},
      {atomic_rmw_tko, MemoryOrdering::weak},         {atomic_cas_tko, MemoryOrdering::weak},
      {atomic_red_view_tko, MemoryOrdering::release},
  };
  for (const auto& [code, ordering] : absent) {
    cases.push_back(vary("order_c1", sample(code),
                         [o = ordering](auto& s) { set(s, memory_ordering, of(o)); }));
  }
  cases.push_back(vary("order_c2", sample(load_ptr_tko, 1),
                       [](auto& s) { set(s, memory_scope, of(MemoryScope::device)); }));
  cases.push_back(vary("order_c2", sample(store_ptr_tko),
                       [](auto& s) { set(s, memory_ordering, of(MemoryOrdering::relaxed)); }));
  cases.push_back(
      vary("pointer_access_c1", sample(load_ptr_tko, 1), [](auto& s) { s.operands = {{x8}}; }));
  cases.push_back(vary("pointer_access_c2", sample(load_ptr_tko, 1),
                       [](auto& s) { s.results[0] = samples::n8; }));
  cases.push_back(
      vary("pointer_access_c2", sample(store_ptr_tko), [](auto& s) { s.operands[1] = {f({4})}; }));
  cases.push_back(vary("pointer_access_c2", sample(atomic_cas_tko, 1),
                       [](auto& s) { s.operands[2] = {samples::n8}; }));
  cases.push_back(vary("pointer_access_c3", sample(store_ptr_tko),
                       [](auto& s) { s.operands[2] = {tile_type(i1)}; }));
  cases.push_back(vary("pointer_access_c3", sample(atomic_cas_tko),
                       [](auto& s) { s.operands[3] = {samples::n8}; }));
  cases.push_back(
      vary("load_ptr_c1", sample(load_ptr_tko), [](auto& s) { s.operands[2] = {f({})}; }));
  cases.push_back(
      vary("load_ptr_c2", sample(load_ptr_tko), [](auto& s) { s.operands[1].clear(); }));
  cases.back().is_warning = true;
  cases.push_back(vary("alloca_c1", sample(alloca_), [](auto& s) { s.results = {pointers({2})}; }));
  cases.push_back(
      vary("alloca_c2", sample(alloca_), [](auto& s) { set(s, alignment, std::int64_t{2}); }));
  cases.push_back(
      vary("alloca_c2", sample(alloca_), [](auto& s) { set(s, alignment, std::int64_t{48}); }));
  cases.push_back(
      vary("get_global_c1", sample(get_global), [](auto& s) { set(s, name, Attribute("h")); }));
  cases.push_back(vary("get_global_c2", sample(get_global),
                       [](auto& s) { s.results = {pointer_tile_type(i32)}; }));
  cases.push_back(vary("block_id_c1", sample(get_tile_block_id),
                       [](auto& s) { s.results[2] = tile_type(i64); }));
}

void add_atomics(std::vector<VerifyCase>& cases) {
  const auto on = [](ElementKind kind, AtomicMode added) {
    return [=](auto& s) {
      s.operands = {{pointer_tile_type(kind, {8})}, {tile_type(kind, {8})}};
      s.results[0] = tile_type(kind, {8});
      set(s, mode, of(added));
    };
  };
  cases.push_back(vary("atomic_c1", sample(atomic_rmw_tko), on(f32, AtomicMode::add)));
  cases.push_back(vary("atomic_c1", sample(atomic_rmw_tko), on(i32, AtomicMode::addf)));
  cases.push_back(vary("atomic_c1", sample(atomic_rmw_tko), on(f16, AtomicMode::xchg)));
  cases.push_back(
      vary("atomic_c1", sample(atomic_rmw_tko), on(bf16, AtomicMode::addf), {.tool = {13, 2}}));
  cases.push_back(
      vary("atomic_c2", sample(atomic_rmw_tko), on(bf16, AtomicMode::addf), {.architecture = 89}));
  cases.push_back(vary("atomic_cas_c1", sample(atomic_cas_tko, 1), [](auto& s) {
    s.operands = {{pointer_tile_type(f16, {8})}, {samples::h8}, {samples::h8}};
    s.results[0] = samples::h8;
  }));
  cases.push_back(vary("atomic_red_view_c1", sample(atomic_red_view_tko),
                       [](auto& s) { set(s, mode, of(AtomicMode::xchg)); }));
  cases.push_back(vary("atomic_red_view_c2", sample(atomic_red_view_tko),
                       [](auto& s) { set(s, memory_scope, of(MemoryScope::sys)); }));
  cases.push_back(vary("atomic_red_view_c3", sample(atomic_red_view_tko), [](auto& s) {
    s.operands[0] = {samples::picks};
    s.operands[1] = {i({16}), n};
  }));
  cases.push_back(vary("atomic_red_view_c3", sample(atomic_red_view_tko),
                       [](auto& s) { s.operands[0] = {samples::cut}; }, {.tool = {13, 4}}));
}

void add_reports(std::vector<VerifyCase>& cases) {
  cases.push_back(vary("assert_c1", sample(assert_), [](auto& s) { s.operands = {{n}}; }));
  cases.push_back(vary("print_tko_c1", sample(print_tko),
                       [](auto& s) { s.operands[0] = {samples::n8, token}; }));
  for (const char* text : {"%d", "%d %d %d", "%d %", "%d %l"}) {
    cases.push_back(vary("print_tko_c2", sample(print_tko),
                         [text](auto& s) { set(s, format, Attribute(text)); }));
  }
}

void add_op_shapes(std::vector<VerifyCase>& cases) {
  cases.push_back(vary("op_c1", sample(atan2), [](auto&) {}, {.tool = {13, 1}}));
  cases.push_back(spoil("op_c2", sample(addf), [](Op& op) { op.group_sizes = {2}; }));
  cases.push_back(spoil("op_c2", sample(addf), [](Op& op) { op.operands.pop_back(); }));
  cases.push_back(spoil("op_c3", sample(addf), [](Op& op) { op.results.clear(); }));
  cases.push_back(spoil("op_c3", sample(addf), [](Op& op) { op.regions.emplace_back(); }));
  cases.push_back(spoil("op_c4", sample(maxi), [](Op& op) { op.attributes[0] = {}; }));
  cases.push_back(spoil("op_c4", sample(maxi), [](Op& op) { op.attributes[0] = "signed"; }));
  cases.push_back(spoil("op_c4", sample(maxi), [](Op& op) { op.attributes[0] = std::int64_t{2}; }));
  cases.push_back(spoil("op_c4", sample(maxi), [](Op& op) { op.attributes.clear(); }));
  cases.push_back(vary("op_c5", sample(ftoi, 1), [](auto&) {}, {.tool = {13, 3}}));
  cases.push_back(vary("op_c5", sample(load_view_tko, 1),
                       [](auto& s) { set(s, optimization_hints, {}); }, {.tool = {13, 3}}));
  cases.push_back(vary("op_c7", sample(mmaf_scaled),
                       [](auto& s) {
                         s.operands[3] = {tile_type(f32, {16, 2})};
                         s.operands[4] = {tile_type(f32, {2, 16})};
                       },
                       {.architecture = 90}));
}

}  // namespace

std::vector<VerifyCase> op_cases() {
  std::vector<VerifyCase> cases;
  for (const auto add :
       {add_elementwise, add_conversions, add_ftof_modes, add_shapes, add_assumptions, add_matrices,
        add_views, add_memory, add_atomics, add_reports, add_op_shapes}) {
    add(cases);
  }
  return cases;
}

}  // namespace tw::ir
