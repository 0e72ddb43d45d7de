// SPDX-License-Identifier: Apache-2.0
// Prints the token ids of each line of the standard input.
#include <exception>
#include <iostream>
#include <string>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "tokenizer.hpp"

int main(int argc, char** argv) {
  CLI::App app("Prints the token ids of each line of the standard input, one JSON list a line.");
  std::string vocabulary;
  std::size_t max_tokens = minilm::Tokenizer::unlimited;
  bool json = false;
  app.add_option("vocabulary", vocabulary, "The model's vocab.txt")->required();
  app.add_option("--max-tokens", max_tokens, "Cut longer texts off")->check(CLI::Range(2, 1 << 20));
  app.add_flag("--json", json, "Lines are JSON strings, so that a text may have any characters");
  CLI11_PARSE(app, argc, argv);
  try {
    const minilm::Tokenizer tokenizer(vocabulary);
    for (std::string line; std::getline(std::cin, line);) {
      if (json) line = nlohmann::json::parse(line).get<std::string>();
      std::cout << nlohmann::json(tokenizer.encode(line, max_tokens)) << '\n';
    }
  } catch (const std::exception& error) {
    std::cerr << "tokenize: " << error.what() << '\n';
    return 1;
  }
}
