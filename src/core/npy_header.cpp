// SPDX-License-Identifier: Apache-2.0
#include "core/npy_header.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <tilewright/core/error.hpp>

// The format is described in NumPy's documentation, module numpy.lib.format.

namespace tw::inline v0::detail {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t version_bytes = 2;

/// Reads the header's Python dictionary, whose values are a string, a boolean and a tuple of ints.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, const NpyContext& context) : rest_(text), context_(context) {}

  NpyHeader parse() {
    expect('{');
    while (!accept('}')) {
      const std::string_view key = string();
      expect(':');
      parse_value(key);
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    skip_spaces();
    if (!rest_.empty()) malformed();
    if (!dtype_ || !fortran_order_ || !shape_) malformed();
    return {*dtype_, *fortran_order_, std::move(*shape_)};
  }

 private:
  [[noreturn]] void malformed() const { context_.fail("the header is malformed"); }

  void parse_value(std::string_view key) {
    if (key == "descr" && !dtype_) {
      dtype_ = dtype();
    } else if (key == "fortran_order" && !fortran_order_) {
      fortran_order_ = boolean();
    } else if (key == "shape" && !shape_) {
      shape_ = tuple();
    } else {
      malformed();
    }
  }

  DType dtype() {
    if (accept('[')) context_.fail("its elements are structures, which tensors cannot hold");
    const std::string_view descr = string();
    const auto row = std::ranges::find(numpy_types, descr, &NumpyType::descr);
    if (row != numpy_types.end()) return row->dtype;
    if (descr.starts_with('>')) {
      context_.fail(
          fmt::format("its elements ('{}') are big endian: save it as little endian", descr));
    }
    context_.fail(fmt::format("its element type '{}' is not one that tensors can have", descr));
  }

  bool boolean() {
    skip_spaces();
    for (const auto& [text, value] : {std::pair{"True", true}, std::pair{"False", false}}) {
      if (!rest_.starts_with(text)) continue;
      rest_.remove_prefix(std::strlen(text));
      return value;
    }
    malformed();
  }

  Shape tuple() {
    Shape shape;
    expect('(');
    while (!accept(')')) {
      shape.push_back(extent());
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    return shape;
  }

  std::int64_t extent() {
    skip_spaces();
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error == std::errc::result_out_of_range) context_.fail("an extent is beyond 64 bits");
    if (error != std::errc() || value < 0) malformed();
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }

  std::string_view string() {
    const char quote = accept('"') ? '"' : '\'';
    if (quote == '\'') expect('\'');
    const std::size_t length = rest_.find(quote);
    if (length == std::string_view::npos) malformed();
    const std::string_view text = rest_.substr(0, length);
    rest_.remove_prefix(length + 1);
    return text;
  }

  void skip_spaces() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\n"), rest_.size()));
  }

  bool accept(char c) {
    skip_spaces();
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  void expect(char c) {
    if (!accept(c)) malformed();
  }

  std::string_view rest_;
  const NpyContext& context_;
  std::optional<DType> dtype_;
  std::optional<bool> fortran_order_;
  std::optional<Shape> shape_;
};

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// The tuple in Python's spelling: "()", "(3,)", "(3, 4)".
std::string python_tuple(const Shape& shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

}  // namespace

void NpyContext::fail(std::string_view problem) const {
  throw LaunchError(fmt::format("{}: {}", subject, problem), where);
}

NpyHeader take_npy_header(std::span<const std::byte>& file, const NpyContext& context) {
  if (!as_text(file).starts_with(magic) || file.size() < magic.size() + version_bytes) {
    context.fail("it is not a .npy file");
  }
  const auto major = std::to_integer<unsigned>(file[magic.size()]);
  const auto minor = std::to_integer<unsigned>(file[magic.size() + 1]);
  if (major < 1 || major > 3 || minor != 0) {
    context.fail(fmt::format("version {}.{} of the .npy format is not known", major, minor));
  }
  file = file.subspan(magic.size() + version_bytes);

  const std::size_t length_bytes = major == 1 ? 2 : 4;
  if (file.size() < length_bytes) context.fail("it ends within its header");
  std::uint32_t length = 0;
  std::memcpy(&length, file.data(), length_bytes);
  file = file.subspan(length_bytes);
  if (file.size() < length) context.fail("it ends within its header");
  NpyHeader header = HeaderParser(as_text(file.first(length)), context).parse();
  file = file.subspan(length);
  return header;
}

std::string format_npy_header(std::string_view descr, const Shape& shape,
                              const NpyContext& context) {
  constexpr std::size_t alignment = 64;
  constexpr std::size_t length_bytes = 2;
  std::string dictionary = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}",
                                       descr, python_tuple(shape));
  const std::size_t before = magic.size() + version_bytes + length_bytes;
  const std::size_t size = (before + dictionary.size() + 1 + alignment - 1) / alignment * alignment;
  dictionary.resize(size - before - 1, ' ');
  dictionary += '\n';
  if (dictionary.size() >> (8 * length_bytes) != 0) context.fail("it has too many axes");
  std::string header(magic);
  header += {'\1', '\0', static_cast<char>(dictionary.size() & 0xFF),
             static_cast<char>(dictionary.size() >> 8)};
  return header + dictionary;
}

}  // namespace tw::inline v0::detail
