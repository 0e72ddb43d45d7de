"builtin.module"() ({
"cuda_tile.module"() <{sym_name = "m"}> ({
  "cuda_tile.global"() <{sym_name = "g", value = dense<[1, 2]> : tile<2xi8>}> : () -> ()
  "cuda_tile.entry"() <{sym_name = "k", function_type = (tile<i32>, tile<ptr<f32>>) -> ()}> ({
  ^bb0(%n: tile<i32>, %p: tile<ptr<f32>>):
    %c = "cuda_tile.constant"() <{value = dense<1.0> : tile<4xf32>}> : () -> tile<4xf32>
    %v = "cuda_tile.make_tensor_view"(%p, %n) <{operandSegmentSizes = array<i32: 1, 1, 0>}>
        : (tile<ptr<f32>>, tile<i32>) -> tensor_view<?xf32, strides=[1]>
    %r = "cuda_tile.for"(%n, %n, %n, %c) ({
    ^bb0(%i: tile<i32>, %s: tile<4xf32>):
      %x = "cuda_tile.addf"(%s, %s) <{rounding_mode = #cuda_tile.rounding<zero>}>
          : (tile<4xf32>, tile<4xf32>) -> tile<4xf32>
      "cuda_tile.continue"(%x) : (tile<4xf32>) -> ()
    }) : (tile<i32>, tile<i32>, tile<i32>, tile<4xf32>) -> tile<4xf32>
    %q = "cuda_tile.reduce"(%r) <{dim = 0 : i32, identities = [0.0 : f32]}> ({
    ^bb0(%a: tile<f32>, %b: tile<f32>):
      %y = "cuda_tile.maxf"(%a, %b) <{propagate_nan}> : (tile<f32>, tile<f32>) -> tile<f32>
      "cuda_tile.yield"(%y) : (tile<f32>) -> ()
    }) : (tile<4xf32>) -> tile<f32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
}) : () -> ()
