entry @k(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<i32>) {
  %tview = make_tensor_view %arg0, shape = [%arg1, 64], strides = [%arg2, 1] : tile<i32> -> tensor_view<?x64xf32, strides=[?,1]>
  %pview = make_partition_view %tview : partition_view<tile=(16x8), padding_value = zero, tensor_view<?x64xf32, strides=[?,1]>>
  %cst_1_i32 = constant <i32: 1> : tile<i32>
  %cst_1_i32_0 = constant <i32: 1> : tile<i32>
  %tile, %result_token = load_view_tko weak %pview[%cst_1_i32, %cst_1_i32_0] : partition_view<tile=(16x8), padding_value = zero, tensor_view<?x64xf32, strides=[?,1]>>, tile<i32> -> tile<16x8xf32>, token
  return
}
