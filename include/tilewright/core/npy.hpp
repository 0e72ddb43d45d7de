// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

#include <tilewright/core/dtype.hpp>
#include <tilewright/core/export.hpp>
#include <tilewright/core/location.hpp>
#include <tilewright/core/shape.hpp>

namespace tw::inline v0 {

/// An array as NumPy's .npy files hold it, its elements in row-major order and little endian.
struct NpyArray {
  DType dtype;  ///< one that NumPy has: see `npy_dtype`
  Shape shape;
  std::vector<std::byte> bytes;
};

/// The element type whose arrays stand for those of `dtype` in a .npy file: `dtype` itself if NumPy
/// has it, float for tf32, else the unsigned integer of its size. A byte holds two f4e2m1, the one
/// of even index in its low half, so that the last axis counts pairs.
TILEWRIGHT_API DType npy_dtype(DType dtype) noexcept;

/// Reads the contents of a .npy file of version 1.0, 2.0 or 3.0; an array in Fortran order is
/// transposed. Throws LaunchError when they are malformed, of another length than the shape says,
/// big endian, or of a type such as a string or a structure that tensors cannot have.
TILEWRIGHT_API NpyArray parse_npy(std::span<const std::byte> file,
                                  Location where = Location::current());

/// The contents of the .npy file for `array`, of version 1.0 where its header fits. Throws
/// LaunchError when its bytes do not match shape and type, or NumPy does not have the type.
TILEWRIGHT_API std::vector<std::byte> format_npy(const NpyArray& array,
                                                 Location where = Location::current());

/// Reads a .npy file like `parse_npy`; throws DeviceError when the file cannot be read.
TILEWRIGHT_API NpyArray read_npy(const std::filesystem::path& path,
                                 Location where = Location::current());

/// Writes a .npy file like `format_npy`, over one that is there; throws DeviceError when the file
/// cannot be written.
TILEWRIGHT_API void write_npy(const std::filesystem::path& path, const NpyArray& array,
                              Location where = Location::current());

}  // namespace tw::inline v0
