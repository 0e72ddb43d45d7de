entry @k(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<i32>) {
  %tview = make_tensor_view %arg0, shape = [%arg1, 64], strides = [%arg2, 1] : tile<i32> -> tensor_view<?x64xf32, strides=[?,1]>
  %sview = make_strided_view %tview : strided_view<tile=(4x2), traversal_strides=[4,3], tensor_view<?x64xf32, strides=[?,1]>, dim_map=[1, 0]>
  return
}
