// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include <tilewright/core/error.hpp>
#include <tilewright/ir/attribute.hpp>

namespace tw::inline v0::ir {
namespace {

using Bytes = decltype(Constant::bytes);

constexpr std::byte all_true{0xff};

/// Bytes of one element: those that its bits need, which differs from memory for tf32.
std::size_t dense_bytes(ElementKind kind) { return (info(kind).bits + 7u) / 8u; }

void append_element(Bytes& bytes, ElementKind kind, std::uint64_t bits) {
  for (std::size_t i = 0; i < dense_bytes(kind); ++i) {
    bytes.push_back(static_cast<std::byte>(bits >> (8 * i)));
  }
}

Bytes packed(const std::vector<std::uint64_t>& bits) {
  Bytes bytes((bits.size() + 7) / 8);
  for (std::size_t i = 0; i < bits.size(); ++i) {
    if ((bits[i] & 1) != 0) bytes[i / 8] |= std::byte{1} << (i % 8);
  }
  return bytes;
}

}  // namespace

Constant splat(ElementKind kind, std::uint64_t bits) {
  if (kind == ElementKind::i1) return {{(bits & 1) != 0 ? all_true : std::byte{0}}};
  Constant constant;
  append_element(constant.bytes, kind, bits);
  return constant;
}

Constant dense(ElementKind kind, const std::vector<std::uint64_t>& bits) {
  if (bits.empty()) throw BugError("a constant needs elements", Location::current());
  if (std::ranges::all_of(bits, [&](std::uint64_t each) { return each == bits.front(); })) {
    return splat(kind, bits.front());
  }
  if (kind == ElementKind::i1) return {packed(bits)};
  Constant constant;
  constant.bytes.reserve(bits.size() * dense_bytes(kind));
  for (const std::uint64_t each : bits) append_element(constant.bytes, kind, each);
  return constant;
}

std::uint64_t element_bits(const Constant& constant, ElementKind kind, std::size_t index) {
  const Bytes& bytes = constant.bytes;
  if (kind == ElementKind::i1) {
    const std::size_t at = bytes.size() == 1 ? 0 : index / 8;
    return std::to_integer<std::uint64_t>(bytes.at(at) >> (index % 8)) & 1;
  }
  const std::size_t width = dense_bytes(kind);
  const std::size_t at = bytes.size() == width ? 0 : index * width;
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < width; ++i) {
    bits |= std::to_integer<std::uint64_t>(bytes.at(at + i)) << (8 * i);
  }
  return bits;
}

bool is_splat(const Constant& constant, ElementKind kind, std::size_t count) {
  const Bytes& bytes = constant.bytes;
  if (bytes.size() != dense_bytes(kind)) return false;
  return kind != ElementKind::i1 || count == 1 || bytes[0] == std::byte{0} || bytes[0] == all_true;
}

bool fits(const Constant& constant, ElementKind kind, std::size_t count) {
  const std::size_t size = kind == ElementKind::i1 ? (count + 7) / 8 : count * dense_bytes(kind);
  return constant.bytes.size() == size || is_splat(constant, kind, count);
}

}  // namespace tw::inline v0::ir
