// SPDX-License-Identifier: Apache-2.0
#include "kernels/delta_rule.hpp"

#include <bit>

#include "reference.hpp"

namespace tw::tests {
namespace {

struct Problem {
  std::int64_t batch, time, heads, value_heads, keys, values;
};

struct Inputs {
  Doubles q, k, v, beta, gate;
};

/// The gated delta rule step by step in double: S = e^g S + k (beta (v - k^T e^g S)), out = scale
/// q^T S.
struct Recurrence {
  Doubles out;   ///< (batch, time, value heads, values)
  Doubles last;  ///< (batch, value heads, keys, values)
};

Recurrence recur(const Problem& p, const Inputs& in, double scale) {
  Recurrence result;
  result.out.assign(static_cast<std::size_t>(p.batch * p.time * p.value_heads * p.values), 0);
  for (std::int64_t b = 0; b < p.batch; ++b) {
    for (std::int64_t hv = 0; hv < p.value_heads; ++hv) {
      const std::int64_t h = hv / (p.value_heads / p.heads);
      Doubles state(static_cast<std::size_t>(p.keys * p.values), 0);
      for (std::int64_t t = 0; t < p.time; ++t) {
        const auto key = [&](std::int64_t i) {
          return in.k[static_cast<std::size_t>(((b * p.time + t) * p.heads + h) * p.keys + i)];
        };
        const auto query = [&](std::int64_t i) {
          return in.q[static_cast<std::size_t>(((b * p.time + t) * p.heads + h) * p.keys + i)];
        };
        const std::int64_t at = (b * p.time + t) * p.value_heads + hv;
        for (double& s : state) s *= std::exp(in.gate[static_cast<std::size_t>(at)]);
        for (std::int64_t j = 0; j < p.values; ++j) {
          double kept = 0;
          for (std::int64_t i = 0; i < p.keys; ++i)
            kept += key(i) * state[static_cast<std::size_t>(i * p.values + j)];
          const double delta = in.beta[static_cast<std::size_t>(at)] *
                               (in.v[static_cast<std::size_t>(at * p.values + j)] - kept);
          double sum = 0;
          for (std::int64_t i = 0; i < p.keys; ++i) {
            double& s = state[static_cast<std::size_t>(i * p.values + j)];
            s += key(i) * delta;
            sum += query(i) * s;
          }
          result.out[static_cast<std::size_t>(at * p.values + j)] = sum * scale;
        }
      }
      result.last.insert(result.last.end(), state.begin(), state.end());
    }
  }
  return result;
}

template <class T>
Inputs make_inputs(const Problem& p, Random<T>& random) {
  return {random.uniform(p.batch * p.time * p.heads * p.keys),
          random.uniform(p.batch * p.time * p.heads * p.keys, -0.4, 0.4),
          random.uniform(p.batch * p.time * p.value_heads * p.values),
          random.uniform(p.batch * p.time * p.value_heads, 0.2, 0.7),
          random.uniform(p.batch * p.time * p.value_heads, -0.3, 0)};
}

template <class T>
class DeltaRuleTest : public ::testing::Test {};
TYPED_TEST_SUITE(DeltaRuleTest, FloatTypes);

const std::vector<Problem> recurrent_problems = {
    {1, 1, 1, 1, 1, 1},  {1, 2, 1, 1, 2, 2},   {1, 3, 1, 2, 4, 4},   {2, 5, 2, 2, 8, 8},
    {1, 7, 1, 1, 8, 12}, {2, 3, 2, 4, 4, 8},   {1, 16, 1, 1, 16, 4}, {1, 9, 3, 3, 5, 7},
    {1, 20, 1, 1, 8, 8}, {2, 4, 1, 3, 12, 20}, {1, 1, 2, 2, 3, 5},   {3, 2, 1, 1, 4, 1},
    {1, 6, 2, 4, 8, 16}, {1, 11, 1, 1, 2, 3},  {1, 8, 4, 4, 4, 4},   {2, 10, 1, 1, 16, 8},
    {1, 13, 1, 2, 6, 6}, {1, 3, 1, 1, 32, 8},  {1, 5, 5, 5, 1, 8},   {1, 15, 1, 1, 7, 9},
};

TYPED_TEST(DeltaRuleTest, RunsStepByStep) {
  using T = TypeParam;
  Random<T> random(51);
  for (const Problem& p : recurrent_problems) {
    const Inputs in = make_inputs<T>(p, random);
    const Recurrence want = recur(p, in, 0.5);
    auto [out, last] =
        launch<kernels::delta_recurrent<T>>(
            empty<T>(p.batch, p.time, p.value_heads, p.values).partition({1, whole, 1, 8}),
            empty<float>(p.batch, p.value_heads, p.keys, p.values).partition({1, 1, all, 8}),
            upload<T>(in.q, p.batch, p.time, p.heads, p.keys),
            upload<T>(in.k, p.batch, p.time, p.heads, p.keys),
            upload<T>(in.v, p.batch, p.time, p.value_heads, p.values),
            upload<T>(in.gate, p.batch, p.time, p.value_heads),
            upload<T>(in.beta, p.batch, p.time, p.value_heads), std::nullopt, 0.5f,
            static_cast<int>(p.keys))
            .sync();
    const std::string what = "t" + std::to_string(p.time) + " k" + std::to_string(p.keys);
    expect_close(download(std::move(out).join()), want.out, unit_roundoff<T>() + 1e-5, 1e-5, what);
    expect_close(download(std::move(last).join()), want.last, 1e-5, 1e-5, "state " + what);
  }
}

/// Chunk by chunk: both kernels together must give what the recurrence gives.
template <class T>
void expect_chunked(const Problem& p, std::int64_t chunk, bool l2norm, double tolerance) {
  Random<T> random(52);
  Inputs in = make_inputs<T>(p, random);
  const std::int64_t chunks = (p.time + chunk - 1) / chunk;
  const kernels::DeltaPlan plan{
      .l2norm = l2norm,
      .steps = static_cast<int>(std::bit_width(static_cast<unsigned>(chunk))) - 1,
      .bk = 8};
  auto five = [&](std::int64_t width) { return empty<T>(p.batch, p.heads, chunks, chunk, width); };
  auto [pq, pk, pv, pd, pg] =
      launch<kernels::delta_intra<T>>(
          five(p.keys).partition({1, 1, 1, all, all}), five(p.keys).partition({1, 1, 1, all, all}),
          five(p.values).partition({1, 1, 1, all, whole}),
          five(p.keys).partition({1, 1, 1, all, all}),
          empty<float>(p.batch, p.heads, chunks, chunk).partition({1, 1, 1, all}),
          upload<T>(in.q, p.batch, p.time, p.heads, p.keys),
          upload<T>(in.k, p.batch, p.time, p.heads, p.keys),
          upload<T>(in.v, p.batch, p.time, p.heads, p.values),
          upload<T>(in.beta, p.batch, p.time, p.heads),
          upload<T>(in.gate, p.batch, p.time, p.heads), 0.5f, plan)
          .sync();
  auto [po, pl] =
      launch<kernels::delta_inter<T>>(
          five(p.values).partition({1, 1, whole, whole, 8}),
          empty<float>(p.batch, p.heads, p.keys, p.values).partition({1, 1, all, 8}),
          std::move(pq).join(), std::move(pk).join(), std::move(pv).join(), std::move(pd).join(),
          std::move(pg).join(), std::nullopt, static_cast<int>(chunk), static_cast<int>(p.keys))
          .sync();
  if (l2norm) {
    for (Doubles* rows : {&in.q, &in.k}) {
      for (std::size_t i = 0; i < rows->size(); i += static_cast<std::size_t>(p.keys)) {
        double squares = 1e-6;
        for (std::int64_t d = 0; d < p.keys; ++d)
          squares +=
              (*rows)[i + static_cast<std::size_t>(d)] * (*rows)[i + static_cast<std::size_t>(d)];
        for (std::int64_t d = 0; d < p.keys; ++d)
          (*rows)[i + static_cast<std::size_t>(d)] /= std::sqrt(squares);
      }
    }
  }
  const Recurrence want = recur(p, in, 0.5);
  const Doubles out = download(std::move(po).join());  // (batch, heads, chunks, chunk, values)
  Doubles in_time(want.out.size());
  for (std::int64_t b = 0; b < p.batch; ++b) {
    for (std::int64_t h = 0; h < p.heads; ++h) {
      for (std::int64_t t = 0; t < p.time; ++t) {
        for (std::int64_t j = 0; j < p.values; ++j) {
          in_time[static_cast<std::size_t>(((b * p.time + t) * p.heads + h) * p.values + j)] =
              out[static_cast<std::size_t>(((b * p.heads + h) * chunks * chunk + t) * p.values +
                                           j)];
        }
      }
    }
  }
  const std::string what = "time " + std::to_string(p.time) + " chunk " + std::to_string(chunk);
  expect_close(in_time, want.out, tolerance, tolerance, what);
  expect_close(download(std::move(pl).join()), want.last, tolerance, tolerance, "state " + what);
}

struct Chunked {
  Problem problem;
  std::int64_t chunk;
};
// Whole chunks, ragged ones, of one step, of no step at all.
const std::vector<Chunked> chunked_problems = {
    {{1, 0, 2, 2, 8, 12}, 8},   {{1, 1, 2, 2, 8, 12}, 8},   {{1, 2, 2, 2, 8, 12}, 8},
    {{1, 4, 2, 2, 8, 12}, 8},   {{1, 7, 2, 2, 8, 12}, 8},   {{1, 8, 2, 2, 8, 12}, 8},
    {{1, 9, 2, 2, 8, 12}, 8},   {{1, 12, 2, 2, 8, 12}, 8},  {{1, 15, 2, 2, 8, 12}, 8},
    {{1, 16, 2, 2, 8, 12}, 8},  {{1, 17, 2, 2, 8, 12}, 8},  {{1, 20, 2, 2, 8, 12}, 8},
    {{2, 16, 1, 1, 4, 8}, 4},   {{1, 33, 1, 1, 16, 8}, 16}, {{1, 1, 1, 1, 1, 1}, 2},
    {{1, 5, 1, 1, 1, 1}, 4},    {{3, 6, 2, 2, 2, 3}, 2},    {{1, 3, 1, 1, 8, 8}, 16},
    {{1, 21, 1, 1, 16, 20}, 4}, {{2, 10, 3, 3, 4, 9}, 8},   {{1, 31, 1, 1, 8, 17}, 16},
    {{0, 8, 1, 1, 4, 4}, 4},
};

TYPED_TEST(DeltaRuleTest, RunsChunkByChunk) {
  using T = TypeParam;
  const double tolerance = 40 * unit_roundoff<T>() + 1e-4;
  for (const auto& [problem, chunk] : chunked_problems) {
    for (const bool l2norm : {false, true}) expect_chunked<T>(problem, chunk, l2norm, tolerance);
  }
}

}  // namespace
}  // namespace tw::tests
