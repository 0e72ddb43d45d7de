// SPDX-License-Identifier: Apache-2.0
#include "bytecode/attribute_reader.hpp"

#include <limits>

#include <fmt/format.h>

namespace tw::inline v0::bytecode {

using namespace ir;

namespace {

constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());

/// Throws ReadError for bits above a width of 1 to 64.
std::uint64_t in_width(std::uint64_t bits, std::uint8_t width, const ByteReader& in) {
  if (width < 64 && bits >> width != 0) {
    in.fail(fmt::format("a number of {} bits is {:#x}", width, bits));
  }
  return bits;
}

struct OptionalPair {
  std::optional<std::int64_t> first;
  std::optional<std::int64_t> second;
};

OptionalPair read_pair(ByteReader& in, const char* what) {
  const std::uint8_t bits = in.byte();
  in.expect_no_bits(bits & ~3u, what);
  OptionalPair pair;
  if ((bits & 1) != 0) pair.first = in.signed_varint();
  if ((bits & 2) != 0) pair.second = in.signed_varint();
  return pair;
}

/// The form that our constants have: a splat where all elements are equal.
Constant canonical(Constant constant, ElementKind kind, std::size_t count) {
  // One byte of more than eight booleans is a splat too; any odd one is true.
  if (kind == ElementKind::i1 && constant.bytes.size() == 1 && (count == 1 || count > 8)) {
    return splat(kind, std::to_integer<std::uint64_t>(constant.bytes[0]));
  }
  if (is_splat(constant, kind, count) || !fits(constant, kind, count)) return constant;
  const std::uint64_t first = element_bits(constant, kind, 0);
  for (std::size_t i = 1; i < count; ++i) {
    if (element_bits(constant, kind, i) != first) return constant;
  }
  return splat(kind, first);
}

}  // namespace

Attribute AttributeReader::read(ByteReader& in, AttributeKind kind, const Type& result) {
  switch (kind) {
    case AttributeKind::unit:
      return std::int64_t{1};
    case AttributeKind::boolean:
      return std::int64_t{in.byte() != 0};
    case AttributeKind::integer:
      return static_cast<std::int64_t>(in.varint_up_to(largest, "an integer"));
    case AttributeKind::string:
      return string(in);
    case AttributeKind::constant:
      return constant(in, result);
    case AttributeKind::predicate:
      return predicate(in);
    case AttributeKind::hints:
      return hints(in);
    case AttributeKind::int32_array:
      return integers(in, 4);
    case AttributeKind::bool_array:
      return booleans(in);
    case AttributeKind::scalar_array:
      return scalars(in);
    default:
      return enumerator(in, kind);
  }
}

