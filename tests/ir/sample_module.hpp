// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <tilewright/ir/builder.hpp>

namespace tw::ir {

/// A module that has most forms of op, type and attribute; `sample_text` is what NVIDIA's
/// cuda-tile-opt prints for it.
class SampleModule {
 public:
  static Module build() { return SampleModule().finish(); }

 private:
  static constexpr auto f32 = ElementKind::f32;
  static constexpr auto i32 = ElementKind::i32;
  static constexpr auto i1 = ElementKind::i1;

  static std::int64_t number(auto enumerator) { return static_cast<std::int64_t>(enumerator); }

  Value argument(Block& block, Type type) {
    block.arguments.push_back(function.fresh(std::move(type)));
    return block.arguments.back();
  }

  Value dense_constant(ElementKind kind, Shape shape, const std::vector<std::uint64_t>& bits) {
    OpDraft draft(Opcode::constant);
    draft.set(AttributeName::value, dense(kind, bits));
    return builder.append(draft, {tile_type(kind, std::move(shape))});
  }

  void end(Opcode code, std::initializer_list<Value> values = {}) {
    builder.append(OpDraft(code).group(values), {});
  }

  Module finish() {
    module.name = "m";
    module.globals.push_back({.name = "g",
                              .type = tile_type(f32, {2}),
                              .value = dense(f32, {0x3f800000, 0x40000000}),
                              .alignment = 16,
                              .constant = true});
    function.name = "k";
    function.hints = {{"sm_90", {{"num_cta_in_cga", std::int64_t{2}}}},
                      {"default", {{"occupancy", std::int64_t{4}}}}};
    pointer = argument(function.body, pointer_tile_type(f32));
    count = argument(function.body, tile_type(i32));
    constants();
    counted_loop();
    endless_loop();
    comparison_and_branch();
    reduce_and_scan();
    blocks_and_print();
    memory();
    shapes();
    end(Opcode::return_);
    module.functions.push_back(std::move(function));
    return std::move(module);
  }

  void constants() {
    zero = builder.integer(i32, 0);
    matrix = dense_constant(f32, {2, 2}, {0x3f800000, 0x40000000, 0x40400000, 0xc0800000});
    builder.constant(ElementKind::f16, 0x7c00, {4});
    OpDraft draft(Opcode::get_global);
    builder.append(draft.set(AttributeName::name, Attribute("g")), {pointer_tile_type(f32)});
  }

  void counted_loop() {
    Block body;
    argument(body, tile_type(i32));
    const Value carried = argument(body, tile_type(f32, {2, 2}));
    builder.enter(body);
    end(Opcode::continue_,
        {builder.float_op(Opcode::addf, carried, matrix, RoundingMode::zero, true)});
    builder.leave();
    OpDraft loop(Opcode::for_);
    loop.operand(zero).operand(count).operand(zero).group({matrix});
    loop.set(AttributeName::unsigned_comparison, true).region(std::move(body));
    summed = builder.append(loop, {tile_type(f32, {2, 2})});
  }

  void endless_loop() {
    Block body;
    const Value carried = argument(body, tile_type(i32));
    builder.enter(body);
    const Value less =
        builder.compare_int(ComparisonPredicate::less_than, carried, count, Signedness::signed_);
    Block then;
    builder.enter(then);
    end(Opcode::break_, {builder.constant(f32, 0x40000000)});
    builder.leave();
    builder.append(OpDraft(Opcode::if_).operand(less).region(std::move(then)), {});
    OpDraft add(Opcode::addi);
    add.operand(carried).operand(count).set(AttributeName::overflow, Overflow::no_wrap);
    end(Opcode::continue_, {builder.append(add, {tile_type(i32)})});
    builder.leave();
    OpDraft loop(Opcode::loop);
    loop.group({count}).region(std::move(body));
    found = builder.append(loop, {tile_type(f32)});
  }

  void comparison_and_branch() {
    builder.compare_float(ComparisonPredicate::equal, matrix, matrix, ComparisonOrdering::ordered);
    yes = builder.integer(i1, 1);
    Block then;
    builder.enter(then);
    end(Opcode::yield, {zero, found});
    builder.leave();
    Block otherwise;
    builder.enter(otherwise);
    end(Opcode::yield, {count, found});
    builder.leave();
    OpDraft branch(Opcode::if_);
    branch.operand(yes).region(std::move(then)).region(std::move(otherwise));
    builder.append(branch, {tile_type(i32), tile_type(f32)});
  }

