// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include <tilewright/tilewright.hpp>

#include "tokenizer.hpp"

namespace minilm {

/// all-MiniLM-L6-v2: maps texts to vectors of length one whose cosines tell how alike they are.
class Model {
 public:
  static constexpr int features = 384;
  static constexpr int max_tokens = 256;

  /// Reads the weights of `folder`/model.safetensors. Throws what `Weights` throws.
  explicit Model(const std::filesystem::path& folder);

  /// The vectors of texts that the tokenizer has cut into ids, one of `features` numbers a text.
  /// Each text has 1 to `max_tokens` ids.
  [[nodiscard]] std::vector<std::vector<float>> embed(
      std::span<const std::vector<TokenId>> texts) const;

 private:
  struct Linear {
    tw::Tensor<float, 2> weight;  ///< (features in, features out)
    tw::Tensor<float, 1> bias;
  };
  struct Norm {
    tw::Tensor<float, 1> weight;
    tw::Tensor<float, 1> bias;
  };
  struct Layer {
    Linear qkv;
    Linear attention_out;
    Norm attention_norm;
    Linear up;
    Linear down;
    Norm out_norm;
  };
  struct Reader;

  explicit Model(const Reader& reader);
  /// The vectors of texts of about one length, padded to the longest.
  [[nodiscard]] std::vector<float> embed_batch(
      std::span<const std::vector<TokenId>* const> texts) const;

  tw::Tensor<float, 2> words_;
  tw::Tensor<float, 2> positions_;
  tw::Tensor<float, 1> segment_;
  Norm embedding_norm_;
  std::vector<Layer> layers_;
};

}  // namespace minilm