std::string AttributeReader::string(ByteReader& in) {
  ByteReader entry = strings_.entry(in.varint(), in);
  context_.charge(entry.remaining(), in.offset());
  const auto bytes = entry.bytes(entry.remaining());
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Constant AttributeReader::constant(ByteReader& in, const Type& type) {
  const auto* tile = type.as<TileType>();
  if (tile == nullptr || tile->holds_pointers() || tile->kind() == ElementKind::i4) {
    in.fail("a constant is no tile of numbers");
  }
  const std::int64_t count = checked_product(tile->shape).value_or(0);
  if (count <= 0) in.fail("a constant has a shape without elements");
  ByteReader entry = constants_.entry(in.varint(), in);
  const auto bytes = entry.bytes(entry.count(1));
  entry.expect_end("a constant");
  context_.charge(bytes.size(), in.offset());
  Constant value{{bytes.begin(), bytes.end()}};
  value = canonical(std::move(value), tile->kind(), static_cast<std::size_t>(count));
  if (!fits(value, tile->kind(), static_cast<std::size_t>(count))) {
    in.fail(fmt::format("a constant of {} elements has {} bytes", count, bytes.size()));
  }
  return value;
}

std::int64_t AttributeReader::enumerator(ByteReader& in, AttributeKind kind) {
  const auto names = value_names(kind);
  const auto value = static_cast<std::int64_t>(in.varint_up_to(names.size() - 1, "an enumeration"));
  in.expect_version(value_since(kind, value), names[static_cast<std::size_t>(value)]);
  return value;
}

AssumePredicate AttributeReader::predicate(ByteReader& in) {
  switch (const std::uint64_t tag = in.varint()) {
    case code(AttributeTag::div_by): {
      const std::uint64_t divisor = in.varint();
      const OptionalPair pair = read_pair(in, "div_by");
      return DivBy{divisor, pair.first, pair.second};
    }
    case code(AttributeTag::same_elements):
      return SameElements{read_shape(in, 8)};
    case code(AttributeTag::bounded): {
      const OptionalPair pair = read_pair(in, "bounded");
      return Bounded{pair.first, pair.second};
    }
    default:
      in.fail(fmt::format("an assumption has the tag {}", tag));
  }
}

Hints AttributeReader::hints(ByteReader& in) {
  Hints hints;
  for (std::size_t left = in.count(3); left != 0; --left) {
    std::string architecture = string(in);
    context_.charge(sizeof(Hints::value_type), in.offset());
    const auto [place, is_new] = hints.try_emplace(std::move(architecture));
    if (!is_new) in.fail(fmt::format("there are hints for {} twice", place->first));
    place->second = hint_set(in);
  }
  return hints;
}

HintSet AttributeReader::hint_set(ByteReader& in) {
  expect(in, AttributeTag::dictionary, "hints");
  HintSet set;
  for (std::size_t left = in.count(2); left != 0; --left) {
    std::string key = string(in);
    context_.charge(sizeof(HintSet::value_type), in.offset());
    const auto [place, is_new] = set.try_emplace(std::move(key));
    if (!is_new) in.fail(fmt::format("there is a hint {} twice", place->first));
    place->second = hint_value(in);
  }
  return set;
}

/// Integers come in several widths, which mean the same.
HintValue AttributeReader::hint_value(ByteReader& in) {
  const std::uint64_t tag = in.varint();
  if (tag == code(AttributeTag::boolean)) return in.byte() != 0;
  if (tag == code(AttributeTag::string)) return string(in);
  if (tag != code(AttributeTag::integer)) in.fail(fmt::format("a hint has the tag {}", tag));
  const ElementKindInfo& kind = info(types_.element(in));
  if (kind.is_float()) in.fail("a hint is a float");
  const std::uint64_t bits = in_width(in.varint(), kind.bits, in);
  const unsigned unused = 64u - kind.bits;
  return static_cast<std::int64_t>(bits << unused) >> unused;
}

IntArray AttributeReader::integers(ByteReader& in, std::size_t width) {
  const std::size_t count = in.count(width);
  context_.charge(count * sizeof(std::int64_t), in.offset());
  IntArray list(count);
  for (std::int64_t& each : list) each = in.signed_fixed(width);
  return list;
}

IntArray AttributeReader::booleans(ByteReader& in) {
  const std::size_t count = in.count(1);
  context_.charge(count * sizeof(std::int64_t), in.offset());
  IntArray list(count);
  for (std::int64_t& each : list) each = in.byte() != 0;
  return list;
}

ScalarArray AttributeReader::scalars(ByteReader& in) {
  const std::size_t count = in.count(3);
  context_.charge(count * sizeof(Scalar), in.offset());
  ScalarArray list;
  list.reserve(count);
  for (std::size_t i = 0; i < count; ++i) list.push_back(scalar(in));
  return list;
}

Scalar AttributeReader::scalar(ByteReader& in) {
  const std::uint64_t tag = in.varint();
  const ElementKind element = types_.element(in);
  const ElementKindInfo& kind = info(element);
  if (tag != code(kind.is_float() ? AttributeTag::real : AttributeTag::integer)) {
    in.fail(fmt::format("a number of type {} has the tag {}", kind.name, tag));
  }
  std::uint64_t bits = 0;
  if (kind.bits <= (kind.is_float() ? 8 : 1)) {
    bits = in.byte();
  } else {
    bits = kind.is_float() ? static_cast<std::uint64_t>(in.signed_varint()) : in.varint();
  }
  return {element, in_width(bits, kind.bits, in)};
}

void AttributeReader::expect(ByteReader& in, AttributeTag tag, const char* what) {
  const std::uint64_t found = in.varint();
  if (found != code(tag)) in.fail(fmt::format("{} have the tag {}", what, found));
}

}  // namespace tw::inline v0::bytecode
