// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include <tilewright/core/dtype.hpp>
#include <tilewright/core/location.hpp>
#include <tilewright/core/shape.hpp>

namespace tw::inline v0::detail {

/// Which .npy file is at work, and for which line of the caller's program.
struct NpyContext {
  std::string subject;
  Location where;

  /// Throws LaunchError.
  [[noreturn]] void fail(std::string_view problem) const;
};

/// What stands in a .npy file before the elements.
struct NpyHeader {
  DType dtype;
  bool fortran_order;
  Shape shape;
};

/// How NumPy spells an element type.
struct NumpyType {
  DType dtype;
  std::string_view descr;
};

/// The element types that NumPy has too.
inline constexpr auto numpy_types = std::to_array<NumpyType>({
    {DType::boolean, "|b1"},
    {DType::int8, "|i1"},
    {DType::int16, "<i2"},
    {DType::int32, "<i4"},
    {DType::int64, "<i8"},
    {DType::uint8, "|u1"},
    {DType::uint16, "<u2"},
    {DType::uint32, "<u4"},
    {DType::uint64, "<u8"},
    {DType::f16, "<f2"},
    {DType::f32, "<f4"},
    {DType::f64, "<f8"},
});

/// Takes magic, version and header off the front of `file`.
NpyHeader take_npy_header(std::span<const std::byte>& file, const NpyContext& context);

/// Magic, version 1.0 and the header of an array in row-major order, padded so that the elements
/// after it are aligned.
std::string format_npy_header(std::string_view descr, const Shape& shape,
                              const NpyContext& context);

}  // namespace tw::inline v0::detail
