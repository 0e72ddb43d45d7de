// SPDX-License-Identifier: Apache-2.0
// Multiplies matrices under several schedules: hints change the order of the work, never a bit of
// the result.
#include "kernels/matmul.hpp"

#include <cstddef>
#include <cstdio>
#include <vector>

#include <tilewright/tilewright.hpp>

#include "check.hpp"

namespace {

constexpr std::size_t m = 200;
constexpr std::size_t n = 150;
constexpr std::size_t k = 90;

std::vector<double> multiply(const std::vector<float>& a, const std::vector<float>& b) {
  std::vector<double> c(m * n);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t x = 0; x < k; ++x) c[i * n + j] += double{a[i * k + x]} * b[x * n + j];
    }
  }
  return c;
}

void matmul() {
  const std::vector<float> left = examples::normal_numbers(m * k, 0, 1, 1);
  const std::vector<float> right = examples::normal_numbers(k * n, 0, 1, 2);
  const auto a = tw::from_host<float>(left, m, k);
  const auto b = tw::from_host<float>(right, k, n);
  const auto run = [&](const tw::Hints& hints) {
    return tw::to_host(
        tw::launch<tw::kernels::matmul<float>>(tw::empty<float>(m, n).partition({32, 32}), a, b, 16)
            .hint(hints)
            .sync()
            .join());
  };

  const std::vector<float> plain = run({});
  const double error = examples::largest_error(plain, multiply(left, right));
  std::printf("%zu x %zu times %zu x %zu: largest error %.1e\n", m, k, k, n, error);
  examples::check(error < 1e-4, "the product is that of plain loops");

  examples::check(run({.swizzle = 4}) == plain, "swizzled blocks give the same bits");
  std::printf("swizzled: the same bits\n");
  examples::check(run({.blocks = 8}) == plain, "persistent blocks give the same bits");
  std::printf("8 persistent blocks: the same bits\n");
  examples::check(run({.blocks = 8, .swizzle = 4}) == plain, "both together give the same bits");
  std::printf("swizzled and persistent: the same bits\n");
}

}  // namespace

int main() { return examples::run(matmul); }
