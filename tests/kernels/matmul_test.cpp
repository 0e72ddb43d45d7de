// SPDX-License-Identifier: Apache-2.0
#include "kernels/matmul.hpp"

#include "reference.hpp"

namespace tw::tests {
namespace {

struct Product {
  std::int64_t m, n, k;
};

Doubles multiply(const Doubles& a, const Doubles& b, Product size) {
  Doubles c(static_cast<std::size_t>(size.m * size.n));
  for (std::int64_t i = 0; i < size.m; ++i) {
    for (std::int64_t j = 0; j < size.n; ++j) {
      double sum = 0;
      for (std::int64_t k = 0; k < size.k; ++k) {
        sum += a[static_cast<std::size_t>(i * size.k + k)] *
               b[static_cast<std::size_t>(k * size.n + j)];
      }
      c[static_cast<std::size_t>(i * size.n + j)] = sum;
    }
  }
  return c;
}

Doubles transposed(const Doubles& x, std::int64_t rows, std::int64_t columns) {
  Doubles y(x.size());
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < columns; ++j) {
      y[static_cast<std::size_t>(j * rows + i)] = x[static_cast<std::size_t>(i * columns + j)];
    }
  }
  return y;
}

// Ragged, of one, empty, wide, tall; no sum at all leaves zeros.
const std::vector<Product> sizes = {
    {1, 1, 1},    {1, 1, 7},    {1, 5, 1},  {5, 1, 3},    {16, 16, 16}, {17, 16, 16}, {16, 17, 16},
    {16, 16, 17}, {33, 31, 29}, {2, 64, 5}, {64, 2, 5},   {3, 3, 100},  {40, 40, 1},  {0, 5, 3},
    {5, 0, 3},    {5, 3, 0},    {0, 0, 0},  {31, 33, 64}, {15, 47, 8},  {70, 50, 40}, {48, 48, 48},
};

/// Products are summed in float: k + 1 roundings there, one into T.
template <class T>
double bound(std::int64_t k) {
  return unit_roundoff<T>() + static_cast<double>(k + 1) * unit_roundoff<float>();
}

template <class T>
class MatmulTest : public ::testing::Test {};
TYPED_TEST_SUITE(MatmulTest, FloatTypes);

TYPED_TEST(MatmulTest, AgreesWithPlainLoopsUnderEverySchedule) {
  using T = TypeParam;
  Random<T> random(1);
  for (const Product& size : sizes) {
    const std::string what = "m n k " + std::to_string(size.m) + " " + std::to_string(size.n) +
                             " " + std::to_string(size.k);
    const Doubles a = random.uniform(size.m * size.k);
    const Doubles b = random.uniform(size.k * size.n);
    const auto left = upload<T>(a, size.m, size.k);
    const auto right = upload<T>(b, size.k, size.n);
    auto run = [&](const Hints& hints) {
      return download(
          launch<kernels::matmul<T>>(empty<T>(size.m, size.n).partition({16, 16}), left, right, 8)
              .hint(hints)
              .sync()
              .join());
    };
    const Doubles plain = run({});
    expect_close(plain, multiply(a, b, size), bound<T>(size.k),
                 static_cast<double>(size.k) * bound<T>(size.k), what);
    EXPECT_EQ(run({.swizzle = 3}), plain) << what;
    EXPECT_EQ(run({.blocks = 4}), plain) << what;
    EXPECT_EQ(run({.blocks = 3, .swizzle = 2}), plain) << what;
    const auto dealt = launch<kernels::matmul_dealt<T>>(
                           empty<T>(size.m, size.n).partition({16, 16}), left, right, 8)
                           .hint({.blocks = 5})
                           .sync()
                           .join();
    EXPECT_EQ(download(dealt), plain) << what;
  }
}

TYPED_TEST(MatmulTest, TakesTransposedAndSlicedFactors) {
  using T = TypeParam;
  Random<T> random(2);
  const Product size{21, 34, 19};
  const Doubles a = random.uniform(size.m * size.k);
  const Doubles b = random.uniform(size.k * size.n);
  const Doubles want = multiply(a, b, size);
  const double tolerance = static_cast<double>(size.k) * bound<T>(size.k);
  const auto a_transposed = upload<T>(transposed(a, size.m, size.k), size.k, size.m);
  const auto b_transposed = upload<T>(transposed(b, size.k, size.n), size.n, size.k);
  const auto c =
      launch<kernels::matmul<T>>(empty<T>(size.m, size.n).partition({16, 16}),
                                 a_transposed.transposed(), b_transposed.transposed(), 16)
          .sync()
          .join();
  expect_close(download(c), want, bound<T>(size.k), tolerance, "transposed factors");

  // The same product written through a transposed partition.
  auto flipped = zeroed<T>(size.n, size.m);
  launch<kernels::matmul<T>>(mut(flipped).transposed().partition({16, 16}),
                             a_transposed.transposed(), b_transposed.transposed(), 16)
      .sync();
  expect_close(download(flipped), transposed(want, size.m, size.n), bound<T>(size.k), tolerance,
               "transposed result");
}

