// The disassembler compares the element type alone. What is yielded must have rank 0, as the accumulator has.
entry @k() {
  %c = constant <f32: 0.0> : tile<2x2xf32>
  %r = reduce %c dim=1 identities=[0.0 : f32] : tile<2x2xf32> -> tile<2xf32>
  (%a: tile<f32>, %b: tile<f32>) {
    yield %c : tile<2x2xf32>
  }
  return
}
