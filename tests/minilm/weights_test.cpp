// SPDX-License-Identifier: Apache-2.0
#include "weights.hpp"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace minilm {
namespace {

using namespace std::string_literals;
using testing::ElementsAre;
using testing::HasSubstr;

class WeightsTest : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(path_); }

  void write(const std::string& contents) const {
    std::ofstream(path_, std::ios::binary) << contents;
  }

  /// A safetensors file: the header's size as eight bytes, the header, padded so that the elements
  /// after it are aligned.
  void write(std::string header, const std::string& elements) const {
    header.append(-header.size() % 8, ' ');
    std::string size(8, '\0');
    size[0] = static_cast<char>(header.size() & 0xFF);
    size[1] = static_cast<char>(header.size() >> 8);
    write(size + header + elements);
  }

  std::string error() const {
    try {
      Weights{path_};
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "accepted";
  }

  std::string error(std::string_view name, std::initializer_list<std::uint64_t> shape) const {
    const Weights weights(path_);
    try {
      (void)weights.floats(name, shape);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "accepted";
  }

  // Tests run at once, in one process each.
  const std::filesystem::path path_ =
      std::filesystem::path(testing::TempDir()) / ("weights_test" + std::to_string(::getpid()));
};

// 1, -2 and 0.5, then the eight bytes of an I64.
const std::string elements =
    "\x00\x00\x80\x3f\x00\x00\x00\xc0\x00\x00\x00\x3f\x07\x00\x00\x00\x00\x00\x00\x00"s;

const std::string header = R"({"__metadata__": {"format": "pt"},
"a.weight": {"dtype": "F32", "shape": [1, 3], "data_offsets": [0, 12]},
"a.ids": {"dtype": "I64", "shape": [1], "data_offsets": [12, 20]},
"a.torn": {"dtype": "F32", "shape": [3], "data_offsets": [0, 8]},
"a.odd": {"dtype": "F32", "shape": [2], "data_offsets": [2, 10]},
"a.none": {"dtype": "F32", "shape": [0, 5], "data_offsets": [4, 4]},
"a.huge": {"dtype": "F32", "shape": [4294967296, 4294967296], "data_offsets": [0, 0]}})";

TEST_F(WeightsTest, ReadsATensorInPlace) {
  write(header, elements);
  const Weights weights(path_);
  EXPECT_THAT(weights.floats("a.weight", {1, 3}), ElementsAre(1.0f, -2.0f, 0.5f));
  EXPECT_TRUE(weights.floats("a.none", {0, 5}).empty());
}

TEST_F(WeightsTest, SaysWhyATensorIsNotTheOneWanted) {
  write(header, elements);
  EXPECT_THAT(error("b.weight", {1, 3}), HasSubstr(path_.string() + ": no tensor 'b.weight'"));
  EXPECT_THAT(error("a.weight", {3, 1}), HasSubstr("'a.weight' has shape [1, 3], not [3, 1]"));
  EXPECT_THAT(error("a.ids", {1}), HasSubstr("'a.ids' is of type I64, not F32"));
  EXPECT_THAT(error("a.torn", {3}), HasSubstr("another size than its shape says"));
  EXPECT_THAT(error("a.odd", {2}), HasSubstr("not aligned"));
  EXPECT_THAT(error("a.huge", {4294967296, 4294967296}), HasSubstr("another size"));
}

TEST_F(WeightsTest, RefusesFilesThatAreNoSafetensors) {
  write("");
  EXPECT_THAT(error(), HasSubstr("too short"));
  write("1234567");
  EXPECT_THAT(error(), HasSubstr("too short"));
  write("12345678");
  EXPECT_THAT(error(), HasSubstr("longer than the file"));
  write("\xff\xff\xff\xff\xff\xff\xff\xff{}"s);
  EXPECT_THAT(error(), HasSubstr("longer than the file"));
  write("[]", "");
  EXPECT_THAT(error(), HasSubstr("not a JSON object"));
  write("{", "");
  EXPECT_THAT(error(), HasSubstr("parse error"));
}

TEST_F(WeightsTest, RefusesTensorsThatAreNotInTheFile) {
  for (const std::string_view entry :
       {R"({"dtype": "F32", "shape": [1], "data_offsets": [0, 21]})",
        R"({"dtype": "F32", "shape": [1], "data_offsets": [8, 4]})",
        R"({"dtype": "F32", "shape": [1], "data_offsets": [0]})",
        R"({"dtype": "F32", "shape": [1], "data_offsets": [-4, 0]})",
        R"({"dtype": "F32", "shape": [1], "data_offsets": [0, 4.0]})",
        R"({"dtype": "F32", "shape": [-1], "data_offsets": [0, 4]})",
        R"({"dtype": "F32", "shape": 1, "data_offsets": [0, 4]})",
        R"({"dtype": 32, "shape": [1], "data_offsets": [0, 4]})",
        R"({"shape": [1], "data_offsets": [0, 4]})", R"(4)"}) {
    write(R"({"x": )" + std::string(entry) + "}", elements);
    EXPECT_THAT(error(), HasSubstr(path_.string() + ": tensor 'x': ")) << entry;
  }
}

TEST_F(WeightsTest, RefusesWhatIsNoFile) {
  EXPECT_THROW(Weights{path_}, std::system_error);
  EXPECT_THROW(Weights{testing::TempDir()}, std::system_error);
  EXPECT_THROW(Weights{"/dev/null"}, std::system_error);
}

}  // namespace
}  // namespace minilm
