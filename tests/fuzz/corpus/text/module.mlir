module {
  cuda_tile.module @kernels {
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
