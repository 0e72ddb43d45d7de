entry @k(%arg0: tile<ptr<f32>>) {
  %reshape = reshape %arg0 : tile<ptr<f32>> -> tile<1xptr<f32>>
  %bcast = broadcast %reshape : tile<1xptr<f32>> -> tile<8xptr<f32>>
  %assume_bcast = assume div_by<4, every 4 along 0>, %bcast : tile<8xptr<f32>>
  return
}