  Block combiner(Opcode code, bool flags) {
    Block body;
    const Value element = argument(body, tile_type(f32));
    const Value accumulator = argument(body, tile_type(f32));
    OpDraft draft(code);
    draft.operand(element).operand(accumulator).set(AttributeName::flush_to_zero, flags);
    if (flags) draft.set(AttributeName::propagate_nan, true);
    builder.enter(body);
    end(Opcode::yield, {builder.append(draft, {tile_type(f32)})});
    builder.leave();
    return body;
  }

  void reduce_and_scan() {
    OpDraft reduce(Opcode::reduce);
    reduce.group({summed}).set(AttributeName::dim, Attribute(std::int64_t{1}));
    reduce.set(AttributeName::identities, ScalarArray{{f32, 0xff800000}});
    reduce.region(combiner(Opcode::maxf, true));
    builder.append(reduce, {tile_type(f32, {2})});

    OpDraft scan(Opcode::scan);
    scan.group({summed}).set(AttributeName::dim, Attribute(std::int64_t{0}));
    scan.set(AttributeName::reverse, true);
    scan.set(AttributeName::identities, ScalarArray{{f32, 0}});
    scan.region(combiner(Opcode::addf, false));
    builder.append(scan, {tile_type(f32, {2, 2})});
  }

  void blocks_and_print() {
    OpDraft division(Opcode::divi);
    division.operand(count).operand(builder.block_ids()[0]);
    division.set(AttributeName::signedness, Signedness::signed_);
    division.set(AttributeName::rounding, RoundingMode::negative_inf);
    const Value quotient = builder.append(division, {tile_type(i32)});
    OpDraft make(Opcode::make_token);
    const Value first = builder.append(make, {token_type()});
    OpDraft join(Opcode::join_tokens);
    const Value joined = builder.append(join.group({first, first}), {token_type()});
    OpDraft print(Opcode::print_tko);
    print.group({quotient}).operand(joined).set(AttributeName::format, Attribute("v=%d\n"));
    printed = builder.append(print, {token_type()});
    OpDraft check(Opcode::assert_);
    builder.append(check.operand(yes).set(AttributeName::message, Attribute("no")), {});
  }

  void memory() {
    OpDraft assume(Opcode::assume);
    assume.operand(pointer).set(AttributeName::predicate, AssumePredicate(DivBy{16}));
    const Value aligned = builder.append(assume, {pointer_tile_type(f32)});
    OpDraft add(Opcode::atomic_rmw_tko);
    add.operand(aligned).operand(found).operand(yes).operand(printed);
    add.set(AttributeName::memory_ordering, MemoryOrdering::acq_rel);
    add.set(AttributeName::memory_scope, MemoryScope::sys);
    add.set(AttributeName::mode, AtomicMode::addf);
    const Value old = builder.append(add, {tile_type(f32), token_type()});
    const Value token = builder.block().ops.back().result(1);
    OpDraft store(Opcode::store_ptr_tko);
    store.operand(aligned).operand(old).operand(yes).operand(token);
    store.set(AttributeName::memory_ordering, MemoryOrdering::release);
    store.set(AttributeName::memory_scope, MemoryScope::device);
    store.set(AttributeName::optimization_hints, Hints{{"sm_90", {{"latency", std::int64_t{3}}}}});
    builder.append(store, {token_type()});
  }

  void shapes() {
    OpDraft extend(Opcode::exti);
    extend.operand(count).set(AttributeName::signedness, Signedness::signed_);
    builder.append(extend, {tile_type(ElementKind::i64)});
    OpDraft permute(Opcode::permute);
    permute.operand(matrix).set(AttributeName::permutation, IntArray{1, 0});
    const Value turned = builder.append(permute, {tile_type(f32, {2, 2})});
    OpDraft cat(Opcode::cat);
    cat.operand(matrix).operand(turned).set(AttributeName::dim, Attribute(std::int64_t{0}));
    const Value both = builder.append(cat, {tile_type(f32, {4, 2})});
    OpDraft extract(Opcode::extract);
    builder.append(extract.operand(both).group({zero, zero}), {tile_type(f32, {1, 2})});
    for (const Opcode code : {Opcode::sqrt, Opcode::exp}) {
      OpDraft draft(code);
      draft.operand(matrix).set(AttributeName::rounding, RoundingMode::approx);
      builder.append(draft, {tile_type(f32, {2, 2})});
    }
  }

