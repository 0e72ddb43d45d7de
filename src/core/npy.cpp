// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <tilewright/core/error.hpp>
#include <tilewright/core/npy.hpp>

#include "core/npy_header.hpp"

namespace tw::inline v0 {
namespace {

using detail::NpyContext;
using detail::NpyHeader;

static_assert(std::endian::native == std::endian::little, "elements are copied as they lie");

/// Throws unless `size` bytes are what elements of this type and shape take.
void check_size(DType dtype, const Shape& shape, std::size_t size, const NpyContext& context) {
  const auto is_negative = [](std::int64_t extent) { return extent < 0; };
  if (std::ranges::any_of(shape, is_negative)) {
    context.fail(fmt::format("shape {} has a negative extent", to_string(shape)));
  }
  Shape extents = shape;
  extents.push_back(static_cast<std::int64_t>(storage_bytes(dtype)));
  const std::optional<std::int64_t> wanted = checked_product(extents);
  if (!wanted) context.fail(fmt::format("shape {} is beyond 64 bits", to_string(shape)));
  if (static_cast<std::size_t>(*wanted) != size) {
    context.fail(fmt::format("shape {} of {} takes {} bytes, but there are {}", to_string(shape),
                             info(dtype).name, *wanted, size));
  }
}

/// Advances coordinates in row-major order; false once they are back at zero.
bool advance(Shape& index, const Shape& shape) {
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    if (++index[axis] < shape[axis]) return true;
    index[axis] = 0;
  }
  return false;
}

std::vector<std::byte> from_fortran_order(const std::vector<std::byte>& columns, const Shape& shape,
                                          std::size_t element_bytes) {
  std::vector<std::byte> rows(columns.size());
  if (rows.empty()) return rows;
  Shape strides = Shape::filled(shape.size(), static_cast<std::int64_t>(element_bytes));
  for (std::size_t axis = 1; axis < shape.size(); ++axis) {
    strides[axis] = strides[axis - 1] * shape[axis - 1];
  }
  Shape index = Shape::filled(shape.size(), 0);
  std::byte* out = rows.data();
  do {
    std::int64_t offset = 0;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) offset += index[axis] * strides[axis];
    std::memcpy(out, columns.data() + offset, element_bytes);
    out += element_bytes;
  } while (advance(index, shape));
  return rows;
}

/// The array whose file had this header, then these bytes.
NpyArray assemble(NpyHeader header, std::vector<std::byte> bytes, const NpyContext& context) {
  check_size(header.dtype, header.shape, bytes.size(), context);
  const auto is_bool = [](std::byte value) { return value <= std::byte{1}; };
  if (header.dtype == DType::boolean && !std::ranges::all_of(bytes, is_bool)) {
    context.fail("it has a bool that is neither 0 nor 1");
  }
  if (header.fortran_order) {
    bytes = from_fortran_order(bytes, header.shape, storage_bytes(header.dtype));
  }
  return {header.dtype, std::move(header.shape), std::move(bytes)};
}

/// What stands before the elements of `array` in its file, once the array is known to be sound.
std::string checked_header(const NpyArray& array, const NpyContext& context) {
  const auto row = std::ranges::find(detail::numpy_types, array.dtype, &detail::NumpyType::dtype);
  if (row == detail::numpy_types.end()) {
    context.fail(fmt::format("NumPy has no {}: store the array as {}", info(array.dtype).name,
                             info(npy_dtype(array.dtype)).name));
  }
  check_size(array.dtype, array.shape, array.bytes.size(), context);
  return detail::format_npy_header(row->descr, array.shape, context);
}

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

[[noreturn]] void fail_file(const std::filesystem::path& path, std::error_code error,
                            const Location& where) {
  throw DeviceError(fmt::format("{}: {}", path.string(), error.message()), where);
}

std::error_code last_error() { return {errno, std::generic_category()}; }

std::vector<std::byte> read_file(const std::filesystem::path& path, const Location& where) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error) fail_file(path, error, where);
  const File file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (!file) fail_file(path, last_error(), where);
  std::vector<std::byte> bytes(size);
  bytes.resize(std::fread(bytes.data(), 1, bytes.size(), file.get()));
  if (std::ferror(file.get()) != 0) fail_file(path, last_error(), where);
  return bytes;
}

}  // namespace

DType npy_dtype(DType dtype) noexcept {
  if (std::ranges::find(detail::numpy_types, dtype, &detail::NumpyType::dtype) !=
      detail::numpy_types.end()) {
    return dtype;
  }
  if (dtype == DType::tf32) return DType::f32;
  return storage_bytes(dtype) == 2 ? DType::uint16 : DType::uint8;
}

NpyArray parse_npy(std::span<const std::byte> file, Location where) {
  const NpyContext context{".npy data", where};
  NpyHeader header = detail::take_npy_header(file, context);
  return assemble(std::move(header), {file.begin(), file.end()}, context);
}

std::vector<std::byte> format_npy(const NpyArray& array, Location where) {
  const std::string header = checked_header(array, {"array for a .npy file", where});
  std::vector<std::byte> file(header.size() + array.bytes.size());
  std::memcpy(file.data(), header.data(), header.size());
  std::ranges::copy(array.bytes, file.begin() + static_cast<std::ptrdiff_t>(header.size()));
  return file;
}

NpyArray read_npy(const std::filesystem::path& path, Location where) {
  const NpyContext context{path.string(), where};
  std::vector<std::byte> bytes = read_file(path, where);
  std::span<const std::byte> elements = bytes;
  NpyHeader header = detail::take_npy_header(elements, context);
  bytes.erase(bytes.begin(), bytes.end() - std::ssize(elements));
  return assemble(std::move(header), std::move(bytes), context);
}

void write_npy(const std::filesystem::path& path, const NpyArray& array, Location where) {
  const std::string header = checked_header(array, {path.string(), where});
  File file(std::fopen(path.c_str(), "wb"), &std::fclose);
  if (!file) fail_file(path, last_error(), where);
  const auto write = [&](const void* data, std::size_t size) {
    if (std::fwrite(data, 1, size, file.get()) != size) fail_file(path, last_error(), where);
  };
  write(header.data(), header.size());
  write(array.bytes.data(), array.bytes.size());
  // Buffered bytes may only now meet a full disk.
  if (std::fclose(file.release()) != 0) fail_file(path, last_error(), where);
}

}  // namespace tw::inline v0
