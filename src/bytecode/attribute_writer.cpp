// SPDX-License-Identifier: Apache-2.0
#include "bytecode/attribute_writer.hpp"

#include <variant>

namespace tw::inline v0::bytecode {
namespace {

using namespace ir;

/// The bounds of an assumption behind a byte that says which of them there are.
void write_pair(ByteWriter& out, const std::optional<std::int64_t>& first,
                const std::optional<std::int64_t>& second) {
  out.byte(static_cast<std::uint8_t>(first.has_value() | second.has_value() << 1));
  if (first) out.signed_varint(*first);
  if (second) out.signed_varint(*second);
}

struct PredicateWriter {
  ByteWriter& out;

  void operator()(const DivBy& value) const {
    out.varint(AttributeTag::div_by);
    out.varint(value.divisor);
    write_pair(out, value.every, value.along);
  }
  void operator()(const SameElements& value) const {
    out.varint(AttributeTag::same_elements);
    out.varint(value.counts.size());
    for (const std::int64_t each : value.counts) out.fixed(static_cast<std::uint64_t>(each), 8);
  }
  void operator()(const Bounded& value) const {
    out.varint(AttributeTag::bounded);
    write_pair(out, value.lower, value.upper);
  }
};

}  // namespace

void AttributeWriter::write(AttributeKind kind, const Attribute& value, const Type& result) {
  switch (kind) {
    case AttributeKind::unit:
      return;
    case AttributeKind::boolean:
      return out_.byte(value.get<std::int64_t>() != 0);
    case AttributeKind::string:
      return out_.varint(tables_.strings.add(value.get<std::string>()));
    case AttributeKind::constant:
      return out_.varint(tables_.constant(value.get<Constant>(), result));
    case AttributeKind::predicate:
      return std::visit(PredicateWriter{out_}, value.get<AssumePredicate>());
    case AttributeKind::hints:
      return hints(value.get<Hints>());
    case AttributeKind::int32_array:
      return integers(value.get<IntArray>(), 4);
    case AttributeKind::bool_array:
      return integers(value.get<IntArray>(), 1);
    case AttributeKind::scalar_array:
      out_.varint(value.get<ScalarArray>().size());
      for (const Scalar& each : value.get<ScalarArray>()) scalar(each);
      return;
    default:  // enumerations and plain integers
      return out_.varint(static_cast<std::uint64_t>(value.get<std::int64_t>()));
  }
}

void AttributeWriter::hints(const Hints& hints) {
  out_.varint(hints.size());
  for (const auto& [architecture, set] : hints) {
    out_.varint(tables_.strings.add(architecture));
    hint_set(set);
  }
}

void AttributeWriter::hint_set(const HintSet& hints) {
  out_.varint(AttributeTag::dictionary);
  out_.varint(hints.size());
  for (const auto& [key, value] : hints) {
    out_.varint(tables_.strings.add(key));
    hint_value(value);
  }
}

void AttributeWriter::hint_value(const HintValue& value) {
  if (const bool* flag = std::get_if<bool>(&value)) {
    out_.varint(AttributeTag::boolean);
    out_.byte(*flag);
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    out_.varint(AttributeTag::string);
    out_.varint(tables_.strings.add(*text));
  } else {
    out_.varint(AttributeTag::integer);
    out_.varint(tables_.types.index(ElementKind::i64));
    out_.varint(static_cast<std::uint64_t>(std::get<std::int64_t>(value)));
  }
}

void AttributeWriter::scalar(const Scalar& value) {
  const ElementKindInfo& kind = info(value.kind);
  out_.varint(kind.is_float() ? AttributeTag::real : AttributeTag::integer);
  out_.varint(tables_.types.index(value.kind));
  if (kind.bits <= (kind.is_float() ? 8 : 1)) {
    out_.byte(static_cast<std::uint8_t>(value.bits));
  } else if (kind.is_float()) {
    out_.signed_varint(static_cast<std::int64_t>(value.bits));
  } else {
    out_.varint(value.bits);
  }
}

void AttributeWriter::integers(const IntArray& values, std::size_t width) {
  out_.varint(values.size());
  for (const std::int64_t each : values) out_.fixed(static_cast<std::uint64_t>(each), width);
}

}  // namespace tw::inline v0::bytecode
