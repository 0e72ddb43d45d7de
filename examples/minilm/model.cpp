// SPDX-License-Identifier: Apache-2.0
#include "model.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "kernels.hpp"
#include "weights.hpp"

namespace minilm {
namespace {

constexpr int layer_count = 6;
constexpr int heads = 12;
constexpr int head_width = Model::features / heads;
constexpr int hidden = 1536;
constexpr int vocabulary = 30522;
constexpr int position_count = 512;
/// Texts computed together, and rows in a block of the kernels.
constexpr std::size_t batch = 16;
constexpr int rows = 32;

using Matrix = tw::Tensor<float, 2>;

/// y = x w + b over all tokens of a batch.
Matrix apply(const Matrix& x, const Matrix& w, const tw::Tensor<float, 1>& b, bool with_gelu) {
  auto y = tw::empty<float>(x.extent(0), w.extent(1)).partition({rows, 128});
  return tw::launch<linear<>>(std::move(y), x, w, b, LinearPlan{.gelu = with_gelu}).sync().join();
}

}  // namespace

/// Weights as the file has them: matrices are (features out, features in).
struct Model::Reader {
  Weights weights;

  [[nodiscard]] tw::Tensor<float, 1> vector(const std::string& name, std::uint64_t size) const {
    return tw::from_host<float>(weights.floats(name, {size}), size);
  }
  [[nodiscard]] tw::Tensor<float, 2> table(const std::string& name, std::uint64_t m,
                                           std::uint64_t n) const {
    return tw::from_host<float>(weights.floats(name, {m, n}), m, n);
  }
  [[nodiscard]] Norm norm(const std::string& name) const {
    return {vector(name + ".weight", features), vector(name + ".bias", features)};
  }
  /// Several maps of one input side by side, as one.
  [[nodiscard]] Linear linear(const std::vector<std::string>& names, std::uint64_t in,
                              std::uint64_t out) const {
    const std::uint64_t columns = out * names.size();
    std::vector<float> weight(in * columns);
    std::vector<float> bias;
    for (std::size_t part = 0; part < names.size(); ++part) {
      const std::span<const float> w = weights.floats(names[part] + ".weight", {out, in});
      for (std::uint64_t i = 0; i < in; ++i) {
        for (std::uint64_t o = 0; o < out; ++o) {
          weight[i * columns + part * out + o] = w[o * in + i];
        }
      }
      const std::span<const float> b = weights.floats(names[part] + ".bias", {out});
      bias.insert(bias.end(), b.begin(), b.end());
    }
    return {tw::from_host<float>(weight, in, columns), tw::from_host<float>(bias, columns)};
  }
  [[nodiscard]] Layer layer(int index) const {
    const std::string name = "encoder.layer." + std::to_string(index);
    const std::string self = name + ".attention.self.";
    return {linear({self + "query", self + "key", self + "value"}, features, features),
            linear({name + ".attention.output.dense"}, features, features),
            norm(name + ".attention.output.LayerNorm"),
            linear({name + ".intermediate.dense"}, features, hidden),
            linear({name + ".output.dense"}, hidden, features),
            norm(name + ".output.LayerNorm")};
  }
};

Model::Model(const std::filesystem::path& folder)
    : Model(Reader{Weights(folder / "model.safetensors")}) {}

Model::Model(const Reader& reader)
    : words_(reader.table("embeddings.word_embeddings.weight", vocabulary, features)),
      positions_(reader.table("embeddings.position_embeddings.weight", position_count, features)),
      segment_(tw::from_host<float>(
          reader.weights.floats("embeddings.token_type_embeddings.weight", {2, features})
              .first(features),
          features)),
      embedding_norm_(reader.norm("embeddings.LayerNorm")) {
  for (int i = 0; i < layer_count; ++i) layers_.push_back(reader.layer(i));
}

std::vector<std::vector<float>> Model::embed(std::span<const std::vector<TokenId>> texts) const {
  // Texts of like length are computed together, so that little is padded.
  std::vector<std::size_t> order(texts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(texts[i].size(), i); });
  std::vector<std::vector<float>> vectors(texts.size());
  for (std::size_t begin = 0; begin < order.size(); begin += batch) {
    const std::size_t end = std::min(begin + batch, order.size());
    std::vector<const std::vector<TokenId>*> together;
    for (std::size_t i = begin; i < end; ++i) together.push_back(&texts[order[i]]);
    const std::vector<float> result = embed_batch(together);
    for (std::size_t i = begin; i < end; ++i) {
      const auto first = result.begin() + static_cast<std::ptrdiff_t>((i - begin) * features);
      vectors[order[i]].assign(first, first + features);
    }
  }
  return vectors;
}

std::vector<float> Model::embed_batch(std::span<const std::vector<TokenId>* const> texts) const {
  const auto count = static_cast<std::int64_t>(texts.size());
  std::int64_t tokens = 0;
  for (const auto* text : texts) {
    tokens = std::max(tokens, static_cast<std::int64_t>(text->size()));
  }
  const std::int64_t total = count * tokens;
  std::vector<int> ids;
  std::vector<int> places;
  std::vector<int> lengths;
  for (const auto* text : texts) {
    lengths.push_back(static_cast<int>(text->size()));
    ids.insert(ids.end(), text->begin(), text->end());
    for (int i = 0; i < static_cast<int>(tokens); ++i) places.push_back(i);
    ids.resize(places.size(), 0);
  }
  const auto words = tw::from_host<int>(ids, total);
  const auto positions = tw::from_host<int>(places, total);
  const auto length = tw::from_host<int>(lengths, count);

  auto row_blocks = [&] { return tw::empty<float>(total, features).partition({rows, all}); };
  Matrix x = tw::launch<minilm::embed<>>(row_blocks(), words, positions, words_, positions_,
                                         segment_, embedding_norm_.weight, embedding_norm_.bias)
                 .sync()
                 .join();
  for (const Layer& layer : layers_) {
    const auto qkv =
        apply(x, layer.qkv.weight, layer.qkv.bias, false).reshape({count, tokens, 3 * features});
    auto heads_out = tw::empty<float>(count, tokens, features).partition({1, rows, head_width});
    const Matrix context =
        tw::launch<self_attention<>>(std::move(heads_out), qkv, length, heads, 32)
            .sync()
            .join()
            .reshape({total, features});
    const Matrix attended =
        apply(context, layer.attention_out.weight, layer.attention_out.bias, false);
    x = tw::launch<add_normalised<>>(row_blocks(), attended, x, layer.attention_norm.weight,
                                     layer.attention_norm.bias)
            .sync()
            .join();
    const Matrix up = apply(x, layer.up.weight, layer.up.bias, true);
    const Matrix down = apply(up, layer.down.weight, layer.down.bias, false);
    x = tw::launch<add_normalised<>>(row_blocks(), down, x, layer.out_norm.weight,
                                     layer.out_norm.bias)
            .sync()
            .join();
  }
  const auto encoded = std::move(x).reshape({count, tokens, features});
  const auto pooled =
      tw::launch<pool<>>(tw::empty<float>(count, features).partition({1, all}), encoded, length, 32)
          .sync()
          .join();
  return tw::to_host(pooled);
}

}  // namespace minilm
