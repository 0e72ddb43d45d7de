// SPDX-License-Identifier: Apache-2.0
// Embeds texts with all-MiniLM-L6-v2, all heavy work in Tilewright kernels, and prints how alike
// they are.
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "model.hpp"
#include "tokenizer.hpp"

namespace {

const std::vector<std::string> default_texts = {
    "A man is eating food.",
    "Someone is having a meal.",
    "The stock market fell sharply today.",
};

std::vector<std::string> lines_of(std::istream& input) {
  std::vector<std::string> lines;
  for (std::string line; std::getline(input, line);) lines.push_back(line);
  return lines;
}

double cosine(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * b[i];
  return sum;
}

void print_cosines(const std::vector<std::string>& texts,
                   const std::vector<std::vector<float>>& vectors) {
  for (std::size_t i = 0; i < texts.size(); ++i) {
    for (std::size_t j = i + 1; j < texts.size(); ++j) {
      char number[16];
      std::snprintf(number, sizeof number, "%7.4f", cosine(vectors[i], vectors[j]));
      std::cout << number << "  " << texts[i] << "  |  " << texts[j] << '\n';
    }
  }
}

void print_json(const std::vector<std::vector<float>>& vectors) {
  for (const auto& vector : vectors) {
    std::cout << nlohmann::json{{"embedding", vector}}.dump() << '\n';
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Sentence embeddings with all-MiniLM-L6-v2");
  std::string folder;
  std::vector<std::string> texts;
  bool json = false;
  app.add_option("folder", folder, "Folder with model.safetensors and vocab.txt")->required();
  app.add_option("texts", texts, "Texts to compare; three of its own if none is given");
  app.add_flag("--json", json,
               "Read texts from standard input, a line each, and print their vectors");
  CLI11_PARSE(app, argc, argv);
  try {
    if (json) {
      texts = lines_of(std::cin);
    } else if (texts.empty()) {
      texts = default_texts;
    }
    const minilm::Tokenizer tokenizer(std::filesystem::path(folder) / "vocab.txt");
    const minilm::Model model(folder);
    std::vector<std::vector<minilm::TokenId>> ids;
    for (const std::string& text : texts) {
      ids.push_back(tokenizer.encode(text, minilm::Model::max_tokens));
    }
    const auto vectors = model.embed(ids);
    json ? print_json(vectors) : print_cosines(texts, vectors);
  } catch (const std::exception& error) {
    std::cerr << "minilm: " << error.what() << '\n';
    return 1;
  }
  return 0;
}
