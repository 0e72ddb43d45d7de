// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include <gmock/gmock.h>

#include <tilewright/tilewright.hpp>

/// Tensors of four-bit elements in kernels, whose blocks and tiles are whole bytes.
namespace tw::tests {
namespace {

using testing::Each;
using testing::ElementsAre;

void encode(Out<f4e2m1, dyn, dyn> y, In2<float> x) { y.store(as<f4e2m1>(x.load_like(y))); }

void decode(Out<float, dyn, dyn> y, In2<f4e2m1> x) { y.store(as<float>(x.load_like(y))); }

/// Two rows of numbers that four bits hold.
Tensor<float, 2> numbers() { return from_host<float>({1, 2, 3, 4, 6, 1, 2, 3, 4, 6, 1, 2}, 2, 6); }

Tensor<f4e2m1, 2> encoded() {
  return launch<encode>(empty<f4e2m1>(2, 6).partition({1, all}), numbers()).sync().join();
}

TEST(FourBitKernels, StoreAndLoadBoxesOfWholeBytes) {
  for (const int cut : {2, 4, 8}) {
    auto codes = launch<encode>(zeroed<f4e2m1>(2, 6).partition({1, cut}), numbers()).sync().join();
    // 1 is 2, 2 is 4, 3 is 5, 4 is 6, 6 is 7.
    EXPECT_THAT(to_host(codes), ElementsAre(0x42, 0x65, 0x27, 0x54, 0x76, 0x42)) << cut;
    const auto back = launch<decode>(empty<float>(2, 6).partition({2, cut}), codes).sync().join();
    EXPECT_EQ(to_host(back), to_host(numbers())) << cut;
  }
}

void views(Out<float, 2> row, Out<float, 2> part, In2<f4e2m1> x) {
  row.store(as<float>(select<0>(x, 1).tiles(2)(2)));
  part.store(as<float>(squeeze<0>(slice<0>(x, 1, 1).tiles(1, 2)(0, 1))));
}

TEST(FourBitKernels, ViewTheOtherAxes) {
  auto [row, part] =
      launch<views>(empty<float>(2).partition({2}), empty<float>(2).partition({2}), encoded())
          .sync()
          .join();
  EXPECT_THAT(to_host(row), ElementsAre(1, 2));
  EXPECT_THAT(to_host(part), ElementsAre(4, 6));
}

/// Blocks count how often their box does not hold what they wrote last.
void rewrite(InOut<f4e2m1, 2> y, Out<int, 2> wrong, Int times) {
  Var found = zeros<int>(2);
  for (Int i : range(times)) {
    auto value = full(0.f, 2) + as<float>(i % 2 + 1);
    y.store(as<f4e2m1>(value));
    found = found + as<int>(as<float>(y.load()) != value);
  }
  wrong.store(found);
}

TEST(FourBitKernels, LoseNoWriteBesideAnother) {
  auto y = zeroed<f4e2m1>(8);
  const auto wrong =
      launch<rewrite>(mut(y).partition({2}), empty<int>(8).partition({2}), 20000).sync().join();
  EXPECT_THAT(to_host(wrong), Each(0));
}

}  // namespace
}  // namespace tw::tests
