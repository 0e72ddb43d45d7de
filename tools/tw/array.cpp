// SPDX-License-Identifier: Apache-2.0
#include "array.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include <tilewright/core/bulk_conversion.hpp>
#include <tilewright/runtime/create.hpp>
#include <tilewright/runtime/transfer.hpp>

#include "example.hpp"

namespace tw::cli {
namespace {

std::vector<double> numbers_of(const AnyTensor& tensor) {
  const std::vector<std::byte> bytes = download(tensor).bytes;
  std::vector<double> numbers(bytes.size() / storage_bytes(tensor.dtype()));
  numeric::convert(bytes.data(), tensor.dtype(), reinterpret_cast<std::byte*>(numbers.data()),
                   DType::f64, numbers.size());
  return numbers;
}

}  // namespace

AnyTensor zeros(DType dtype, const Shape& shape) {
  const std::uint64_t zero = 0;
  const Location where = Location::current();
  return {detail::filled(dtype, &zero, shape, default_device(where), where), false};
}

AnyTensor upload(DType dtype, const NpyArray& array) {
  const Location where = Location::current();
  return {detail::uploaded(dtype, array.bytes.data(), array.bytes.size() / storage_bytes(dtype),
                           array.shape, default_device(where), where),
          false};
}

NpyArray download(const AnyTensor& tensor) {
  const Location where = Location::current();
  const runtime::TensorState& state = runtime::TensorAccess::state(tensor, where);
  NpyArray array{npy_dtype(tensor.dtype()), tensor.shape(), {}};
  array.bytes.resize(runtime::download_bytes(state));
  detail::download(state, array.bytes.data(), where);
  return array;
}

std::string statistics(const AnyTensor& tensor) {
  const std::string what =
      fmt::format("{} {}", to_string(tensor.shape()), type_name(tensor.dtype()));
  double least = std::numeric_limits<double>::infinity();
  double most = -least;
  double sum = 0;
  std::size_t count = 0;
  const std::vector<double> numbers = numbers_of(tensor);
  for (const double number : numbers) {
    if (std::isnan(number)) continue;
    least = std::min(least, number);
    most = std::max(most, number);
    sum += number;
    ++count;
  }
  const std::size_t nans = numbers.size() - count;
  const std::string also = nans == 0 ? "" : fmt::format(", {} NaN", nans);
  if (count == 0) return what + also + ", no numbers";
  return fmt::format("{}, min {:.6g}, max {:.6g}, mean {:.6g}{}", what, least, most,
                     sum / static_cast<double>(count), also);
}

}  // namespace tw::cli
