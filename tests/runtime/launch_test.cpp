// SPDX-License-Identifier: Apache-2.0
#include <numeric>
#include <vector>

#include <gmock/gmock.h>

#include <tilewright/kernel.hpp>
#include <tilewright/runtime/create.hpp>
#include <tilewright/runtime/launch.hpp>
#include <tilewright/runtime/transfer.hpp>

namespace {

using namespace tw;
using testing::ElementsAre;

template <class T, int B = dyn>
void add(Out<T, B> z, In<T, dyn> x, In<T, dyn> y) {
  z.store(x.load_like(z) + y.load_like(z));
}

std::vector<float> counting(std::size_t count) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), 0.f);
  return values;
}

class LaunchTest : public testing::Test {
 protected:
  Stream stream_{Device::cpu()};
};

TEST_F(LaunchTest, GivesBackWhatItWasGiven) {
  const auto x = from_host<float>(counting(1000), 1000);
  const auto y = from_host<float>(counting(1000), 1000);
  auto z = launch<add<float>>(empty<float>(1000).partition({128}), x, y).on(stream_);
  const Tensor<float, 1> sum = std::move(z).join();
  std::vector<float> expected(1000);
  for (std::size_t i = 0; i < 1000; ++i) expected[i] = 2.f * static_cast<float>(i);
  EXPECT_EQ(to_host(sum), expected);
}

}  // namespace
