// SPDX-License-Identifier: Apache-2.0
// Counts the letters of a text: all blocks add to the same bins, each addition atomic.
#include "kernels/histogram.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <string_view>
#include <vector>

#include <tilewright/tilewright.hpp>

#include "check.hpp"

namespace {

// Lewis Carroll, "Jabberwocky".
constexpr std::string_view text =
    "Twas brillig, and the slithy toves did gyre and gimble in the wabe: all mimsy were the "
    "borogoves, and the mome raths outgrabe. Beware the Jabberwock, my son! The jaws that bite, "
    "the claws that catch! Beware the Jubjub bird, and shun the frumious Bandersnatch!";
constexpr std::size_t letters = 26;

/// 0 for a, ..., 25 for z; -1, which is counted nowhere, for all else.
int number_of(char letter) {
  if (letter >= 'a' && letter <= 'z') return letter - 'a';
  if (letter >= 'A' && letter <= 'Z') return letter - 'A';
  return -1;
}

void histogram() {
  std::vector<int> numbers;
  for (const char letter : text) numbers.push_back(number_of(letter));

  constexpr int per_block = 32;
  const std::size_t blocks = (numbers.size() + per_block - 1) / per_block;
  auto bins = tw::zeroed<int>(letters);
  tw::launch<tw::kernels::histogram>(tw::grid(blocks), mut(bins), tw::from_host<int>(numbers),
                                     per_block)
      .sync();
  const std::vector<int> counts = tw::to_host(bins);

  for (std::size_t i = 0; i < letters; ++i) {
    const auto want = std::count(numbers.begin(), numbers.end(), static_cast<int>(i));
    examples::check(counts[i] == want, "every letter is counted");
    if (counts[i] >= 10) {
      std::printf("%c %3d %.*s\n", static_cast<char>('a' + static_cast<char>(i)), counts[i],
                  counts[i], "****************************************");
    }
  }
}

}  // namespace

int main() { return examples::run(histogram); }
