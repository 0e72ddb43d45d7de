// SPDX-License-Identifier: Apache-2.0
#include "kernels/attention.hpp"

#include <limits>
#include <optional>

#include "kernels/mla.hpp"
#include "reference.hpp"

namespace tw::tests {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Problem {
  std::int64_t batch, heads, key_heads, queries, keys, width;
};
const std::vector<Problem> problems = {
    {1, 1, 1, 1, 1, 1},    {1, 1, 1, 1, 5, 4},    {1, 2, 1, 3, 3, 8},   {2, 2, 2, 16, 16, 16},
    {1, 1, 1, 17, 17, 8},  {1, 4, 2, 9, 20, 16},  {2, 3, 1, 5, 33, 8},  {1, 1, 1, 33, 33, 32},
    {1, 2, 2, 1, 64, 16},  {1, 1, 1, 40, 40, 8},  {1, 6, 3, 7, 15, 20}, {3, 1, 1, 2, 2, 2},
    {1, 1, 1, 31, 47, 8},  {1, 2, 1, 48, 48, 16}, {1, 1, 1, 16, 65, 4}, {2, 2, 1, 8, 16, 24},
    {1, 1, 1, 3, 100, 8},  {1, 1, 1, 50, 50, 8},  {1, 8, 1, 4, 12, 8},  {1, 1, 1, 64, 64, 16},
    {2, 4, 4, 12, 24, 40},
};

std::string name(const Problem& p) {
  return "b" + std::to_string(p.batch) + " h" + std::to_string(p.heads) + "/" +
         std::to_string(p.key_heads) + " q" + std::to_string(p.queries) + " k" +
         std::to_string(p.keys) + " d" + std::to_string(p.width);
}

/// Numbers of keys around the steps of 8 and the splits of 16.
const std::vector<std::int64_t> key_counts = {1,  2,  3,  7,  8,  9,  10, 15, 16, 17, 20,
                                              23, 24, 25, 31, 32, 33, 40, 47, 48, 52, 61};

struct Reference {
  Doubles out;
  Doubles lse;
};

/// softmax(scale q k^T) v in double, with everything the kernel offers.
Reference attend(const Problem& p, const Doubles& q, const Doubles& k, const Doubles& v,
                 const Doubles* sink, double scale, const kernels::AttentionPlan& plan) {
  Reference result;
  const std::int64_t group = p.heads / p.key_heads;
  for (std::int64_t b = 0; b < p.batch; ++b) {
    for (std::int64_t h = 0; h < p.heads; ++h) {
      const std::int64_t kh = b * p.key_heads + h / group;
      for (std::int64_t i = 0; i < p.queries; ++i) {
        const std::int64_t row = ((b * p.heads + h) * p.queries + i) * p.width;
        const std::int64_t position = i + p.keys - p.queries;
        Doubles score(static_cast<std::size_t>(p.keys), -infinity);
        double best = sink != nullptr ? (*sink)[static_cast<std::size_t>(h)] : -infinity;
        for (std::int64_t j = 0; j < p.keys; ++j) {
          if ((plan.causal && j > position) || (plan.window != 0 && position - j >= plan.window))
            continue;
          double s = 0;
          for (std::int64_t d = 0; d < p.width; ++d) {
            s += q[static_cast<std::size_t>(row + d)] *
                 k[static_cast<std::size_t>((kh * p.keys + j) * p.width + d)];
          }
          s *= scale;
          if (plan.softcap != 0)
            s = static_cast<double>(plan.softcap) *
                std::tanh(s / static_cast<double>(plan.softcap));
          score[static_cast<std::size_t>(j)] = s;
          best = std::max(best, s);
        }
        double total = sink != nullptr ? std::exp((*sink)[static_cast<std::size_t>(h)] - best) : 0;
        for (double& s : score) total += s = s == -infinity ? 0 : std::exp(s - best);
        for (std::int64_t d = 0; d < p.width; ++d) {
          double sum = 0;
          for (std::int64_t j = 0; j < p.keys; ++j) {
            sum += score[static_cast<std::size_t>(j)] *
                   v[static_cast<std::size_t>((kh * p.keys + j) * p.width + d)];
          }
          result.out.push_back(total > 0 ? sum / total : 0);
        }
        result.lse.push_back((best + std::log(total)) / std::log(2.0));
      }
    }
  }
  return result;
}

template <class T>
class AttentionTest : public ::testing::Test {
 protected:
  /// Probabilities are rounded to T before they weigh the values, the result once more.
  static double bound(std::int64_t keys) {
    return 3 * unit_roundoff<T>() + static_cast<double>(keys + 60) * unit_roundoff<float>();
  }
};
TYPED_TEST_SUITE(AttentionTest, FloatTypes);

TYPED_TEST(AttentionTest, AgreesWithPlainLoops) {
  using T = TypeParam;
  Random<T> random(21);
  for (const Problem& p : problems) {
    const Doubles q = random.uniform(p.batch * p.heads * p.queries * p.width);
    const Doubles k = random.uniform(p.batch * p.key_heads * p.keys * p.width);
    const Doubles v = random.uniform(p.batch * p.key_heads * p.keys * p.width);
    const auto tq = upload<T>(q, p.batch, p.heads, p.queries, p.width);
    const auto tk = upload<T>(k, p.batch, p.key_heads, p.keys, p.width);
    const auto tv = upload<T>(v, p.batch, p.key_heads, p.keys, p.width);
    const float scale = 0.5f;
    for (const bool causal : {false, true}) {
      if (causal && p.queries > p.keys) continue;
      const kernels::AttentionPlan plan{.bn = 16, .causal = causal};
      const Reference want = attend(p, q, k, v, nullptr, 0.5, plan);
      auto run = [&](const Hints& hints) {
        return launch<kernels::attention<T>>(
                   empty<T>(p.batch, p.heads, p.queries, p.width).partition({1, 1, 16, all}),
                   empty<float>(p.batch, p.heads, p.queries).partition({1, 1, 16}), tq, tk, tv,
                   std::nullopt, scale, plan)
            .hint(hints)
            .sync();
      };
      auto [out, lse] = run({});
      const Doubles plain = download(std::move(out).join());
      expect_close(plain, want.out, TestFixture::bound(p.keys), TestFixture::bound(p.keys),
                   name(p));
      expect_close(download(std::move(lse).join()), want.lse, 1e-5, 1e-4, "lse " + name(p));
      auto [persistent, unused] = run({.blocks = 2});
      EXPECT_EQ(download(std::move(persistent).join()), plain) << name(p);
    }
  }
}

TYPED_TEST(AttentionTest, HasWindowsSoftcapsAndSinks) {
  using T = TypeParam;
  Random<T> random(22);
  const Problem p{1, 4, 2, 20, 37, 8};
  const Doubles q = random.uniform(p.batch * p.heads * p.queries * p.width, -3, 3);
  const Doubles k = random.uniform(p.batch * p.key_heads * p.keys * p.width, -3, 3);
  const Doubles v = random.uniform(p.batch * p.key_heads * p.keys * p.width);
  const Doubles sink = Random<float>(23).uniform(p.heads);
  const auto tq = upload<T>(q, p.batch, p.heads, p.queries, p.width);
  const auto tk = upload<T>(k, p.batch, p.key_heads, p.keys, p.width);
  const auto tv = upload<T>(v, p.batch, p.key_heads, p.keys, p.width);
  const auto ts = upload<float>(sink, p.heads);
  for (const kernels::AttentionPlan& plan :
       {kernels::AttentionPlan{.bn = 8, .causal = true, .window = 5},
        kernels::AttentionPlan{.bn = 8, .causal = true, .window = 11, .softcap = 2},
        kernels::AttentionPlan{.bn = 8, .softcap = 1.5f}}) {
    const Reference want = attend(p, q, k, v, &sink, 0.25, plan);
    const auto out = launch<kernels::attention<T>>(
                         empty<T>(p.batch, p.heads, p.queries, p.width).partition({1, 1, 8, all}),
                         std::nullopt, tq, tk, tv, ts, 0.25f, plan)
                         .sync()
                         .join();
    expect_close(
        download(out), want.out, TestFixture::bound(p.keys), TestFixture::bound(p.keys),
        "window " + std::to_string(plan.window) + " softcap " + std::to_string(plan.softcap));
  }
}

TYPED_TEST(AttentionTest, DecodesInSplits) {
  using T = TypeParam;
  Random<T> random(24);
  for (const std::int64_t keys : key_counts) {
    const Problem p{2, 6, 3, 1, keys, 16};
    const Doubles q = random.uniform(p.batch * p.heads * p.width);
    const Doubles k = random.uniform(p.batch * p.key_heads * p.keys * p.width);
    const Doubles v = random.uniform(p.batch * p.key_heads * p.keys * p.width);
    const Doubles sink = Random<float>(25).uniform(p.heads);
    const kernels::SplitPlan plan{.bn = 8, .per_split = 2};
    const std::int64_t splits = (keys + 15) / 16;
    const auto sinks = upload<float>(sink, p.heads);
    const Reference want = attend(p, q, k, v, &sink, 0.5, {});
    auto [part, lse] = launch<kernels::attention_decode<T>>(
                           empty<T>(p.batch, p.heads, splits, p.width).partition({1, 2, 1, all}),
                           empty<float>(p.batch, p.heads, splits).partition({1, 2, 1}),
                           upload<T>(q, p.batch, p.heads, p.width),
                           upload<T>(k, p.batch, p.key_heads, p.keys, p.width),
                           upload<T>(v, p.batch, p.key_heads, p.keys, p.width), sinks, 0.5f, plan)
                           .sync();
    const auto out = launch<kernels::splitk_reduce<T>>(
                         empty<T>(p.batch, p.heads, p.width).partition({1, 1, 8}),
                         std::move(part).join(), std::move(lse).join(), static_cast<int>(splits))
                         .sync()
                         .join();
    expect_close(download(out), want.out, 2 * TestFixture::bound(keys),
                 2 * TestFixture::bound(keys), std::to_string(keys) + " keys");
  }
}

/// Latent attention: scores are q . kv + qpe . kpe, values are kv; only the keys in `chosen` count.
Doubles attend_latent(std::int64_t batch, std::int64_t heads, std::int64_t keys, std::int64_t width,
                      std::int64_t pe, const Doubles& q, const Doubles& qpe, const Doubles& kv,
                      const Doubles& kpe, double scale,
                      const std::function<bool(std::int64_t, std::int64_t)>& chosen) {
  Doubles out;
  for (std::int64_t b = 0; b < batch; ++b) {
    for (std::int64_t h = 0; h < heads; ++h) {
      Doubles weight(static_cast<std::size_t>(keys), 0);
      double best = -infinity;
      for (std::int64_t j = 0; j < keys; ++j) {
        if (!chosen(b, j)) continue;
        double s = 0;
        for (std::int64_t d = 0; d < width; ++d) {
          s += q[static_cast<std::size_t>((b * heads + h) * width + d)] *
               kv[static_cast<std::size_t>((b * keys + j) * width + d)];
        }
        for (std::int64_t d = 0; d < pe; ++d) {
          s += qpe[static_cast<std::size_t>((b * heads + h) * pe + d)] *
               kpe[static_cast<std::size_t>((b * keys + j) * pe + d)];
        }
        weight[static_cast<std::size_t>(j)] = s * scale;
        best = std::max(best, s * scale);
      }
      double total = 0;
      for (std::int64_t j = 0; j < keys; ++j) {
        double& w = weight[static_cast<std::size_t>(j)];
        w = chosen(b, j) ? std::exp(w - best) : 0;
        total += w;
      }
      for (std::int64_t d = 0; d < width; ++d) {
        double sum = 0;
        for (std::int64_t j = 0; j < keys; ++j) {
          sum += weight[static_cast<std::size_t>(j)] *
                 kv[static_cast<std::size_t>((b * keys + j) * width + d)];
        }
        out.push_back(total > 0 ? sum / total : 0);
      }
    }
  }
  return out;
}

TYPED_TEST(AttentionTest, DecodesLatentAttentionInSplits) {
  using T = TypeParam;
  Random<T> random(26);
  constexpr std::int64_t batch = 2;
  constexpr std::int64_t heads = 6;
  constexpr std::int64_t width = 16;
  constexpr std::int64_t pe = 8;
  for (const std::int64_t keys : key_counts) {
    const Doubles q = random.uniform(batch * heads * width);
    const Doubles qpe = random.uniform(batch * heads * pe);
    const Doubles kv = random.uniform(batch * keys * width);
    const Doubles kpe = random.uniform(batch * keys * pe);
    const std::int64_t splits = (keys + 15) / 16;
    const kernels::MlaPlan plan{.bn = 8, .per_split = 2, .pe = pe};
    auto [part, lse] =
        launch<kernels::mla_split<T>>(
            empty<T>(batch, heads, splits, width).partition({1, 2, 1, all}),
            empty<float>(batch, heads, splits).partition({1, 2, 1}),
            upload<T>(q, batch, heads, width), upload<T>(qpe, batch, heads, pe),
            upload<T>(kv, batch, keys, width), upload<T>(kpe, batch, keys, pe), 0.3f, plan)
            .sync();
    const auto out = launch<kernels::splitk_reduce<T>>(
                         empty<T>(batch, heads, width).partition({1, 1, 8}), std::move(part).join(),
                         std::move(lse).join(), static_cast<int>(splits))
                         .sync()
                         .join();
    const Doubles want =
        attend_latent(batch, heads, keys, width, pe, q, qpe, kv, kpe, static_cast<double>(0.3f),
                      [](std::int64_t, std::int64_t) { return true; });
    expect_close(download(out), want, 2 * TestFixture::bound(keys), 2 * TestFixture::bound(keys),
                 std::to_string(keys) + " keys");
  }
}

TYPED_TEST(AttentionTest, GathersSparseLatentKeys) {
  using T = TypeParam;
  Random<T> random(27);
  constexpr std::int64_t batch = 2;
  constexpr std::int64_t heads = 4;
  constexpr std::int64_t keys = 40;
  constexpr std::int64_t width = 16;
  constexpr std::int64_t pe = 8;
  for (std::int64_t listed = 1; listed <= 21; ++listed) {
    std::vector<int> ids;
    for (std::int64_t b = 0; b < batch; ++b) {
      for (std::int64_t i = 0; i < listed; ++i)
        ids.push_back(static_cast<int>(i % 4 == 3 ? -1 : (3 * i + b) % keys));
    }
    const auto chosen = [&](std::int64_t b, std::int64_t j) {
      for (std::int64_t i = 0; i < listed; ++i) {
        if (ids[static_cast<std::size_t>(b * listed + i)] == j) return true;
      }
      return false;
    };
    const Doubles q = random.uniform(batch * heads * width);
    const Doubles qpe = random.uniform(batch * heads * pe);
    const Doubles kv = random.uniform(batch * keys * width);
    const Doubles kpe = random.uniform(batch * keys * pe);
    const auto out =
        launch<kernels::sparse_mla<T>>(
            empty<T>(batch, heads, width).partition({1, 2, all}), upload<T>(q, batch, heads, width),
            upload<T>(qpe, batch, heads, pe), upload<T>(kv, batch, keys, width),
            upload<T>(kpe, batch, keys, pe), from_host<int>(ids, batch, listed), 0.3f,
            kernels::MlaPlan{.bn = 8, .pe = pe})
            .sync()
            .join();
    const Doubles want = attend_latent(batch, heads, keys, width, pe, q, qpe, kv, kpe,
                                       static_cast<double>(0.3f), chosen);
    expect_close(download(out), want, 2 * TestFixture::bound(listed),
                 2 * TestFixture::bound(listed), std::to_string(listed) + " chosen");
  }
}

}  // namespace
}  // namespace tw::tests
