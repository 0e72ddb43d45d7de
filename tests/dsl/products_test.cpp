// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include <tilewright/tilewright.hpp>

/// Matrix products of small whole numbers, which every accumulator holds exactly.
namespace tw::tests {
namespace {

struct Size {
  int m, n, k;
};
const std::vector<Size> sizes = {{1, 1, 1}, {2, 4, 8}, {3, 5, 20}, {20, 3, 5}, {5, 96, 3}};

template <class T>
T element_of(int number) {
  if constexpr (std::is_arithmetic_v<T>) {
    return static_cast<T>(number);
  } else {
    return T(static_cast<float>(number));
  }
}

/// Whole numbers from `low` to `low` + 4.
std::vector<int> numbers(int count, int seed, int low) {
  std::vector<int> result;
  for (int i = 0; i < count; ++i) result.push_back((i * 7 + seed) % 5 + low);
  return result;
}
template <class T>
std::vector<T> elements(const std::vector<int>& numbers) {
  std::vector<T> result;
  for (const int number : numbers) result.push_back(element_of<T>(number));
  return result;
}

std::vector<int> product(const std::vector<int>& a, const std::vector<int>& b, Size size) {
  std::vector<int> result(static_cast<std::size_t>(size.m * size.n));
  for (int i = 0; i < size.m; ++i) {
    for (int j = 0; j < size.n; ++j) {
      for (int k = 0; k < size.k; ++k) {
        result[static_cast<std::size_t>(i * size.n + j)] +=
            a[static_cast<std::size_t>(i * size.k + k)] *
            b[static_cast<std::size_t>(k * size.n + j)];
      }
    }
  }
  return result;
}

/// One tile of each factor: the lanes that pad them hold what the loads put there, and more after
/// `+ 1 - 1`.
template <class A, class B, class C>
void multiply(Out<C, dyn, dyn> c, In2<A> a, In2<B> b, int k) {
  auto left = a.tiles(dim<0>(c), k)(0, 0);
  auto right = b.tiles(k, dim<1>(c))(0, 0);
  c.store(mma(left, right, full<C>(1, dim<0>(c), dim<1>(c))));
}

template <class A, class B, class C>
void expect_products(int lowest_a, int lowest_b) {
  for (const Size& size : sizes) {
    const std::vector<int> a = numbers(size.m * size.k, 1, lowest_a);
    const std::vector<int> b = numbers(size.k * size.n, 3, lowest_b);
    const std::vector<C> got =
        to_host(launch<multiply<A, B, C>>(empty<C>(size.m, size.n).partition({all, all}),
                                          from_host<A>(elements<A>(a), size.m, size.k),
                                          from_host<B>(elements<B>(b), size.k, size.n), size.k)
                    .sync()
                    .join());
    const std::vector<int> want = product(a, b, size);
    for (std::size_t i = 0; i < want.size(); ++i) {
      ASSERT_EQ(static_cast<double>(got[i]), want[i] + 1)
          << size.m << " x " << size.k << " x " << size.n << " at " << i;
    }
  }
}

TEST(ProductsTest, FloatsAccumulateInTheTypesThatTheHardwareHas) {
  expect_products<half, half, half>(-2, -2);
  expect_products<half, half, float>(-2, -2);
  expect_products<bf16, bf16, float>(-2, -2);
  expect_products<tf32, tf32, float>(-2, -2);
  expect_products<float, float, float>(-2, -2);
  expect_products<double, double, double>(-2, -2);
  expect_products<f8e4m3, f8e4m3, float>(-2, -2);
  expect_products<f8e5m2, f8e5m2, half>(-2, -2);
}

TEST(ProductsTest, BytesMultiplyWithTheirOwnSigns) {
  expect_products<std::int8_t, std::int8_t, int>(-128, 123);
  expect_products<std::uint8_t, std::uint8_t, int>(250, 251);
  expect_products<std::uint8_t, std::int8_t, int>(250, -128);
  expect_products<std::int8_t, std::uint8_t, int>(-128, 250);
}

/// Lanes beyond k are not zero here: exp of a padded zero is one.
void multiply_padded(Out<float, dyn, dyn> c, In2<float> a, int k) {
  auto left = a.tiles(dim<0>(c), k)(0, 0) + 1.f;
  auto right = transpose(a.tiles(dim<1>(c), k)(0, 0)) + 1.f;
  c.store(dot(left, right));
}

TEST(ProductsTest, WhatPadsTheDepthDoesNotCount) {
  for (const int k : {3, 5, 20}) {
    const std::vector<int> x = numbers(4 * k, 2, -2);
    std::vector<int> left;
    for (const int each : x) left.push_back(each + 1);
    std::vector<int> right(left.size());
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t j = 0; j < static_cast<std::size_t>(k); ++j) {
        right[j * 4 + i] = left[i * static_cast<std::size_t>(k) + j];
      }
    }
    const auto got = to_host(launch<multiply_padded>(empty<float>(4, 4).partition({all, all}),
                                                     from_host<float>(elements<float>(x), 4, k), k)
                                 .sync()
                                 .join());
    const std::vector<int> want = product(left, right, {4, 4, k});
    EXPECT_EQ(std::vector<int>(got.begin(), got.end()), want) << k;
  }
}

