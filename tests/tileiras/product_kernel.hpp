// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <tilewright/ir/kernel.hpp>
#include <tilewright/ir/parser.hpp>

namespace tw::tests {

/// A loop that multiplies tiles of two matrices of one type and stores their sum, with what is
/// known about all three.
struct ProductKernel {
  std::string type = "f16";
  int m = 128;
  int n = 128;
  int k = 64;
  std::int32_t alignment = 16;      ///< of the addresses, in bytes
  std::int32_t stride_divisor = 8;  ///< in elements
  std::int32_t extent_divisor = 16;
  std::string index = "i32";

  [[nodiscard]] ir::Kernel kernel() const {
    return {.module = ir::parse(text(), "user.hpp", ir::DefaultPlace::text), .abi = abi()};
  }

 private:
  [[nodiscard]] std::string sum_type() const {
    return type == "i8" ? "i32" : type == "f64" ? "f64" : "f32";
  }

  static std::string view(const std::string& element, int rows, int columns) {
    return fmt::format("partition_view<tile=({}x{}), tensor_view<?x?x{}, strides=[?,1]>>", rows,
                       columns, element);
  }

  /// The views of one matrix: a base and its extents, with the second as its stride.
  [[nodiscard]] std::string matrix(const std::string& name, const std::string& element, int rows,
                                   int columns, const std::string& extents,
                                   const std::string& stride) const {
    return fmt::format(
        "  %t{0} = make_tensor_view %{0}, shape = [{1}], strides = [{2}, 1] : tile<{3}> -> "
        "tensor_view<?x?x{4}, strides=[?,1]>\n  %v{0} = make_partition_view %t{0} : {5}\n",
        name, extents, stride, index, element, view(element, rows, columns));
  }

  [[nodiscard]] std::string text() const {
    const std::string sum = sum_type();
    const bool whole = sum == "i32";
    std::string result = fmt::format(
        "entry @kernel(%a: tile<ptr<{0}>>, %b: tile<ptr<{0}>>, %c: tile<ptr<{1}>>, %m: tile<{2}>, "
        "%n: tile<{2}>, %k: tile<{2}>, %sa: tile<{2}>, %sb: tile<{2}>, %sc: tile<{2}>) {{\n",
        type, sum, index);
    result += fmt::format("  %zero = constant <{0}: {1}> : tile<{2}x{3}x{0}>\n", sum,
                          whole ? "0" : "0.0", m, n);
    result += "  %c0 = constant <i32: 0> : tile<i32>\n  %c1 = constant <i32: 1> : tile<i32>\n";
    result += "  %c9 = constant <i32: 9> : tile<i32>\n";
    result += matrix("a", type, m, k, "%m, %k", "%sa");
    result += matrix("b", type, k, n, "%k, %n", "%sb");
    result += matrix("c", sum, m, n, "%m, %n", "%sc");
    result += fmt::format(
        "  %r = for %i in (%c0 to %c9, step %c1) : tile<i32> iter_values(%acc = %zero) -> "
        "(tile<{0}x{1}x{2}>) {{\n"
        "    %x, %k0 = load_view_tko weak %va[%c0, %i] : {4}, tile<i32> -> tile<{0}x{3}x{6}>, "
        "token\n"
        "    %y, %k1 = load_view_tko weak %vb[%i, %c0] : {5}, tile<i32> -> tile<{3}x{1}x{6}>, "
        "token\n"
        "    %z = {7} %x, %y, %acc {8} : tile<{0}x{3}x{6}>, tile<{3}x{1}x{6}>, tile<{0}x{1}x{2}>\n"
        "    continue %z : tile<{0}x{1}x{2}>\n  }}\n",
        m, n, sum, k, view(type, m, k), view(type, k, n), type, whole ? "mmai" : "mmaf",
        whole ? "signed signed" : "");
    result += fmt::format(
        "  %s = store_view_tko weak %r, %vc[%c0, %c0] : tile<{0}x{1}x{2}>, {3}, tile<i32> -> "
        "token\n  return\n}}\n",
        m, n, sum, view(sum, m, n));
    return result;
  }

  [[nodiscard]] std::vector<ir::AbiSlot> abi() const {
    const ElementKind kind = index == "i64" ? ElementKind::i64 : ElementKind::i32;
    std::vector<ir::AbiSlot> slots(3, {.kind = ir::AbiKind::base, .divisor = alignment});
    slots.resize(6, {.kind = ir::AbiKind::extent, .element = kind, .divisor = extent_divisor});
    slots.resize(9, {.kind = ir::AbiKind::stride, .element = kind, .divisor = stride_divisor});
    return slots;
  }
};

}  // namespace tw::tests
