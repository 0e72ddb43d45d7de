entry @k(%arg0: tile<ptr<f32>>) {
  %reshape = reshape %arg0 : tile<ptr<f32>> -> tile<1xptr<f32>>
  %bcast = broadcast %reshape : tile<1xptr<f32>> -> tile<8xptr<f32>>
  %true = constant <i1: true> : tile<8xi1>
  %cst_f32 = constant <f32: 1.401300e-45> : tile<8xf32>
  %0 = make_token : token
  %result, %result_token = load_ptr_tko relaxed device %bcast, %true, %cst_f32 token=%0 optimization_hints = <default = {latency = 4}> : tile<8xptr<f32>>, tile<8xi1>, tile<8xf32> -> tile<8xf32>, token
  return
}
