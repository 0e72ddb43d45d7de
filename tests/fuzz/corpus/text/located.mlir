module {
  cuda_tile.module @kernels {
    entry @k() {
      %cst_1_i32 = constant <i32: 1> : tile<i32> loc("src/k.cpp":4:10)
      %cst_2_i32 = constant <i32: 2> : tile<i32> loc("/h.hpp":9:2)
      %cst_3_i32 = constant <i32: 3> : tile<i32> loc("src/h.cpp":23:5)
      return
    } loc("src/k.cpp":3:6)
  }
}