void multiply_batch(Out<float, dyn, dyn, dyn> c, In3<half> a, In3<half> b, int k) {
  auto batch = dim<0>(c);
  auto left = a.tiles(batch, dim<1>(c), k)(0, 0, 0);
  auto right = b.tiles(batch, k, dim<2>(c))(0, 0, 0);
  c.store(mma(left, right, zeros<float>(batch, dim<1>(c), dim<2>(c))));
}

TEST(ProductsTest, BatchesMultiplyOneByOne) {
  constexpr Size size{3, 5, 6};
  constexpr int batch = 3;
  const std::vector<int> a = numbers(batch * size.m * size.k, 1, -2);
  const std::vector<int> b = numbers(batch * size.k * size.n, 4, -1);
  const auto got = to_host(
      launch<multiply_batch>(empty<float>(batch, size.m, size.n).partition({all, all, all}),
                             from_host<half>(elements<half>(a), batch, size.m, size.k),
                             from_host<half>(elements<half>(b), batch, size.k, size.n), size.k)
          .sync()
          .join());
  for (int each = 0; each < batch; ++each) {
    const auto first_a = a.begin() + each * size.m * size.k;
    const auto first_b = b.begin() + each * size.k * size.n;
    const std::vector<int> want =
        product({first_a, first_a + size.m * size.k}, {first_b, first_b + size.k * size.n}, size);
    const auto first = got.begin() + each * size.m * size.n;
    EXPECT_EQ(std::vector<int>(first, first + size.m * size.n), want) << each;
  }
}

void multiply_scaled(Out<float, 16, 16> c, In2<f8e4m3> a, In2<f8e4m3> b, In2<f8e8m0> sa,
                     In2<f8e8m0> sb) {
  c.store(mma_scaled(a.tiles<16, 64>()(0, 0), b.tiles<64, 16>()(0, 0),
                     full(1.f, dim<0>(c), dim<1>(c)), sa.tiles<16, 2>()(0, 0),
                     sb.tiles<2, 16>()(0, 0)));
}

TEST(ProductsTest, ScalesMultiplyBlocksOf32) {
  constexpr Size size{16, 16, 64};
  const std::vector<int> a = numbers(size.m * size.k, 1, -2);
  const std::vector<int> b = numbers(size.k * size.n, 3, -2);
  std::vector<int> scale_a;
  std::vector<int> scale_b;
  for (int i = 0; i < 32; ++i) {
    scale_a.push_back(1 << i % 3);
    scale_b.push_back(1 << i % 2);
  }
  const auto got =
      to_host(launch<multiply_scaled>(empty<float>(16, 16).partition({16, 16}),
                                      from_host<f8e4m3>(elements<f8e4m3>(a), 16, 64),
                                      from_host<f8e4m3>(elements<f8e4m3>(b), 64, 16),
                                      from_host<f8e8m0>(elements<f8e8m0>(scale_a), 16, 2),
                                      from_host<f8e8m0>(elements<f8e8m0>(scale_b), 2, 16))
                  .sync()
                  .join());
  std::vector<int> scaled_a = a;
  std::vector<int> scaled_b = b;
  for (std::size_t i = 0; i < scaled_a.size(); ++i) scaled_a[i] *= scale_a[i / 32];
  for (std::size_t i = 0; i < scaled_b.size(); ++i) scaled_b[i] *= scale_b[i / 512 * 16 + i % 16];
  const std::vector<int> want = product(scaled_a, scaled_b, size);
  for (std::size_t i = 0; i < want.size(); ++i) EXPECT_EQ(got[i], static_cast<float>(want[i] + 1));
}

}  // namespace
}  // namespace tw::tests
