// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

#include <tilewright/ir/verifier.hpp>

namespace tw::inline v0::ir {

inline constexpr Constraint constraint_table[] = {
    // Modules and entries.
    {"module_c1", "", "The names of functions and globals are unique."},
    {"module_c2", "",
     "A name is an identifier: letters, digits and underscores, and no digit in front."},
    {"module_c3", "",
     "The tool compiles for the architecture: sm_100, 103, 110, 120 and 121; from tool 13.2 on "
     "sm_80, 86, 87, 88 and 89, from 13.3 on sm_90, from 13.4 on sm_107."},
    {"global_c1", "",
     "A global is a tile of numbers of rank 1, and its value has as many elements."},
    {"global_c2", "", "The alignment of a global is a power of two, or 0 for the natural one."},
    {"entry_c1", "", "A function is an entry of a kernel."},
    {"entry_c2", "", "The parameters of an entry are tiles of rank 0 of numbers or pointers."},
    {"hints_c1", "entry load_ptr_tko load_view_tko store_ptr_tko store_view_tko",
     "Hints are for an architecture that the tool knows, or for `default` from tool 13.3 on (a "
     "warning from then on)."},
    {"hints_c2", "entry load_ptr_tko load_view_tko store_ptr_tko store_view_tko",
     "An entry takes num_cta_in_cga, occupancy and, from tool 13.3 on, num_worker_warps_per_cta; "
     "loads and stores take latency, those through views allow_tma, too (a warning from 13.3 on)."},
    {"hints_c3", "entry load_ptr_tko load_view_tko store_ptr_tko store_view_tko",
     "num_cta_in_cga is a power of two up to 16, and 1 below sm_90; occupancy is 1 to 32; latency "
     "is 1 "
     "to 10; num_worker_warps_per_cta is a power of two up to 32, and 4 or 8 for tool 13.4; "
     "allow_tma is a boolean (a warning from 13.3 on)."},

    // Values, blocks and the shape of ops.
    {"value_c1", "", "An operand is defined before its use, in the same block or around it."},
    {"value_c2", "", "A value is defined once and has a type."},
    {"block_c1", "", "A block ends with its only terminator."},
    {"block_c2", "",
     "An entry ends with return; the body of for with continue, of loop with continue, break or "
     "return, of reduce and scan with yield; the blocks of if with any of these."},
    {"op_c1", "", "The tool knows the op."},
    {"op_c2", "", "The operands fill the groups that the op has."},
    {"op_c3", "", "The op has its number of results and blocks."},
    {"op_c4", "",
     "Every attribute that is not optional is there, and each is of its kind and in its range."},
    {"op_c5", "", "An attribute that came after the tool has its fallback value."},
    {"op_c6", "check print", "Ops that are not part of Tile IR occur only where they are allowed."},
    {"op_c7", "mmaf_scaled", "The architecture has the op: from sm_100 on."},

    // Types.
    {"type_c1", "", "The extents of a tile are powers of two."},
    {"type_c2", "", "A tile holds at most 16777216 elements."},
    {"type_c3", "", "A tile of f4E2M1FN has an axis of even extent."},
    {"type_c4", "", "Pointers and tensor views address numbers, but not i4."},
    {"type_c5", "", "A tensor view has as many strides as extents."},
    {"type_c6", "", "The extents and strides of a tensor view are positive where they are known."},
    {"type_c7", "", "A view's tile has the rank of its tensor, which is at least 1."},
    {"type_c8", "", "The dim_map of a view is a permutation of the axes."},
    {"type_c9", "", "A strided view has one positive traversal stride an axis."},
    {"type_c10", "", "The sparse_dim of a gather/scatter view is one of its axes."},
    {"type_c11", "", "Other paddings than zero are for floats."},
    {"type_c12", "", "A value is a tile, a tensor view, a view of tiles or a token."},
    {"type_c13", "",
     "The tool knows the type: f8E8M0FNU from 13.2 on; i4, f4E2M1FN, strided and gather/scatter "
     "views from "
     "13.3 on; fnv8E5M3FNU and pointer attributes from 13.4 on."},
    {"type_c14", "",
     "The architecture has the type: f8E4M3FN and f8E5M2 from sm_89 on (sm_90 for tools before "
     "13.5, sm_100 before 13.3), f8E8M0FNU and f4E2M1FN from sm_100 on, fnv8E5M3FNU on sm_107."},
    {"type_c15", "",
     "A tile of pointers to f4E2M1FN has rank 0, from tool 13.5 on: two of them share a byte."},

    // Elementwise ops.
    {"float_c1",
     "absf addf atan2 ceil cos cosh divf exp exp2 floor fma log log2 maxf minf mulf negf pow remf "
     "rsqrt "
     "sin sinh sqrt subf tan tanh",
     "Operands and result have one type: a tile of f16, bf16, f32 or f64."},
    {"int_c1", "absi addi andi divi maxi mini mulhii muli negi ori remi shli shri subi xori",
     "Operands and result have one type: a tile of i1, i8, i16, i32 or i64."},
    {"rounding_c1", "addf divf divi exp fma ftoi itof mulf sqrt subf tanh",
     "The op has the rounding mode: addf, subf, mulf and fma nearest_even, zero, negative_inf and "
     "positive_inf; sqrt these and approx; divf these, approx and full; exp and tanh full and "
     "approx; divi "
     "zero, negative_inf and positive_inf; itof nearest_even; ftoi nearest_int_to_zero."},
    {"rounding_c2", "divf exp sqrt tanh", "approx, and full of divf, are for f32."},
    {"flush_c1", "addf divf exp2 fma maxf minf mulf rsqrt sqrt subf", "flush_to_zero is for f32."},
    {"divi_c1", "divi", "An unsigned division does not round to negative_inf."},
    {"negi_c1", "negi", "A negation cannot promise no_unsigned_wrap."},
    {"cmpf_c1", "cmpf", "Both operands have one type: a tile of f16, bf16, f32 or f64."},
    {"cmpi_c1", "cmpi", "Both operands have one type: a tile of i1, i8, i16, i32 or i64."},
    {"cmp_c1", "cmpf cmpi", "The result is a tile of i1 with the operands' shape."},
    {"select_c1", "select", "Both choices and the result have one type: a tile."},
    {"select_c2", "select", "The condition is a tile of i1 with the result's shape."},
    {"select_c3", "select", "The elements are not f4E2M1FN."},
    {"fpowi_c1", "fpowi", "Source and result have one type: a tile of f16, bf16, f32 or f64."},
    {"fpowi_c2", "fpowi", "The exponent is a tile of i1, i8, i16 or i32 with the source's shape."},

    // Conversions.
    {"conversion_c1", "bitcast exti ftof ftoi int_to_ptr itof ptr_to_int ptr_to_ptr trunci",
     "Source and result are tiles of one shape."},
    {"ftof_c1", "ftof", "Source and result hold different kinds of float."},
    {"ftof_c2", "ftof",
     "The tool has the rounding mode for these kinds. To f8E8M0FNU: zero and positive_inf "
     "(nearest_even "
     "before 13.3). To other kinds narrower than 16 bits, and for tools before 13.4: nearest_even. "
     "From "
     "13.4 on also zero, and where the conversion is exact all five; negative_inf and positive_inf "
     "from f64 "
     "to f32; nearest_away from f32 to tf32."},
    {"itof_c1", "itof", "An integer becomes a float other than f8E8M0FNU."},
    {"ftoi_c1", "ftoi", "A float becomes an integer other than i4."},
    {"exti_c1", "exti", "An integer becomes a wider one."},
    {"trunci_c1", "trunci", "An integer becomes a narrower one."},
    {"bitcast_c1", "bitcast", "Source and result are numbers of as many bits, but not i4."},
    {"int_to_ptr_c1", "int_to_ptr", "i64 becomes a pointer."},
    {"ptr_to_int_c1", "ptr_to_int", "A pointer becomes i64."},
    {"ptr_to_ptr_c1", "ptr_to_ptr", "A pointer becomes a pointer."},
    {"pack_c1", "pack unpack", "Source and result are tiles of numbers of rank 1."},
    {"pack_c2", "pack unpack",
     "The packed side is i8 and the other side has not 8 bits an element."},
    {"pack_c3", "pack unpack", "Source and result have as many bits; those of tf32 count as 32."},

    // Shapes.
    {"broadcast_c1", "broadcast",
     "Source and result are tiles of one kind of element and one rank."},
    {"broadcast_c2", "broadcast", "Every extent of the source is that of the result, or 1."},
    {"reshape_c1", "reshape",
     "Source and result are tiles of one kind and one number of elements."},
    {"permute_c1", "permute",
     "Source and result are tiles of one kind of element and one rank of at least 2."},
    {"permute_c2", "permute", "The permutation names every axis once."},
    {"permute_c3", "permute", "Axis k of the result is axis permutation[k] of the source."},
    {"cat_c1", "cat", "Operands and result are tiles of one kind of element and one rank."},
    {"cat_c2", "cat", "dim is one of the axes."},
    {"cat_c3", "cat",
     "The result's extent along dim is the sum of the operands'; the others agree."},
    {"extract_c1", "extract insert",
     "The large and the small tile have one kind of element and one rank."},
    {"extract_c2", "extract insert",
     "Every extent of the small tile divides that of the large one."},
    {"extract_c3", "extract insert", "There is one index an axis: a tile of rank 0 of i32."},
    {"insert_c1", "insert", "The result has the destination's type."},
    {"iota_c1", "iota", "The result is a tile of i1, i8, i16, i32 or i64 of rank 1."},
    {"iota_c2", "iota", "The element type can count the elements: at most 2^bits."},
    {"constant_c1", "constant", "The result is a tile of numbers other than i4."},
    {"constant_c2", "constant", "The value has as many elements as the result, or is a splat."},
    {"offset_c1", "offset", "Pointers and result have one type: a tile of pointers."},
    {"offset_c2", "offset",
     "The offset is a tile of i1, i8, i16, i32 or i64 with the pointers' shape."},
    {"assume_c1", "assume", "Value and result have one type."},
    {"assume_c2", "assume",
     "div_by is for integers, pointers and tensor views; its divisor is a power of two up to 2^62; "
     "every "
     "and along come together, for tiles of rank 1 or more, and lie within the shape."},
    {"assume_c3", "assume",
     "same_elements is for tiles of integers or pointers and has one number an axis, from 0 to the "
     "extent."},
    {"assume_c4", "assume",
     "bounded is for tiles of integers; its bounds fit the signed element type and are in order."},

    // Matrix products.
    {"mma_c1", "mmaf mmaf_scaled mmai", "All operands are tiles of one rank, 2 or 3."},
    {"mma_c2", "mmaf mmaf_scaled mmai",
     "The extents are M x K, K x N and M x N, behind one batch extent for rank 3."},
    {"mma_c3", "mmaf mmaf_scaled mmai", "The result has the accumulator's type."},
    {"mmaf_c1", "mmaf",
     "Both factors hold one kind: f16 (into f16 or f32), bf16, tf32 or f32 (into f32), f64 (into "
     "f64), "
     "f8E4M3FN or f8E5M2 (into f16 or f32)."},
    {"mmai_c1", "mmai", "The factors hold i8 and the accumulator i32."},
    {"mmaf_scaled_c1", "mmaf_scaled",
     "Both factors hold one of f8E4M3FN, f8E5M2 and f4E2M1FN, and the accumulator f32."},
    {"mmaf_scaled_c2", "mmaf_scaled",
     "Both scales hold one kind: f8E8M0FNU, or for f4E2M1FN also f8E4M3FN or fnv8E5M3FNU."},
    {"mmaf_scaled_c3", "mmaf_scaled",
     "The scales are M x S and S x N, with the batch extent, and S divides K."},
    {"mmaf_scaled_c4", "mmaf_scaled",
     "A scale is for K / S elements: 32 of 8 bits; 16 of f4E2M1FN, or 32 with f8E8M0FNU."},

    // Views.
    {"make_view_c1", "make_gather_scatter_view make_partition_view make_strided_view",
     "The result is the op's kind of view, and of the operand's tensor view."},
    {"make_tensor_view_c1", "make_tensor_view",
     "The result is a tensor view and the base a tile of rank 0 of pointers to its elements."},
    {"make_tensor_view_c2", "make_tensor_view",
     "There is one operand for each extent and each stride that the type does not know."},
    {"make_tensor_view_c3", "make_tensor_view",
     "Extents and strides have one type: a tile of rank 0 of integers other than i4."},
    {"make_tensor_view_c4", "make_tensor_view", "The view has the pointer attribute of the base."},
    {"axes_c1", "get_index_space_shape get_tensor_shape",
     "The operand is a view of tiles, or a tensor view for get_tensor_shape."},
    {"axes_c2", "get_index_space_shape get_tensor_shape",
     "There is one result an axis, all of one type: a tile of rank 0 of integers other than i4."},
    {"view_access_c1", "atomic_red_view_tko load_view_tko store_view_tko",
     "The access goes through a view of tiles."},
    {"view_access_c2", "atomic_red_view_tko load_view_tko store_view_tko",
     "There is one index an axis."},
    {"view_access_c3", "atomic_red_view_tko load_view_tko store_view_tko",
     "Indices are tiles of rank 0 of one kind of integer other than i4. With a sparse_dim and in "
     "atomic_red_view_tko they may differ in kind, and the one along a sparse_dim has rank 1 and "
     "the tile's extent."},
    {"view_access_c4", "atomic_red_view_tko load_view_tko store_view_tko",
     "The tile has the view's shape and the tensor's elements."},
    {"view_access_c5", "atomic_red_view_tko load_view_tko store_view_tko",
     "inbounds has one boolean an index."},

    // Memory.
    {"token_c1",
     "atomic_cas_tko atomic_red_view_tko atomic_rmw_tko gdc_launch_dependents_tko gdc_wait_tko "
     "join_tokens "
     "load_ptr_tko load_view_tko make_token memory_fence_alias_tko print_tko store_ptr_tko "
     "store_view_tko",
     "Token operands and results are tokens."},
    {"join_tokens_c1", "join_tokens", "There are at least two tokens to join."},
    {"order_c1",
     "atomic_cas_tko atomic_red_view_tko atomic_rmw_tko load_ptr_tko load_view_tko store_ptr_tko "
     "store_view_tko",
     "The op has the ordering: loads weak, relaxed and acquire; stores weak, relaxed and release; "
     "atomics "
     "relaxed, acquire, release and acq_rel; atomic_red_view_tko relaxed."},
    {"order_c2", "load_ptr_tko load_view_tko store_ptr_tko store_view_tko",
     "A weak access has no scope, any other has one."},
    {"pointer_access_c1", "atomic_cas_tko atomic_rmw_tko load_ptr_tko store_ptr_tko",
     "The access goes through a tile of pointers."},
    {"pointer_access_c2", "atomic_cas_tko atomic_rmw_tko load_ptr_tko store_ptr_tko",
     "What is loaded, stored or compared is a tile of the pointees with the pointers' shape."},
    {"pointer_access_c3", "atomic_cas_tko atomic_rmw_tko load_ptr_tko store_ptr_tko",
     "A mask is a tile of i1 with the pointers' shape."},
    {"load_ptr_c1", "load_ptr_tko", "The padding value has the result's type."},
    {"load_ptr_c2", "load_ptr_tko", "A padding value has no effect without a mask (a warning)."},
    {"atomic_c1", "atomic_red_view_tko atomic_rmw_tko",
     "The mode has the element type: addf f16, f32, f64 and, from tool 13.3 on, bf16; xchg "
     "integers and "
     "floats of 32 or 64 bits; the others i32 and i64."},
    {"atomic_c2", "atomic_red_view_tko atomic_rmw_tko",
     "The architecture has addf for bf16: from sm_90 on."},
    {"atomic_cas_c1", "atomic_cas_tko", "The elements are integers or floats of 32 or 64 bits."},
    {"atomic_red_view_c1", "atomic_red_view_tko", "The mode is not xchg."},
    {"atomic_red_view_c2", "atomic_red_view_tko", "The scope is tl_blk or device."},
    {"atomic_red_view_c3", "atomic_red_view_tko",
     "The view is a partition or strided view, for tools before 13.5 without padding."},
    {"alloca_c1", "alloca", "The result is a tile of rank 0 of pointers."},
    {"alloca_c2", "alloca",
     "num_elem is not negative, and alignment is a power of two of at least an element's bytes."},
    {"get_global_c1", "get_global", "The module has a global of this name."},
    {"get_global_c2", "get_global",
     "The result is a tile of rank 0 of pointers to the global's elements."},
    {"block_id_c1", "get_num_tile_blocks get_tile_block_id",
     "Every result is a tile of rank 0 of i32."},

    // Reports.
    {"assert_c1", "assert", "The condition is a tile of i1."},
    {"print_tko_c1", "print_tko", "The arguments are tiles."},
    {"print_tko_c2", "print_tko",
     "The format has one conversion of printf an argument, and each is complete."},
    {"check_c1", "check", "The condition is a tile of i1."},
    {"check_c2", "check", "The index is a tile of integers with the condition's shape."},
    {"check_c3", "check", "The bound is a tile of rank 0 of the index's elements."},
    {"print_c1", "print", "The arguments are tiles of numbers."},
    {"site_c1", "check print", "The module has the site."},

    // Control flow.
    {"for_c1", "for",
     "Bounds, step and the first block argument have one type: a tile of rank 0 of integers other "
     "than "
     "i4."},
    {"carried_c1", "for loop",
     "The initial values, the block arguments after those of for's index, and for's results agree "
     "in "
     "number and type."},
    {"carried_c2", "for if loop", "Carried values and results are tiles or tokens."},
    {"if_c1", "if", "The condition is a tile of rank 0 of i1."},
    {"if_c2", "if", "The blocks take no arguments, and an if with results has both."},
    {"yield_c1", "yield", "In an if, what is yielded has the types of its results."},
    {"break_c1", "break", "A break stands in a loop, with nothing but ifs between."},
    {"break_c2", "break", "What is handed out has the types of the loop's results."},
    {"continue_c1", "continue",
     "A continue stands in a for or a loop, with nothing but ifs between."},
    {"continue_c2", "continue", "What is carried on has the types of the loop's initial values."},
    {"return_c1", "return",
     "A return stands in an entry, with nothing but ifs and, from tool 13.4 on, loops between."},
    {"return_c2", "return", "A return carries nothing."},
    {"reduce_c1", "reduce scan",
     "The operands, at least one, are tiles of one shape of rank 1 or more."},
    {"reduce_c2", "reduce scan", "dim is one of the axes."},
    {"reduce_c3", "reduce scan",
     "There is one identity an operand, of its element type; f16 and bf16 may stand for each "
     "other."},
    {"reduce_c4", "reduce scan",
     "The results are the operands' types, for reduce without the axis dim."},
    {"reduce_c5", "reduce scan",
     "The block has two arguments an operand, the element and what is accumulated: tiles of rank 0 "
     "of its "
     "element type."},
    {"reduce_c6", "reduce scan",
     "The block yields one tile of rank 0 an operand, of its element type."},
    {"reduce_c7", "reduce scan",
     "The block holds only ops without effects, and no assume, for or loop. For tools before 13.4 "
     "it holds "
     "no divi, if, make_tensor_view, reduce, scan or query of a view's axes, either."},
};

/// A constraint, by a name that is checked when we are compiled.
class Rule {
 public:
  consteval Rule(const char* name)  // NOLINT(google-explicit-constructor): a name *is* a rule
      : constraint_(find(name)) {}
  [[nodiscard]] constexpr const Constraint& constraint() const { return *constraint_; }

 private:
  static consteval const Constraint* find(std::string_view name) {
    for (const Constraint& each : constraint_table) {
      if (each.name == name) return &each;
    }
    throw "no such constraint";
  }

  const Constraint* constraint_;
};

}  // namespace tw::inline v0::ir
