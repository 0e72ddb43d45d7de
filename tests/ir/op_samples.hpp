// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "tests/ir/make_value.hpp"

namespace tw::ir {

/// One valid op of straight-line code, and its line as NVIDIA's disassembler 13.5 prints it.
struct OpSample {
  Opcode code;
  std::vector<std::vector<Type>> operands;  ///< their types, group by group
  std::vector<std::pair<AttributeName, Attribute>> attributes;
  std::vector<Type> results;
  const char* text;

  /// An entry that makes the operands, runs the op and returns.
  [[nodiscard]] Module module() const {
    Module module;
    Function function{.name = "k"};
    Builder builder(function);
    std::vector<std::vector<Value>> groups;
    for (const auto& types : operands) {
      groups.emplace_back();
      for (const Type& type : types) groups.back().push_back(make_value(builder, type));
    }
    OpDraft draft(code);
    for (const auto& group : groups) draft.group(group);
    for (const auto& [name, value] : attributes) draft.set(name, value);
    builder.append(draft.finish(function, results));
    builder.append(OpDraft(Opcode::return_), {});
    if (code == Opcode::get_global) {
      module.globals.push_back({"g", tile_type(ElementKind::f32, {2}), splat(ElementKind::f32, 0)});
    }
    module.functions.push_back(std::move(function));
    return module;
  }
};

namespace samples {

using enum ElementKind;
using enum AttributeName;
using enum Opcode;

inline Attribute of(auto enumerator) { return static_cast<std::int64_t>(enumerator); }

inline const Type x8 = tile_type(f32, {8});
inline const Type h8 = tile_type(f16, {8});
inline const Type n8 = tile_type(i32, {8});
inline const Type b8 = tile_type(i1, {8});
inline const Type n = tile_type(i32);
inline const Type p8 = pointer_tile_type(f32, {8});
inline const TensorViewType tensor{f32, {dynamic, 64}, {dynamic, 1}};
inline const Type cut{PartitionViewType{{16, 8}, tensor, {0, 1}, Padding::zero}};
inline const Type steps{StridedViewType{{4, 2}, {4, 3}, tensor, {1, 0}}};
inline const Type picks{GatherScatterViewType{{16, 8}, tensor, 0}};
inline const Type block = tile_type(f32, {16, 8});
inline const Type token = token_type();
inline const std::pair ordered{memory_ordering, of(MemoryOrdering::relaxed)};
inline const std::pair plain{memory_ordering, of(MemoryOrdering::weak)};
inline const std::pair on_device{memory_scope, of(MemoryScope::device)};
inline const std::pair is_signed{signedness, of(Signedness::signed_)};
inline const std::pair is_unsigned{signedness, of(Signedness::unsigned_)};
inline const std::pair toward_zero{rounding, of(RoundingMode::zero)};
inline const std::pair flushed{flush_to_zero, Attribute(true)};

inline const std::vector<OpSample>& all() {
  static const std::vector<OpSample> samples{
      {absf, {{x8}}, {}, {x8}, "%0 = absf %cst_f32 : tile<8xf32>"},
      {absi, {{n8}}, {}, {n8}, "%0 = absi %cst_1_i32 : tile<8xi32>"},
      {addf, {{x8}, {x8}}, {}, {x8}, "%0 = addf %cst_f32, %cst_f32_0  : tile<8xf32>"},
      {addf,
       {{x8}, {x8}},
       {toward_zero, flushed},
       {x8},
       "%0 = addf %cst_f32, %cst_f32_0 rounding<zero> flush_to_zero : tile<8xf32>"},
      {addi, {{n8}, {n8}}, {}, {n8}, "%0 = addi %cst_1_i32, %cst_1_i32_0 : tile<8xi32>"},
      {addi,
       {{n8}, {n8}},
       {{overflow, of(Overflow::no_signed_wrap)}},
       {n8},
       "%0 = addi %cst_1_i32, %cst_1_i32_0 overflow<no_signed_wrap> : tile<8xi32>"},
      {andi, {{n8}, {n8}}, {}, {n8}, "%0 = andi %cst_1_i32, %cst_1_i32_0 : tile<8xi32>"},
      {assert_,
       {{b8}},
       {{message, Attribute("a \"b\"\t\\")}},
       {},
       "assert %true, \"a \\22b\\22\\09\\\\\" : tile<8xi1>"},
      {assume,
       {{p8}},
       {{predicate, AssumePredicate(DivBy{4, 4, 0})}},
       {p8},
       "%assume_bcast = assume div_by<4, every 4 along 0>, %bcast : tile<8xptr<f32>>"},
      {assume,
       {{n8}},
       {{predicate, AssumePredicate(SameElements{{4}})}},
       {n8},
       "%assume_cst_1_i32 = assume same_elements<[4]>, %cst_1_i32 : tile<8xi32>"},
      {assume,
       {{n8}},
       {{predicate, AssumePredicate(Bounded{-1, std::nullopt})}},
       {n8},
       "%assume_cst_1_i32 = assume bounded<-1, ?>, %cst_1_i32 : tile<8xi32>"},
      {atomic_cas_tko,
       {{p8}, {x8}, {x8}, {b8}, {token}},
       {ordered, on_device},
       {x8, token},
       "%result, %result_token = atomic_cas_tko relaxed device %bcast, %cst_f32, %cst_f32_0, %true "
       "token=%0 : tile<8xptr<f32>>, tile<8xf32>, tile<8xi1> -> tile<8xf32>, token"},
      {atomic_cas_tko,
       {{p8}, {x8}, {x8}},
       {ordered, on_device},
       {x8, token},
       "%result, %result_token = atomic_cas_tko relaxed device %bcast, %cst_f32, %cst_f32_0 : "
       "tile<8xptr<f32>>, tile<8xf32> -> tile<8xf32>, token"},
      {atomic_rmw_tko,
       {{p8}, {x8}},
       {ordered, on_device, {mode, of(AtomicMode::xchg)}},
       {x8, token},
       "%result, %result_token = atomic_rmw_tko relaxed device %bcast, xchg, %cst_f32 : "
       "tile<8xptr<f32>>, tile<8xf32> -> tile<8xf32>, token"},
      {bitcast, {{x8}}, {}, {n8}, "%0 = bitcast %cst_f32 : tile<8xf32> -> tile<8xi32>"},
      {broadcast,
       {{tile_type(f32, {1})}},
       {},
       {x8},
       "%bcast = broadcast %cst_f32 : tile<1xf32> -> tile<8xf32>"},
      {cat,
       {{x8}, {x8}},
       {{dim, Attribute(std::int64_t{0})}},
       {tile_type(f32, {16})},
       "%0 = cat %cst_f32, %cst_f32_0 dim = 0 : tile<8xf32>, tile<8xf32> -> tile<16xf32>"},
      {ceil, {{x8}}, {}, {x8}, "%0 = ceil %cst_f32 : tile<8xf32>"},
      {cmpf,
       {{x8}, {x8}},
       {{comparison_predicate, of(ComparisonPredicate::not_equal)},
        {comparison_ordering, of(ComparisonOrdering::unordered)}},
       {b8},
       "%0 = cmpf not_equal unordered %cst_f32, %cst_f32_0 : tile<8xf32> -> tile<8xi1>"},
      {cmpi,
       {{n8}, {n8}},
       {{comparison_predicate, of(ComparisonPredicate::greater_than)}, is_unsigned},
       {b8},
       "%0 = cmpi greater_than %cst_1_i32, %cst_1_i32_0, unsigned : tile<8xi32> -> tile<8xi1>"},
      {constant,
       {},
       {{value, dense(f16, {0x3c00, 0xfe00})}},
       {tile_type(f16, {2})},
       "%cst_f16 = constant <f16: [1.000000e+00, 0xFE00]> : tile<2xf16>"},
      {cos, {{x8}}, {}, {x8}, "%0 = cos %cst_f32 : tile<8xf32>"},
      {cosh, {{x8}}, {}, {x8}, "%0 = cosh %cst_f32 : tile<8xf32>"},
      {divf,
       {{x8}, {x8}},
       {{rounding, of(RoundingMode::full)}},
       {x8},
       "%0 = divf %cst_f32, %cst_f32_0 rounding<full> : tile<8xf32>"},
      {divi,
       {{n8}, {n8}},
       {is_unsigned},
       {n8},
       "%0 = divi %cst_1_i32, %cst_1_i32_0 unsigned : tile<8xi32>"},
      {exp, {{x8}}, {}, {x8}, "%0 = exp %cst_f32  : tile<8xf32>"},
      {exp2, {{x8}}, {flushed}, {x8}, "%0 = exp2 %cst_f32 flush_to_zero : tile<8xf32>"},
      {exti,
       {{tile_type(i4, {8})}},
       {is_unsigned},
       {n8},
       "%1 = exti %0 unsigned : tile<8xi4> -> tile<8xi32>"},
      {extract,
       {{block}, {n, n}},
       {},
       {tile_type(f32, {4, 8})},
       "%0 = extract %cst_f32[%cst_1_i32, %cst_1_i32_0] : tile<16x8xf32> -> tile<4x8xf32>"},
      {floor, {{x8}}, {}, {x8}, "%0 = floor %cst_f32 : tile<8xf32>"},
      {fma,
       {{x8}, {x8}, {x8}},
       {},
       {x8},
       "%0 = fma %cst_f32, %cst_f32_0, %cst_f32_1  : tile<8xf32>"},
      {ftof, {{x8}}, {}, {h8}, "%0 = ftof %cst_f32  : tile<8xf32> -> tile<8xf16>"},
      {ftof,
       {{x8}},
       {{rounding, of(RoundingMode::nearest_away)}},
       {tile_type(tf32, {8})},
       "%0 = ftof %cst_f32 rounding<nearest_away> : tile<8xf32> -> tile<8xtf32>"},
      {ftoi, {{x8}}, {is_signed}, {n8}, "%0 = ftoi %cst_f32 signed  : tile<8xf32> -> tile<8xi32>"},
      {ftoi,
       {{x8}},
       {is_unsigned, {saturating, Attribute(true)}},
       {n8},
       "%0 = ftoi %cst_f32 unsigned  saturating : tile<8xf32> -> tile<8xi32>"},
      {get_global,
       {},
       {{name, Attribute("g")}},
       {pointer_tile_type(f32)},
       "%0 = get_global @g : tile<ptr<f32>>"},
      {get_index_space_shape,
       {{cut}},
       {},
       {n, n},
       "%0:2 = get_index_space_shape %pview : partition_view<tile=(16x8), padding_value = zero, "
       "tensor_view<?x64xf32, strides=[?,1]>> -> tile<i32>"},
      {get_num_tile_blocks,
       {},
       {},
       {n, n, n},
       "%gridSize_x, %gridSize_y, %gridSize_z = get_num_tile_blocks : tile<i32>"},
      {get_tensor_shape,
       {{Type(tensor)}},
       {},
       {n, n},
       "%0:2 = get_tensor_shape %tview : tensor_view<?x64xf32, strides=[?,1]> -> tile<i32>"},
      {get_tile_block_id,
       {},
       {},
       {n, n, n},
       "%blockId_x, %blockId_y, %blockId_z = get_tile_block_id : tile<i32>"},
      {int_to_ptr,
       {{tile_type(i64, {8})}},
       {},
       {p8},
       "%0 = int_to_ptr %cst_1_i64 : tile<8xi64> -> tile<8xptr<f32>>"},
      {iota, {}, {}, {n8}, "%0 = iota : tile<8xi32>"},
      {itof,
       {{n8}},
       {is_signed},
       {x8},
       "%0 = itof %cst_1_i32 signed  : tile<8xi32> -> tile<8xf32>"},
      {join_tokens, {{token, token}}, {}, {token}, "%2 = join_tokens %0, %1 : token"},
      {load_ptr_tko,
       {{p8}, {b8}, {x8}, {token}},
       {ordered,
        on_device,
        {optimization_hints, Hints{{"default", {{"latency", std::int64_t{4}}}}}}},
       {x8, token},
       "%result, %result_token = load_ptr_tko relaxed device %bcast, %true, %cst_f32 token=%0 "
       "optimization_hints = <default = {latency = 4}> : tile<8xptr<f32>>, tile<8xi1>, tile<8xf32> "
       "-> tile<8xf32>, token"},
      {load_ptr_tko,
       {{p8}},
       {plain},
       {x8, token},
       "%result, %result_token = load_ptr_tko weak %bcast : tile<8xptr<f32>> -> tile<8xf32>, "
       "token"},
      {load_view_tko,
       {{cut}, {n, n}},
       {plain},
       {block, token},
       "%tile, %result_token = load_view_tko weak %pview[%cst_1_i32, %cst_1_i32_0] : "
       "partition_view<tile=(16x8), padding_value = zero, tensor_view<?x64xf32, strides=[?,1]>>, "
       "tile<i32> -> tile<16x8xf32>, token"},
      {load_view_tko,
       {{cut}, {n, n}, {token}},
       {plain,
        {inbounds, IntArray{1, 0}},
        {optimization_hints, Hints{{"sm_100", {{"allow_tma", false}}}}}},
       {block, token},
       "%tile, %result_token = load_view_tko weak %pview[%cst_1_i32, %cst_1_i32_0] token = %0 "
       "optimization_hints = <sm_100 = {allow_tma = false}> inbounds = [true, false] : "
       "partition_view<tile=(16x8), padding_value = zero, tensor_view<?x64xf32, strides=[?,1]>>, "
       "tile<i32> -> tile<16x8xf32>, token"},
      {load_view_tko,
       {{steps}, {n, n}},
       {plain},
       {tile_type(f32, {4, 2}), token},
       "%tile, %result_token = load_view_tko weak %sview[%cst_1_i32, %cst_1_i32_0] : "
       "strided_view<tile=(4x2), traversal_strides=[4,3], tensor_view<?x64xf32, strides=[?,1]>, "
       "dim_map=[1, 0]>, tile<i32> -> tile<4x2xf32>, token"},
      {load_view_tko,
       {{picks}, {tile_type(i32, {16}), n}},
       {plain},
       {block, token},
       "%tile, %result_token = load_view_tko weak %gsview[%cst_1_i32, %cst_1_i32_0] : "
       "gather_scatter_view<tile=(16x8), tensor_view<?x64xf32, strides=[?,1]>, sparse_dim=0>, "
       "tile<16xi32>, tile<i32> -> tile<16x8xf32>, token"},
      {log, {{x8}}, {}, {x8}, "%0 = log %cst_f32 : tile<8xf32>"},
      {log2, {{x8}}, {}, {x8}, "%0 = log2 %cst_f32 : tile<8xf32>"},
      {make_partition_view,
       {{Type(tensor)}},
       {},
       {cut},
       "%pview = make_partition_view %tview : partition_view<tile=(16x8), padding_value = zero, "
       "tensor_view<?x64xf32, strides=[?,1]>>"},
      {make_tensor_view,
       {{pointer_tile_type(f32)}, {n}, {n}},
       {},
       {Type(tensor)},
       "%tview = make_tensor_view %arg0, shape = [%cst_1_i32, 64], strides = [%cst_1_i32_0, 1] : "
       "tile<i32> -> tensor_view<?x64xf32, strides=[?,1]>"},
      {make_tensor_view,
       {{pointer_tile_type(f32)}},
       {},
       {Type(TensorViewType{f32, {4, 8}, {8, 1}})},
       "%tview = make_tensor_view %arg0, shape = [4, 8], strides = [8, 1] : tensor_view<4x8xf32, "
       "strides=[8,1]>"},
      {make_tensor_view,
       {{Type(TileType{PointerType{f32, PointerAttribute::none}, {}})}, {}, {n}},
       {},
       {Type(TensorViewType{f32, {4}, {dynamic}, PointerAttribute::none})},
       "%tview = make_tensor_view %arg0, shape = [4], strides = [%cst_1_i32] : tile<ptr<f32, "
       "<none>>>, tile<i32> -> tensor_view<4xf32, strides=[?], #cuda_tile.ptr_attr<none>>"},
      {make_token, {}, {}, {token}, "%0 = make_token : token"},
      {maxf,
       {{x8}, {x8}},
       {{propagate_nan, Attribute(true)}, flushed},
       {x8},
       "%0 = maxf %cst_f32, %cst_f32_0 flush_to_zero propagate_nan : tile<8xf32>"},
      {maxi,
       {{n8}, {n8}},
       {is_signed},
       {n8},
       "%0 = maxi %cst_1_i32, %cst_1_i32_0 signed : tile<8xi32>"},
      {minf,
       {{x8}, {x8}},
       {{propagate_nan, Attribute(true)}},
       {x8},
       "%0 = minf %cst_f32, %cst_f32_0 propagate_nan : tile<8xf32>"},
      {mini,
       {{n8}, {n8}},
       {is_unsigned},
       {n8},
       "%0 = mini %cst_1_i32, %cst_1_i32_0 unsigned : tile<8xi32>"},
      {mmaf,
       {{tile_type(f8e4m3, {16, 8})}, {tile_type(f8e4m3, {8, 16})}, {tile_type(f32, {16, 16})}},
       {{fast_acc, Attribute(true)}},
       {tile_type(f32, {16, 16})},
       "%0 = mmaf %cst_f8E4M3FN, %cst_f8E4M3FN_0, %cst_f32 fast_acc : tile<16x8xf8E4M3FN>, "
       "tile<8x16xf8E4M3FN>, tile<16x16xf32>"},
      {mmai,
       {{tile_type(i8, {16, 8})}, {tile_type(i8, {8, 16})}, {tile_type(i32, {16, 16})}},
       {{signedness_lhs, of(Signedness::signed_)}, {signedness_rhs, of(Signedness::unsigned_)}},
       {tile_type(i32, {16, 16})},
       "%0 = mmai %cst_1_i8, %cst_1_i8_0, %cst_1_i32 signed unsigned : tile<16x8xi8>, "
       "tile<8x16xi8>, tile<16x16xi32>"},
      {mulf,
       {{x8}, {x8}},
       {flushed},
       {x8},
       "%0 = mulf %cst_f32, %cst_f32_0  flush_to_zero : tile<8xf32>"},
      {mulhii, {{n8}, {n8}}, {}, {n8}, "%0 = mulhii %cst_1_i32, %cst_1_i32_0 : tile<8xi32>"},
      {muli,
       {{n8}, {n8}},
       {{overflow, of(Overflow::no_unsigned_wrap)}},
       {n8},
       "%0 = muli %cst_1_i32, %cst_1_i32_0 overflow<no_unsigned_wrap> : tile<8xi32>"},
      {negf, {{x8}}, {}, {x8}, "%0 = negf %cst_f32 : tile<8xf32>"},
      {negi,
       {{n8}},
       {{overflow, of(Overflow::no_signed_wrap)}},
       {n8},
       "%0 = negi %cst_1_i32 overflow<no_signed_wrap> : tile<8xi32>"},
      {offset,
       {{p8}, {n8}},
       {},
       {p8},
       "%0 = offset %bcast, %cst_1_i32 : tile<8xptr<f32>>, tile<8xi32> -> tile<8xptr<f32>>"},
      {ori, {{n8}, {n8}}, {}, {n8}, "%0 = ori %cst_1_i32, %cst_1_i32_0 : tile<8xi32>"},
      {permute,
       {{block}},
       {{permutation, IntArray{1, 0}}},
       {tile_type(f32, {8, 16})},
       "%0 = permute %cst_f32 [1, 0] : tile<16x8xf32> -> tile<8x16xf32>"},
      {pow, {{x8}, {x8}}, {}, {x8}, "%0 = fpowf %cst_f32, %cst_f32_0 : tile<8xf32>"},
      {print_tko,
       {{n8, n}, {token}},
       {{format, Attribute("%d %d%%\n")}},
       {token},
       "%1 = print_tko \"%d %d%%\\0A\", %cst_1_i32, %cst_1_i32_0 token=%0 : tile<8xi32>, tile<i32> "
       "-> token"},
      {print_tko, {}, {{format, Attribute("hi")}}, {token}, "%0 = print_tko \"hi\" -> token"},
      {ptr_to_int,
       {{p8}},
       {},
       {tile_type(i64, {8})},
       "%0 = ptr_to_int %bcast : tile<8xptr<f32>> -> tile<8xi64>"},
      {ptr_to_ptr,
       {{p8}},
       {},
       {pointer_tile_type(i8, {8})},
       "%0 = ptr_to_ptr %bcast : tile<8xptr<f32>> -> tile<8xptr<i8>>"},
      {remf, {{x8}, {x8}}, {}, {x8}, "%0 = remf %cst_f32, %cst_f32_0 : tile<8xf32>"},
      {remi,
       {{n8}, {n8}},
       {is_signed},
       {n8},
       "%0 = remi %cst_1_i32, %cst_1_i32_0 signed : tile<8xi32>"},
      {reshape,
       {{block}},
       {},
       {tile_type(f32, {128})},
       "%reshape = reshape %cst_f32 : tile<16x8xf32> -> tile<128xf32>"},
      {rsqrt, {{x8}}, {}, {x8}, "%0 = rsqrt %cst_f32 : tile<8xf32>"},
      {select,
       {{b8}, {x8}, {x8}},
       {},
       {x8},
       "%0 = select %true, %cst_f32, %cst_f32_0 : tile<8xi1>, tile<8xf32>"},
      {shli, {{n8}, {n8}}, {}, {n8}, "%0 = shli %cst_1_i32, %cst_1_i32_0 : tile<8xi32>"},
      {shri,
       {{n8}, {n8}},
       {is_signed},
       {n8},
       "%0 = shri %cst_1_i32, %cst_1_i32_0 signed : tile<8xi32>"},
      {sin, {{x8}}, {}, {x8}, "%0 = sin %cst_f32 : tile<8xf32>"},
      {sinh, {{x8}}, {}, {x8}, "%0 = sinh %cst_f32 : tile<8xf32>"},
      {sqrt, {{x8}}, {flushed}, {x8}, "%0 = sqrt %cst_f32  flush_to_zero : tile<8xf32>"},
      {store_ptr_tko,
       {{p8}, {x8}, {b8}, {token}},
       {plain},
       {token},
       "%1 = store_ptr_tko weak %bcast, %cst_f32, %true token=%0 : tile<8xptr<f32>>, tile<8xf32>, "
       "tile<8xi1> -> token"},
      {store_view_tko,
       {{block}, {cut}, {n, n}, {token}},
       {ordered, on_device},
       {token},
       "%1 = store_view_tko relaxed device %cst_f32, %pview[%cst_1_i32, %cst_1_i32_0] token = %0 : "
       "tile<16x8xf32>, partition_view<tile=(16x8), padding_value = zero, tensor_view<?x64xf32, "
       "strides=[?,1]>>, tile<i32> -> token"},
      {subf, {{x8}, {x8}}, {}, {x8}, "%0 = subf %cst_f32, %cst_f32_0  : tile<8xf32>"},
      {subi, {{n8}, {n8}}, {}, {n8}, "%0 = subi %cst_1_i32, %cst_1_i32_0 : tile<8xi32>"},
      {tan, {{x8}}, {}, {x8}, "%0 = tan %cst_f32 : tile<8xf32>"},
      {tanh,
       {{x8}},
       {{rounding, of(RoundingMode::approx)}},
       {x8},
       "%0 = tanh %cst_f32 rounding<approx> : tile<8xf32>"},
      {trunci,
       {{n8}},
       {{overflow, of(Overflow::no_wrap)}},
       {tile_type(i16, {8})},
       "%0 = trunci %cst_1_i32 overflow<no_wrap> : tile<8xi32> -> tile<8xi16>"},
      {xori, {{n8}, {n8}}, {}, {n8}, "%0 = xori %cst_1_i32, %cst_1_i32_0 : tile<8xi32>"},
      {atan2, {{x8}, {x8}}, {}, {x8}, "%0 = atan2 %cst_f32, %cst_f32_0 : tile<8xf32>"},
      {pack,
       {{n8}},
       {},
       {tile_type(i8, {32})},
       "%0 = pack %cst_1_i32 : tile<8xi32> -> tile<32xi8>"},
      {unpack,
       {{tile_type(i8, {8})}},
       {},
       {tile_type(f4e2m1, {16})},
       "%0 = unpack %cst_1_i8 : tile<8xi8> -> tile<16xf4E2M1FN>"},
      {alloca_,
       {},
       {{num_elem, Attribute(std::int64_t{64})},
        {alignment, Attribute(std::int64_t{128})},
        {global, Attribute(true)}},
       {pointer_tile_type(f32)},
       "%0 = alloca num_elem = 64, alignment = 128 global : tile<ptr<f32>>"},
      {mmaf_scaled,
       {{tile_type(f8e4m3, {16, 64})},
        {tile_type(f8e4m3, {64, 16})},
        {tile_type(f32, {16, 16})},
        {tile_type(f8e8m0, {16, 2})},
        {tile_type(f8e8m0, {2, 16})}},
       {},
       {tile_type(f32, {16, 16})},
       "%0 = mmaf_scaled %cst_f8E4M3FN, %cst_f8E4M3FN_0, %cst_f32, %cst_f8E8M0FNU, "
       "%cst_f8E8M0FNU_1 : tile<16x64xf8E4M3FN>, tile<64x16xf8E4M3FN>, tile<16x16xf32>, "
       "tile<16x2xf8E8M0FNU>, tile<2x16xf8E8M0FNU>"},
      {make_gather_scatter_view,
       {{Type(tensor)}},
       {},
       {picks},
       "%gsview = make_gather_scatter_view %tview : gather_scatter_view<tile=(16x8), "
       "tensor_view<?x64xf32, strides=[?,1]>, sparse_dim=0>"},
      {make_strided_view,
       {{Type(tensor)}},
       {},
       {steps},
       "%sview = make_strided_view %tview : strided_view<tile=(4x2), traversal_strides=[4,3], "
       "tensor_view<?x64xf32, strides=[?,1]>, dim_map=[1, 0]>"},
      {atomic_red_view_tko,
       {{Type(PartitionViewType{{16, 8}, tensor, {0, 1}})}, {n, n}, {block}, {token}},
       {ordered, on_device, {mode, of(AtomicMode::addf)}},
       {token},
       "%1 = atomic_red_view_tko relaxed device %pview[%cst_1_i32, %cst_1_i32_0], addf, %cst_f32 "
       "token = %0 : tile<16x8xf32>, partition_view<tile=(16x8), tensor_view<?x64xf32, "
       "strides=[?,1]>>, tile<i32> -> token"},
      {insert,
       {{tile_type(f32, {4, 8})}, {block}, {n, n}},
       {},
       {block},
       "%0 = insert %cst_f32, %cst_f32_0[%cst_1_i32, %cst_1_i32_1] : tile<4x8xf32>, "
       "tile<16x8xf32>"},
      {gdc_launch_dependents_tko, {}, {}, {token}, "%0 = gdc_launch_dependents_tko -> token"},
      {gdc_wait_tko, {{token}}, {}, {token}, "%1 = gdc_wait_tko token = %0 -> token"},
      {fpowi, {{x8}, {n8}}, {}, {x8}, "%0 = fpowi %cst_f32, %cst_1_i32 : tile<8xf32>, tile<8xi32>"},
      {memory_fence_alias_tko, {{token}}, {}, {token}, "%1 = memory_fence_alias_tko %0"},
  };
  return samples;
}

}  // namespace samples
}  // namespace tw::ir
