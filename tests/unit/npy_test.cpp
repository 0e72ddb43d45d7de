// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <tilewright/core/error.hpp>
#include <tilewright/core/npy.hpp>

namespace tw {
namespace {

using namespace std::string_literals;
using testing::HasSubstr;

std::vector<std::byte> bytes(std::string_view text) {
  std::vector<std::byte> result(text.size());
  std::memcpy(result.data(), text.data(), text.size());
  return result;
}

/// A file as numpy.save writes it: the dictionary padded with spaces to 118 bytes.
std::vector<std::byte> numpy_file(std::string dictionary, std::string_view elements) {
  dictionary.resize(117, ' ');
  return bytes("\x93NUMPY\x01\x00v\x00"s + dictionary + '\n' + std::string(elements));
}

std::string dictionary(std::string_view descr, std::string_view shape,
                       std::string_view fortran_order = "False") {
  return "{'descr': '" + std::string(descr) + "', 'fortran_order': " + std::string(fortran_order) +
         ", 'shape': " + std::string(shape) + ", }";
}

std::string message(const std::vector<std::byte>& file) {
  try {
    parse_npy(file);
  } catch (const LaunchError& error) {
    return error.what();
  }
  return "accepted";
}

// numpy.save(f, numpy.array([[1.5, -2, 3], [4, 5, 6]], 'f4'))
const auto matrix = numpy_file(
    dictionary("<f4", "(2, 3)"),
    "\x00\x00\xc0\x3f\x00\x00\x00\xc0\x00\x00\x40\x40\x00\x00\x80\x40\x00\x00\xa0\x40\x00\x00\xc0\x40"s);

TEST(Npy, ReadsAMatrixThatNumpyWrote) {
  const NpyArray array = parse_npy(matrix);
  EXPECT_EQ(array.dtype, DType::f32);
  EXPECT_EQ(array.shape, (Shape{2, 3}));
  std::vector<float> values(6);
  ASSERT_EQ(array.bytes.size(), sizeof(float) * values.size());
  std::memcpy(values.data(), array.bytes.data(), array.bytes.size());
  EXPECT_EQ(values, (std::vector<float>{1.5f, -2, 3, 4, 5, 6}));
}

TEST(Npy, ReadsAScalarThatNumpyWrote) {
  const NpyArray array =
      parse_npy(numpy_file(dictionary("<f8", "()"), "\x00\x00\x00\x00\x00\x00\x0a\x40"s));
  EXPECT_EQ(array.dtype, DType::f64);
  EXPECT_EQ(array.shape, Shape{});
  double value = 0;
  ASSERT_EQ(array.bytes.size(), sizeof value);
  std::memcpy(&value, array.bytes.data(), sizeof value);
  EXPECT_EQ(value, 3.25);
}

TEST(Npy, ReadsAnEmptyArrayThatNumpyWrote) {
  const NpyArray array = parse_npy(numpy_file(dictionary("<u8", "(0, 3)"), ""));
  EXPECT_EQ(array.dtype, DType::uint64);
  EXPECT_EQ(array.shape, (Shape{0, 3}));
  EXPECT_TRUE(array.bytes.empty());
}

// numpy.asfortranarray(numpy.arange(24, dtype='i2').reshape(2, 3, 4)[:, :2, :2])
TEST(Npy, TransposesWhatNumpyWroteInFortranOrder) {
  const NpyArray array =
      parse_npy(numpy_file(dictionary("<i2", "(2, 2, 2)", "True"),
                           "\x00\x00\x0c\x00\x04\x00\x10\x00\x01\x00\x0d\x00\x05\x00\x11\x00"s));
  EXPECT_EQ(array.shape, (Shape{2, 2, 2}));
  EXPECT_EQ(array.bytes,
            bytes("\x00\x00\x01\x00\x04\x00\x05\x00\x0c\x00\x0d\x00\x10\x00\x11\x00"s));
}

TEST(Npy, TransposesArraysOfAllExtents) {
  const NpyArray row = parse_npy(numpy_file(dictionary("|u1", "(1, 3)", "True"), "abc"));
  EXPECT_EQ(row.bytes, bytes("abc"));
  const NpyArray wide = parse_npy(numpy_file(dictionary("|u1", "(2, 3)", "True"), "adbecf"));
  EXPECT_EQ(wide.bytes, bytes("abcdef"));
  const NpyArray empty = parse_npy(numpy_file(dictionary("|u1", "(2, 0)", "True"), ""));
  EXPECT_TRUE(empty.bytes.empty());
}

TEST(Npy, ReadsEveryTypeThatNumpyHas) {
  const std::pair<std::string_view, DType> types[] = {
      {"|b1", DType::boolean}, {"|i1", DType::int8},   {"<i2", DType::int16},
      {"<i4", DType::int32},   {"<i8", DType::int64},  {"|u1", DType::uint8},
      {"<u2", DType::uint16},  {"<u4", DType::uint32}, {"<u8", DType::uint64},
      {"<f2", DType::f16},     {"<f4", DType::f32},    {"<f8", DType::f64},
  };
  for (const auto& [descr, dtype] : types) {
    const std::string elements(2 * storage_bytes(dtype), '\1');
    EXPECT_EQ(parse_npy(numpy_file(dictionary(descr, "(2,)"), elements)).dtype, dtype) << descr;
  }
}

TEST(Npy, ReadsTheLongHeadersOfVersions2And3) {
  const std::string text = dictionary("|u1", "(3,)");
  for (const char major : {'\2', '\3'}) {
    const auto file = bytes("\x93NUMPY"s + major + '\0' + static_cast<char>(text.size()) +
                            "\0\0\0"s + text + "abc");
    const NpyArray array = parse_npy(file);
    EXPECT_EQ(array.shape, Shape{3});
    EXPECT_EQ(array.bytes, bytes("abc"));
  }
}

TEST(Npy, ReadsHeadersInAnyPythonSpelling) {
  const auto file = numpy_file(R"({"shape":(2 , 1),"descr":"|u1" , "fortran_order" :False})", "ab");
  EXPECT_EQ(parse_npy(file).shape, (Shape{2, 1}));
}

TEST(Npy, WritesWhatItReads) {
  for (const auto& file : {matrix, numpy_file(dictionary("|b1", "(2,)"), "\1\0"s),
                           numpy_file(dictionary("<f8", "()"), "12345678"),
                           numpy_file(dictionary("<i2", "(0, 3)"), "")}) {
    EXPECT_EQ(format_npy(parse_npy(file)), file);
  }
}

TEST(Npy, AlignsTheElementsOfLongHeaders) {
  NpyArray array{DType::uint8, Shape::filled(60, 1), bytes("x")};
  const auto file = format_npy(array);
  EXPECT_EQ((file.size() - 1) % 64, 0u);
  EXPECT_EQ(parse_npy(file).shape, array.shape);
}

TEST(Npy, StoresOtherTypesAsNumpysOwn) {
  EXPECT_EQ(npy_dtype(DType::boolean), DType::boolean);
  EXPECT_EQ(npy_dtype(DType::f16), DType::f16);
  EXPECT_EQ(npy_dtype(DType::bf16), DType::uint16);
  EXPECT_EQ(npy_dtype(DType::tf32), DType::f32);
  EXPECT_EQ(npy_dtype(DType::f8e4m3), DType::uint8);
  EXPECT_EQ(npy_dtype(DType::f8e8m0), DType::uint8);
  EXPECT_EQ(npy_dtype(DType::f4e2m1), DType::uint8);
}

TEST(Npy, RefusesToWriteWhatNumpyCouldNotRead) {
  EXPECT_THROW(format_npy({DType::bf16, {1}, bytes("ab")}), LaunchError);
  EXPECT_THROW(format_npy({DType::f32, {2}, bytes("abcd")}), LaunchError);
  EXPECT_THROW(format_npy({DType::uint8, {-1, -2}, bytes("ab")}), LaunchError);
}

TEST(Npy, SaysWhyAnArrayCannotBeRead) {
  EXPECT_THAT(message(numpy_file(dictionary(">i4", "(1,)"), "abcd")), HasSubstr("big endian"));
  EXPECT_THAT(message(numpy_file(dictionary("<U1", "(1,)"), "abcd")), HasSubstr("'<U1'"));
  EXPECT_THAT(message(numpy_file(dictionary("|O", "(1,)"), "abcd")), HasSubstr("'|O'"));
  EXPECT_THAT(message(numpy_file(
                  "{'descr': [('a', '<i4')], 'fortran_order': False, 'shape': (1,), }", "abcd")),
              HasSubstr("structures"));
  EXPECT_THAT(message(numpy_file(dictionary("<f4", "(2, 3)"), "abcd")),
              HasSubstr("shape 2x3 of float takes 24 bytes, but there are 4"));
  EXPECT_THAT(message(numpy_file(dictionary("|b1", "(1,)"), "\2")), HasSubstr("bool"));
  EXPECT_THAT(message(bytes("PK\3\4")), HasSubstr("not a .npy file"));
  EXPECT_THAT(message(bytes("\x93NUMPY\x04\x00\x00\x00"s)), HasSubstr("version 4.0"));
}

TEST(Npy, RefusesShapesBeyond64Bits) {
  EXPECT_THAT(message(numpy_file(dictionary("|u1", "(9223372036854775808,)"), "")),
              HasSubstr("beyond 64 bits"));
  EXPECT_THAT(message(numpy_file(dictionary("<f8", "(4294967296, 536870912)"), "")),
              HasSubstr("beyond 64 bits"));
  EXPECT_NE(message(numpy_file(dictionary("|u1", "(-1, -1)"), "a")), "accepted");
}

TEST(Npy, RefusesMalformedHeaders) {
  for (const std::string_view header :
       {"", "{", "{}", "{'descr': '|u1', 'shape': (1,)}", "{'descr': '|u1'",
        "{'descr': '|u1', 'fortran_order': Fals, 'shape': (1,)}",
        "{'descr': '|u1', 'fortran_order': False, 'shape': 1}",
        "{'descr': '|u1', 'fortran_order': False, 'shape': (1, }",
        "{'descr': '|u1', 'fortran_order': False, 'shape': (0x1,)}",
        "{'descr': '|u1', 'fortran_order': False, 'shape': (1,), 'more': 1}",
        "{'descr': '|u1', 'descr': '|u1', 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '|u1', 'fortran_order': False, 'shape': (1,)} x"}) {
    EXPECT_THAT(message(numpy_file(std::string(header), "a")), HasSubstr("malformed")) << header;
  }
}

TEST(Npy, RefusesEveryTruncationAndExtension) {
  auto file = matrix;
  file.push_back(std::byte{0});
  EXPECT_NE(message(file), "accepted");
  for (std::size_t size = 0; size < matrix.size(); ++size) {
    file.assign(matrix.begin(), matrix.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_NE(message(file), "accepted") << size;
  }
}

TEST(Npy, SurvivesEveryChangedByte) {
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    for (const unsigned change : {0x01u, 0x10u, 0x80u, 0xFFu}) {
      auto file = matrix;
      file[i] ^= static_cast<std::byte>(change);
      const bool is_header = i < 128;
      const std::string outcome = message(file);
      EXPECT_TRUE(is_header || outcome == "accepted") << i;
    }
  }
}

class NpyFile : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directory(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  // Tests run at once, in one process each.
  const std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) / ("npy_test" + std::to_string(::getpid()));
  const std::filesystem::path path_ = folder_ / "array.npy";
};

TEST_F(NpyFile, ComesBackAsItWasWritten) {
  const NpyArray array{DType::int32, {2, 1}, bytes("abcdefgh")};
  write_npy(path_, array);
  const NpyArray back = read_npy(path_);
  EXPECT_EQ(back.dtype, array.dtype);
  EXPECT_EQ(back.shape, array.shape);
  EXPECT_EQ(back.bytes, array.bytes);
}

TEST_F(NpyFile, IsNamedInErrors) {
  std::ofstream(path_) << "no array";
  try {
    read_npy(path_);
    FAIL();
  } catch (const LaunchError& error) {
    EXPECT_THAT(error.what(), HasSubstr(path_.string() + ": it is not a .npy file"));
  }
}

TEST_F(NpyFile, MustBeReadableAndWritable) {
  EXPECT_THROW(read_npy(path_), DeviceError);
  EXPECT_THROW(read_npy(folder_), DeviceError);
  EXPECT_THROW(write_npy(folder_ / "missing" / "array.npy", {DType::uint8, {0}, {}}), DeviceError);
}

TEST_F(NpyFile, IsNotTouchedByAnArrayThatCannotBeWritten) {
  write_npy(path_, {DType::uint8, {1}, bytes("a")});
  EXPECT_THROW(write_npy(path_, {DType::bf16, {1}, bytes("ab")}), LaunchError);
  EXPECT_EQ(read_npy(path_).bytes, bytes("a"));
}

}  // namespace
}  // namespace tw
