// SPDX-License-Identifier: Apache-2.0
#include "tokenizer.hpp"

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace minilm {
namespace {

using namespace std::string_literals;
using testing::ElementsAre;

class TokenizerTest : public testing::Test {
 protected:
  TokenizerTest() {
    write("[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nun\n##aff\n##able\na\n!\n中\n##a\nun##\n");
  }
  ~TokenizerTest() override { std::filesystem::remove(path_); }

  void write(std::string_view vocabulary) const {
    std::ofstream(path_, std::ios::binary) << vocabulary;
  }

  /// The ids without those of [CLS] and [SEP].
  std::vector<TokenId> ids(std::string_view text) const {
    const auto all = Tokenizer(path_).encode(text);
    EXPECT_EQ(all.front(), start);
    EXPECT_EQ(all.back(), end);
    return {all.begin() + 1, all.end() - 1};
  }

  static constexpr TokenId pad = 0, unknown = 1, start = 2, end = 3, mask = 4, un = 5, aff = 6,
                           able = 7, a = 8, bang = 9, middle = 10, then_a = 11;

  // Tests run at once, in one process each.
  const std::filesystem::path path_ =
      std::filesystem::path(testing::TempDir()) / ("vocabulary" + std::to_string(::getpid()));
};

TEST_F(TokenizerTest, CutsWordsIntoTheLongestPieces) {
  EXPECT_THAT(ids("unaffable"), ElementsAre(un, aff, able));
  EXPECT_THAT(ids("una aa"), ElementsAre(un, then_a, a, then_a));
}

TEST_F(TokenizerTest, MakesOneUnknownOfAWordItCannotCut) {
  EXPECT_THAT(ids("unb a"), ElementsAre(unknown, a));
  EXPECT_THAT(ids("bun"), ElementsAre(unknown));
  EXPECT_EQ(ids(std::string(100, 'a')).size(), 100u);
  EXPECT_THAT(ids(std::string(101, 'a')), ElementsAre(unknown));
}

TEST_F(TokenizerTest, SplitsAtSpacesPunctuationAndIdeographs) {
  EXPECT_THAT(ids(" a\ta\r\na\u00a0a\u3000"), ElementsAre(a, a, a, a));
  EXPECT_THAT(ids("a!a$"), ElementsAre(a, bang, a, unknown));
  EXPECT_THAT(ids("a中a中中"), ElementsAre(a, middle, a, middle, middle));
}

TEST_F(TokenizerTest, DropsCaseAccentsAndControls) {
  EXPECT_THAT(ids("UN \u00c1 a\u0301 \u00e1"), ElementsAre(un, a, a, a));
  EXPECT_THAT(ids("u\u200dn\u00ad \ufeffa\ue000"), ElementsAre(un, a));
  EXPECT_THAT(ids("u\0n"s), ElementsAre(un));
}

TEST_F(TokenizerTest, KeepsMarksThatUnicode8DidNotKnow) {
  EXPECT_THAT(ids("a\u1dfb a"), ElementsAre(unknown, a));
}

TEST_F(TokenizerTest, DropsBytesThatAreNotUtf8) {
  EXPECT_THAT(ids("u\xffn \xe4\xb8"
                  "a\xed\xa0\x80"),
              ElementsAre(un, a));
  EXPECT_THAT(ids("\xc0\x80"), ElementsAre());
}

TEST_F(TokenizerTest, FindsSpecialTokensInTheText) {
  EXPECT_THAT(ids("a[MASK]a [PAD]"), ElementsAre(a, mask, a, pad));
  EXPECT_THAT(ids("[[UNK]"), ElementsAre(unknown, unknown));
  EXPECT_THAT(ids("[mask"), ElementsAre(unknown, unknown));
}

TEST_F(TokenizerTest, CutsLongTextsOff) {
  const Tokenizer tokenizer(path_);
  EXPECT_THAT(tokenizer.encode("a un a", 4), ElementsAre(start, a, un, end));
  EXPECT_THAT(tokenizer.encode("a un a", 5), ElementsAre(start, a, un, a, end));
  EXPECT_THAT(tokenizer.encode("a", 2), ElementsAre(start, end));
  EXPECT_THAT(tokenizer.encode(""), ElementsAre(start, end));
  EXPECT_THROW((void)tokenizer.encode("a", 1), std::invalid_argument);
}

TEST_F(TokenizerTest, ReadsTheVocabularyByLines) {
  EXPECT_EQ(Tokenizer(path_).size(), 13u);
  write("[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nlast");
  EXPECT_THAT(ids("last"), ElementsAre(5));
}

TEST_F(TokenizerTest, RefusesAVocabularyThatIsNotOne) {
  write("[PAD]\n[UNK]\n[CLS]\n[SEP]\na\n");
  EXPECT_THROW(Tokenizer{path_}, std::runtime_error);
  write("[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\na\n");
  EXPECT_THROW(Tokenizer{path_}, std::runtime_error);
  EXPECT_THROW(Tokenizer{testing::TempDir()}, std::system_error);
}

}  // namespace
}  // namespace minilm
