// SPDX-License-Identifier: Apache-2.0
// Kernels without reductions: addition, activations, dropout, rotary embedding.
#include "kernels/activation.hpp"
#include "kernels/rope.hpp"
#include "kernels/vadd.hpp"
#include "reference.hpp"

namespace tw::tests {
namespace {

template <class T>
class PointwiseTest : public ::testing::Test {};
TYPED_TEST_SUITE(PointwiseTest, FloatTypes);

TYPED_TEST(PointwiseTest, VaddIsExactlyRounded) {
  using T = TypeParam;
  Random<T> random(31);
  for (const std::int64_t n :
       {0, 1, 2, 3, 7, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 255, 256, 257, 1000, 1024}) {
    const Doubles x = random.uniform(n);
    const Doubles y = random.uniform(n);
    Doubles want;
    for (std::size_t i = 0; i < x.size(); ++i)
      want.push_back(number_of(element_of<T>(x[i] + y[i])));
    auto run = [&](const Hints& hints) {
      return download(
          launch<kernels::vadd<T>>(empty<T>(n).partition({32}), upload<T>(x, n), upload<T>(y, n))
              .hint(hints)
              .sync()
              .join());
    };
    EXPECT_EQ(run({}), want) << n;
    EXPECT_EQ(run({.blocks = 3}), want) << n;
  }
}

TYPED_TEST(PointwiseTest, VaddReadsExpandedInputs) {
  using T = TypeParam;
  const auto one = upload<T>({0.5}, 1);
  const auto x = upload<T>({1, 2, 3, 4, 5}, 5);
  const auto z =
      launch<kernels::vadd<T>>(empty<T>(5).partition({2}), x, one.expanded({5})).sync().join();
  EXPECT_EQ(download(z), (Doubles{1.5, 2.5, 3.5, 4.5, 5.5}));
}

double silu(double x) { return x / (1 + std::exp(-x)); }
double silu_slope(double x) {
  const double s = 1 / (1 + std::exp(-x));
  return s + x * s * (1 - s);
}

TYPED_TEST(PointwiseTest, GatedActivationsAgreeWithTheirFormulas) {
  using T = TypeParam;
  Random<T> random(32);
  const double relative = 2 * unit_roundoff<T>() + 1e-5;
  for (const auto& [m, n] : std::vector<std::pair<std::int64_t, std::int64_t>>{
           {1, 1},  {1, 2},   {2, 3},   {3, 7},  {4, 8},  {5, 9},  {8, 16},
           {9, 17}, {16, 5},  {17, 33}, {2, 40}, {31, 2}, {1, 64}, {64, 1},
           {7, 7},  {10, 20}, {6, 31},  {3, 32}, {0, 4},  {12, 12}}) {
    const Doubles x = random.uniform(m * 2 * n, -4, 4);
    const Doubles dc = random.uniform(m * n);
    Doubles c;
    Doubles da;
    Doubles db;
    Doubles left;
    Doubles right;
    for (std::int64_t i = 0; i < m; ++i) {
      for (std::int64_t j = 0; j < n; ++j) {
        const double a = x[static_cast<std::size_t>(i * 2 * n + j)];
        const double b = x[static_cast<std::size_t>(i * 2 * n + n + j)];
        const double d = dc[static_cast<std::size_t>(i * n + j)];
        left.push_back(a);
        right.push_back(b);
        c.push_back(silu(a) * b);
        da.push_back(d * b * silu_slope(a));
        db.push_back(d * silu(a));
      }
    }
    const std::string what = std::to_string(m) + "x" + std::to_string(n);
    const auto tx = upload<T>(x, m, 2 * n);
    const auto tdc = upload<T>(dc, m, n);
    auto out = [&] { return empty<T>(m, n).partition({4, 16}); };
    expect_close(download(launch<kernels::silu_and_mul<T>>(out(), tx).sync().join()), c, relative,
                 1e-5, what);
    auto [pa, pb] = launch<kernels::silu_and_mul_backward<T>>(out(), out(), tdc, tx).sync();
    expect_close(download(std::move(pa).join()), da, relative, 1e-5, "da " + what);
    expect_close(download(std::move(pb).join()), db, relative, 1e-5, "db " + what);
    const auto ta = upload<T>(left, m, n);
    const auto tb = upload<T>(right, m, n);
    expect_close(download(launch<kernels::swiglu<T>>(out(), ta, tb).sync().join()), c, relative,
                 1e-5, what);
    auto [qa, qb] = launch<kernels::swiglu_backward<T>>(out(), out(), tdc, ta, tb).sync();
    expect_close(download(std::move(qa).join()), da, relative, 1e-5, "swiglu da " + what);
    expect_close(download(std::move(qb).join()), db, relative, 1e-5, "swiglu db " + what);
  }
}

/// The hash of dropout.hpp on 32-bit integers of the host.
float dropout_uniform(std::int32_t i, std::int32_t seed) {
  const auto wrap = [](std::uint32_t x) { return static_cast<std::int32_t>(x); };
  const std::int32_t a =
      wrap(static_cast<std::uint32_t>(i) * 1103515245u + static_cast<std::uint32_t>(seed));
  const std::int32_t b = a ^ (a >> 16);
  const std::int32_t c = b ^ wrap(static_cast<std::uint32_t>(b) << 8);
  return static_cast<float>((c ^ (c >> 4)) & 0x7fffffff) / 2147483647.f;
}

TYPED_TEST(PointwiseTest, DropoutKeepsWhatItsHashSays) {
  using T = TypeParam;
  Random<T> random(33);
  for (const std::int64_t n :
       {0, 1, 2, 3, 5, 8, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 200, 255, 256, 300}) {
    const Doubles x = random.uniform(n);
    const float p = 0.4f;
    const int seed = 0x1234567;
    Doubles want;
    for (std::int64_t i = 0; i < n; ++i) {
      const bool kept = dropout_uniform(static_cast<std::int32_t>(i), seed) > p;
      want.push_back(kept ? x[static_cast<std::size_t>(i)] / (1 - static_cast<double>(p)) : 0);
    }
    const auto z =
        launch<kernels::dropout<T>>(empty<T>(n).partition({64}), upload<T>(x, n), p, seed)
            .sync()
            .join();
    expect_close(download(z), want, unit_roundoff<T>() + 1e-6, 0, std::to_string(n));
  }
}

TYPED_TEST(PointwiseTest, RopeTurnsInPlace) {
  using T = TypeParam;
  Random<T> random(34);
  struct Case {
    std::int64_t batch, heads, key_heads, length, width, half;
  };
  for (const Case& c :
       {Case{1, 1, 1, 1, 2, 1},    Case{2, 3, 1, 5, 16, 8},  Case{2, 3, 1, 5, 20, 6},
        Case{1, 4, 4, 9, 8, 4},    Case{3, 2, 1, 2, 64, 32}, Case{1, 5, 2, 7, 12, 3},
        Case{1, 2, 1, 3, 4, 2},    Case{2, 1, 1, 8, 6, 3},   Case{1, 3, 3, 4, 10, 5},
        Case{1, 1, 1, 17, 32, 16}, Case{4, 2, 2, 3, 16, 4},  Case{1, 7, 1, 2, 24, 12},
        Case{2, 6, 3, 5, 40, 20},  Case{1, 2, 2, 31, 8, 2},  Case{1, 8, 8, 1, 128, 64},
        Case{5, 1, 1, 1, 2, 1},    Case{1, 4, 1, 6, 14, 7},  Case{2, 2, 1, 9, 18, 8},
        Case{3, 3, 3, 3, 3, 1},    Case{1, 1, 1, 40, 20, 10}}) {
    const Doubles q = random.uniform(c.batch * c.heads * c.length * c.width);
    const Doubles k = random.uniform(c.batch * c.key_heads * c.length * c.width);
    const Doubles cosines = random.uniform(c.length * c.half);
    const Doubles sines = random.uniform(c.length * c.half);
    const auto turned = [&](Doubles x, std::int64_t heads) {
      for (std::int64_t i = 0; i < c.batch * heads; ++i) {
        for (std::int64_t t = 0; t < c.length; ++t) {
          for (std::int64_t d = 0; d < c.half; ++d) {
            double& lo = x[static_cast<std::size_t>((i * c.length + t) * c.width + d)];
            double& hi = x[static_cast<std::size_t>((i * c.length + t) * c.width + d + c.half)];
            const double co = cosines[static_cast<std::size_t>(t * c.half + d)];
            const double si = sines[static_cast<std::size_t>(t * c.half + d)];
            const double old = lo;
            lo = old * co - hi * si;
            hi = hi * co + old * si;
          }
        }
      }
      return x;
    };
    auto tq = upload<T>(q, c.batch, c.heads, c.length, c.width);
    auto tk = upload<T>(k, c.batch, c.key_heads, c.length, c.width);
    const auto tc = upload<T>(cosines, 1, c.length, c.half);
    const auto ts = upload<T>(sines, 1, c.length, c.half);
    launch<kernels::rope<T>>(mut(tq).partition({1, all, 1, whole}),
                             mut(tk).partition({1, all, 1, whole}), tc, ts,
                             static_cast<int>(c.half))
        .sync();
    const double relative = unit_roundoff<T>() + 2e-7;
    expect_close(download(tq), turned(q, c.heads), relative, 1e-6, "q");
    expect_close(download(tk), turned(k, c.key_heads), relative, 1e-6, "k");
  }
}

}  // namespace
}  // namespace tw::tests