  Module module;
  Function function;
  Builder builder{function};
  Value pointer, count, zero, matrix, summed, found, yes, printed;
};

inline constexpr const char* sample_text = R"(module {
  cuda_tile.module @m {
    global  constant @g alignment = 16 <f32: [1.000000e+00, 2.000000e+00]> : tile<2xf32>
    entry @k(%arg0: tile<ptr<f32>>, %arg1: tile<i32>) optimization_hints=<default = {occupancy = 4}, sm_90 = {num_cta_in_cga = 2}> {
      %cst_0_i32 = constant <i32: 0> : tile<i32>
      %cst_f32 = constant <f32: [[1.000000e+00, 2.000000e+00], [3.000000e+00, -4.000000e+00]]> : tile<2x2xf32>
      %cst_f16 = constant <f16: 0x7C00> : tile<4xf16>
      %0 = get_global @g : tile<ptr<f32>>
      %for = for unsigned %loopIdx in (%cst_0_i32 to %arg1, step %cst_0_i32) : tile<i32> iter_values(%iterArg0 = %cst_f32) -> (tile<2x2xf32>) {
        %16 = addf %iterArg0, %cst_f32 rounding<zero> flush_to_zero : tile<2x2xf32>
        continue %16 : tile<2x2xf32>
      }
      %1 = loop iter_values(%arg2 = %arg1) : tile<i32> -> tile<f32> {
        %16 = cmpi less_than %arg2, %arg1, signed : tile<i32> -> tile<i1>
        if %16 {
          %cst_2_f32 = constant <f32: 2.000000e+00> : tile<f32>
          break %cst_2_f32 : tile<f32>
        }
        %17 = addi %arg2, %arg1 overflow<no_wrap> : tile<i32>
        continue %17 : tile<i32>
      }
      %2 = cmpf equal ordered %cst_f32, %cst_f32 : tile<2x2xf32> -> tile<2x2xi1>
      %true = constant <i1: true> : tile<i1>
      %3:2 = if %true -> (tile<i32>, tile<f32>) {
        yield %cst_0_i32, %1 : tile<i32>, tile<f32>
      } else {
        yield %arg1, %1 : tile<i32>, tile<f32>
      }
      %reduce = reduce %for dim=1 identities=[0xFF800000 : f32] : tile<2x2xf32> -> tile<2xf32> 
      (%reduce_lhs: tile<f32>, %reduce_rhs: tile<f32>) {
        %16 = maxf %reduce_lhs, %reduce_rhs flush_to_zero propagate_nan : tile<f32>
        yield %16 : tile<f32>
      }
      %4 = scan %for dim=0 reverse=true identities=[0.000000e+00 : f32] : tile<2x2xf32> -> tile<2x2xf32> 
      (%arg2: tile<f32>, %arg3: tile<f32>) {
        %16 = addf %arg2, %arg3  : tile<f32>
        yield %16 : tile<f32>
      }
      %blockId_x, %blockId_y, %blockId_z = get_tile_block_id : tile<i32>
      %5 = divi %arg1, %blockId_x signed rounding<negative_inf> : tile<i32>
      %6 = make_token : token
      %7 = join_tokens %6, %6 : token
      %8 = print_tko "v=%d\0A", %5 token=%7 : tile<i32> -> token
      assert %true, "no" : tile<i1>
      %assume = assume div_by<16>, %arg0 : tile<ptr<f32>>
      %result, %result_token = atomic_rmw_tko acq_rel sys %assume, addf, %1, %true token=%8 : tile<ptr<f32>>, tile<f32>, tile<i1> -> tile<f32>, token
      %9 = store_ptr_tko release device %assume, %result, %true token=%result_token optimization_hints = <sm_90 = {latency = 3}> : tile<ptr<f32>>, tile<f32>, tile<i1> -> token
      %10 = exti %arg1 signed : tile<i32> -> tile<i64>
      %11 = permute %cst_f32 [1, 0] : tile<2x2xf32> -> tile<2x2xf32>
      %12 = cat %cst_f32, %11 dim = 0 : tile<2x2xf32>, tile<2x2xf32> -> tile<4x2xf32>
      %13 = extract %12[%cst_0_i32, %cst_0_i32] : tile<4x2xf32> -> tile<1x2xf32>
      %14 = sqrt %cst_f32 rounding<approx> : tile<2x2xf32>
      %15 = exp %cst_f32 rounding<approx> : tile<2x2xf32>
      return
    }
  }
}
)";

}  // namespace tw::ir
