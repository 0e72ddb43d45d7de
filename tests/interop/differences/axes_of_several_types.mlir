// The text has one type for all results, so that the disassembler prints another kernel.
entry @k(%p: tile<ptr<f32>>, %n: tile<i32>) {
  %v = make_tensor_view %p, shape = [%n, %n], strides = [%n, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
  %0, %1 = "cuda_tile.get_tensor_shape"(%v) : (tensor_view<?x?xf32, strides=[?,1]>) -> (tile<i32>, tile<i8>)
  return
}