TYPED_TEST(MatmulTest, MultipliesBatches) {
  using T = TypeParam;
  Random<T> random(3);
  std::int64_t q = 0;
  for (const Product& size : sizes) {
    q = q % 5 + 1;
    const Doubles a = random.uniform(q * size.m * size.k);
    const Doubles b = random.uniform(q * size.k * size.n);
    Doubles want;
    for (std::int64_t i = 0; i < q; ++i) {
      const Doubles left(a.begin() + i * size.m * size.k, a.begin() + (i + 1) * size.m * size.k);
      const Doubles right(b.begin() + i * size.k * size.n, b.begin() + (i + 1) * size.k * size.n);
      const Doubles product = multiply(left, right, size);
      want.insert(want.end(), product.begin(), product.end());
    }
    const auto left = upload<T>(a, q, size.m, size.k);
    const auto right = upload<T>(b, q, size.k, size.n);
    auto run = [&](const Hints& hints) {
      return download(
          launch<kernels::bmm<T>>(empty<T>(q, size.m, size.n).partition({1, 8, 8}), left, right, 4)
              .hint(hints)
              .sync()
              .join());
    };
    const Doubles plain = run({});
    expect_close(plain, want, bound<T>(size.k), static_cast<double>(size.k) * bound<T>(size.k),
                 "bmm");
    EXPECT_EQ(run({.blocks = 5, .swizzle = 2}), plain);
  }
}

/// Lists of no problem, of one and of many, some of them empty.
const std::vector<std::vector<Product>> groups = {
    sizes,
    {},
    {{1, 1, 1}},
    {{0, 0, 0}},
    {{16, 16, 8}},
    {{5, 3, 0}},
    {{0, 5, 3}, {5, 0, 3}},
    {{0, 5, 3}, {7, 5, 3}},
    {{7, 5, 3}, {0, 5, 3}},
    {{4, 4, 4}, {0, 0, 4}, {4, 4, 4}},
    {{0, 1, 1}, {1, 0, 1}, {1, 1, 0}, {1, 1, 1}},
    {{17, 1, 9}, {1, 17, 9}},
    {{16, 32, 8}, {32, 16, 8}},
    {{33, 31, 5}, {2, 2, 2}, {31, 33, 7}},
    {{1, 40, 3}, {40, 1, 3}, {3, 3, 40}},
    {{8, 8, 8}, {8, 8, 8}, {8, 8, 8}, {8, 8, 8}},
    {{20, 20, 1}, {1, 20, 20}, {20, 1, 20}},
    {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}},
    {{15, 17, 16}, {16, 15, 17}, {17, 16, 15}},
    {{50, 2, 2}},
    {{2, 50, 2}, {0, 50, 2}, {2, 50, 0}},
    {{1, 1, 1}, {2, 2, 2}, {3, 3, 3}, {4, 4, 4}, {5, 5, 5}, {6, 6, 6}, {7, 7, 7}, {8, 8, 8}},
};

TYPED_TEST(MatmulTest, MultipliesLists) {
  using T = TypeParam;
  Random<T> random(4);
  for (std::size_t list = 0; list < groups.size(); ++list) {
    std::vector<Tensor<T, 2>> a;
    std::vector<Tensor<T, 2>> b;
    std::vector<Tensor<T, 2>> c;
    std::vector<Doubles> want;
    for (const Product& size : groups[list]) {
      const Doubles left = random.uniform(size.m * size.k);
      const Doubles right = random.uniform(size.k * size.n);
      want.push_back(multiply(left, right, size));
      a.push_back(upload<T>(left, size.m, size.k));
      b.push_back(upload<T>(right, size.k, size.n));
      c.push_back(empty<T>(size.m, size.n));
    }
    for (const int blocks : {1, 4, 1000}) {
      launch<kernels::group_gemm<T>>(mut(c).partition({16, 16}), a, b, 8)
          .hint({.blocks = blocks})
          .sync();
      for (std::size_t g = 0; g < want.size(); ++g) {
        const std::int64_t k = groups[list][g].k;
        expect_close(download(c[g]), want[g], bound<T>(k), static_cast<double>(k) * bound<T>(k),
                     "list " + std::to_string(list) + ", problem " + std::to_string(g));
      }
    }
  }
}

TEST(MatmulTypesTest, AccumulatesFp8InFloat) {
  Random<f8e4m3> random(5);
  const Product size{24, 40, 33};
  const Doubles a = random.uniform(size.m * size.k);
  const Doubles b = random.uniform(size.k * size.n);
  const auto c = launch<kernels::matmul<f8e4m3>>(empty<f8e4m3>(size.m, size.n).partition({16, 16}),
                                                 upload<f8e4m3>(a, size.m, size.k),
                                                 upload<f8e4m3>(b, size.k, size.n), 16)
                     .sync()
                     .join();
  expect_close(download(c), multiply(a, b, size), bound<f8e4m3>(size.k), 0.02, "f8e4m3");
}

}  // namespace
}  // namespace tw::tests
