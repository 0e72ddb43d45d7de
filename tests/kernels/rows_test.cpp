// SPDX-License-Identifier: Apache-2.0
// Kernels that work row by row: softmax, normalisations and their gradients.
#include <limits>

#include "kernels/normalisation.hpp"
#include "kernels/softmax.hpp"
#include "reference.hpp"

namespace tw::tests {
namespace {

struct Rows {
  std::int64_t m, n;
};
const std::vector<Rows> sizes = {{1, 1},  {1, 2},   {2, 1},   {3, 5},   {4, 8},   {5, 16},
                                 {7, 17}, {8, 31},  {9, 32},  {10, 33}, {16, 64}, {17, 63},
                                 {3, 65}, {2, 100}, {1, 128}, {33, 3},  {64, 1},  {5, 96},
                                 {0, 4},  {6, 7},   {13, 48}};

std::string name(const Rows& size) { return std::to_string(size.m) + "x" + std::to_string(size.n); }

/// Calls f(row of x, row of y) for each row.
template <class F>
Doubles by_rows(const Doubles& x, const Rows& size, F f) {
  Doubles y(x.size());
  for (std::int64_t i = 0; i < size.m; ++i)
    f(&x[static_cast<std::size_t>(i * size.n)], &y[static_cast<std::size_t>(i * size.n)]);
  return y;
}

Doubles softmax(const Doubles& x, const Rows& size) {
  return by_rows(x, size, [&](const double* in, double* out) {
    double best = -std::numeric_limits<double>::infinity();
    double total = 0;
    for (std::int64_t j = 0; j < size.n; ++j) best = std::max(best, in[j]);
    for (std::int64_t j = 0; j < size.n; ++j) total += std::exp(in[j] - best);
    for (std::int64_t j = 0; j < size.n; ++j) out[j] = std::exp(in[j] - best) / total;
  });
}

template <class T>
class RowsTest : public ::testing::Test {};
TYPED_TEST_SUITE(RowsTest, FloatTypes);

TYPED_TEST(RowsTest, SoftmaxAgreesWithPlainLoops) {
  using T = TypeParam;
  Random<T> random(11);
  for (const Rows& size : sizes) {
    const Doubles numbers = random.uniform(size.m * size.n, -8, 8);
    const Doubles want = softmax(numbers, size);
    const auto x = upload<T>(numbers, size.m, size.n);
    const double relative =
        unit_roundoff<T>() + static_cast<double>(size.n + 40) * unit_roundoff<float>();
    auto run = [&](const Hints& hints) {
      return download(launch<kernels::softmax<T>>(empty<T>(size.m, size.n).partition({4, all}), x)
                          .hint(hints)
                          .sync()
                          .join());
    };
    const Doubles plain = run({});
    expect_close(plain, want, relative, 1e-7, "softmax " + name(size));
    EXPECT_EQ(run({.blocks = 2}), plain) << name(size);
    const auto chunked =
        launch<kernels::softmax_chunked<T>>(empty<T>(size.m, size.n).partition({1, whole}), x, 16)
            .sync()
            .join();
    expect_close(download(chunked), want, relative, 1e-7, "chunked softmax " + name(size));
  }
}

TEST(RowsStridesTest, SoftmaxReadsTransposedInputs) {
  Random<float> random(12);
  const Rows size{9, 21};
  const Doubles numbers = random.uniform(size.m * size.n);
  Doubles columns(numbers.size());
  for (std::int64_t i = 0; i < size.m; ++i) {
    for (std::int64_t j = 0; j < size.n; ++j) {
      columns[static_cast<std::size_t>(j * size.m + i)] =
          numbers[static_cast<std::size_t>(i * size.n + j)];
    }
  }
  const auto x = upload<float>(columns, size.n, size.m);
  const auto y = launch<kernels::softmax<float>>(empty<float>(size.m, size.n).partition({2, all}),
                                                 x.transposed())
                     .sync()
                     .join();
  expect_close(download(y), softmax(numbers, size), 1e-5, 1e-7, "transposed softmax");
}

TYPED_TEST(RowsTest, RmsNormAgreesWithPlainLoops) {
  using T = TypeParam;
  Random<T> random(13);
  constexpr double eps = 1e-5;
  for (const Rows& size : sizes) {
    const Doubles numbers = random.uniform(size.m * size.n);
    const Doubles weight = random.uniform(size.n);
    Doubles rstd;
    const Doubles want = by_rows(numbers, size, [&](const double* in, double* out) {
      double squares = 0;
      for (std::int64_t j = 0; j < size.n; ++j) squares += in[j] * in[j];
      rstd.push_back(1 / std::sqrt(squares / static_cast<double>(size.n) + eps));
      for (std::int64_t j = 0; j < size.n; ++j)
        out[j] = in[j] * rstd.back() * (1 + weight[static_cast<std::size_t>(j)]);
    });
    const auto x = upload<T>(numbers, size.m, size.n);
    const auto w = upload<T>(weight, size.n);
    const double relative =
        unit_roundoff<T>() + static_cast<double>(size.n + 20) * unit_roundoff<float>();
    auto [y, r] =
        launch<kernels::rms_norm<T>>(empty<T>(size.m, size.n).partition({4, all}),
                                     empty<float>(size.m).partition({4}), x, w, 1e-5f, 1.f)
            .sync();
    expect_close(download(std::move(y).join()), want, relative, 1e-6, "rms_norm " + name(size));
    expect_close(download(std::move(r).join()), rstd, 1e-5, 0, "rstd " + name(size));
    const auto persistent =
        launch<kernels::rms_norm<T>>(empty<T>(size.m, size.n).partition({4, all}), std::nullopt, x,
                                     w, 1e-5f, 1.f)
            .hint({.blocks = 2})
            .sync()
            .join();
    expect_close(download(persistent), want, relative, 1e-6, "persistent rms_norm " + name(size));
    const auto chunked = launch<kernels::rms_norm_chunked<T>>(
                             empty<T>(size.m, size.n).partition({1, whole}), x, w, 1e-5f, 1.f, 16)
                             .sync()
                             .join();
    expect_close(download(chunked), want, relative, 1e-6, "chunked rms_norm " + name(size));
  }
}

TYPED_TEST(RowsTest, RmsNormGradientsAgreeWithPlainLoops) {
  using T = TypeParam;
  Random<T> random(14);
  for (const Rows& size : sizes) {
    if (size.m == 0) continue;  // nothing to sum
    const Doubles x = random.uniform(size.m * size.n);
    const Doubles w = random.uniform(size.n);
    const Doubles dy = random.uniform(size.m * size.n);
    Doubles rstd;
    Doubles dx(x.size());
    Doubles dw(w.size());
    for (std::int64_t i = 0; i < size.m; ++i) {
      const auto at = [&](std::int64_t j) { return static_cast<std::size_t>(i * size.n + j); };
      double squares = 0;
      for (std::int64_t j = 0; j < size.n; ++j) squares += x[at(j)] * x[at(j)];
      const double r = static_cast<double>(
          static_cast<float>(1 / std::sqrt(squares / static_cast<double>(size.n) + 1e-5)));
      rstd.push_back(r);
      double mean = 0;
      for (std::int64_t j = 0; j < size.n; ++j) {
        mean +=
            x[at(j)] * r * dy[at(j)] * w[static_cast<std::size_t>(j)] / static_cast<double>(size.n);
        dw[static_cast<std::size_t>(j)] += dy[at(j)] * x[at(j)] * r;
      }
      for (std::int64_t j = 0; j < size.n; ++j) {
        dx[at(j)] = (dy[at(j)] * w[static_cast<std::size_t>(j)] - x[at(j)] * r * mean) * r;
      }
    }
    auto [pdx, pdw] =
        launch<kernels::rms_norm_backward<T>>(
            empty<T>(size.m, size.n).partition({4, all}),
            zeroed<float>(3, size.n).partition({1, all}), upload<T>(dy, size.m, size.n),
            upload<T>(x, size.m, size.n), upload<T>(w, size.n), upload<float>(rstd, size.m))
            .sync();
    const double relative = unit_roundoff<T>() + 1e-5;
    expect_close(download(std::move(pdx).join()), dx, relative, 1e-5, "dx " + name(size));
    const Doubles parts = download(std::move(pdw).join());
    Doubles sums(dw.size());
    for (std::size_t i = 0; i < parts.size(); ++i) sums[i % dw.size()] += parts[i];
    expect_close(sums, dw, 1e-5, 1e-5, "dw " + name(size));
  }
}

TYPED_TEST(RowsTest, LayerNormAgreesWithPlainLoops) {
  using T = TypeParam;
  Random<T> random(15);
  for (const Rows& size : sizes) {
    const Doubles numbers = random.uniform(size.m * size.n);
    const Doubles weight = random.uniform(size.n);
    const Doubles bias = random.uniform(size.n);
    Doubles means;
    Doubles rstds;
    const Doubles want = by_rows(numbers, size, [&](const double* in, double* out) {
      const auto n = static_cast<double>(size.n);
      double mean = 0;
      double variance = 0;
      for (std::int64_t j = 0; j < size.n; ++j) mean += in[j] / n;
      for (std::int64_t j = 0; j < size.n; ++j) variance += (in[j] - mean) * (in[j] - mean) / n;
      means.push_back(mean);
      rstds.push_back(1 / std::sqrt(variance + 1e-3));
      for (std::int64_t j = 0; j < size.n; ++j) {
        out[j] = (in[j] - mean) * rstds.back() * weight[static_cast<std::size_t>(j)] +
                 bias[static_cast<std::size_t>(j)];
      }
    });
    const auto x = upload<T>(numbers, size.m, size.n);
    const auto w = upload<T>(weight, size.n);
    const auto b = upload<T>(bias, size.n);
    auto [y, mean, rstd] =
        launch<kernels::layer_norm<T>>(empty<T>(size.m, size.n).partition({1, whole}),
                                       empty<float>(size.m).partition({1}),
                                       empty<float>(size.m).partition({1}), x, w, b, 1e-3f, 16)
            .sync();
    const double relative = unit_roundoff<T>() + 1e-4;
    expect_close(download(std::move(y).join()), want, relative, 1e-4, "layer_norm " + name(size));
    expect_close(download(std::move(mean).join()), means, 1e-5, 1e-6, "mean " + name(size));
    expect_close(download(std::move(rstd).join()), rstds, 1e-4, 0, "rstd " + name(size));
  }
}

}  // namespace
}  // namespace tw::tests
