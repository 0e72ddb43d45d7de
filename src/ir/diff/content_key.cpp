// SPDX-License-Identifier: Apache-2.0
#include "ir/diff/content_key.hpp"

#include <variant>

#include "ir/attribute_text.hpp"

namespace tw::inline v0::ir {
namespace {

/// Adds the value of an attribute to a key.
struct ValueWriter {
  ContentKey& key;

  void operator()(std::monostate) const {}
  void operator()(std::int64_t value) const { key.number(static_cast<std::uint64_t>(value)); }
  void operator()(const std::string& value) const { key.text(value); }
  void operator()(const Constant& value) const {
    key.text({reinterpret_cast<const char*>(value.bytes.data()), value.bytes.size()});
  }
  void operator()(const AssumePredicate& value) const { key.text(predicate_text(value)); }
  void operator()(const Hints& value) const { key.text(hints_text(value)); }
  void operator()(const IntArray& value) const {
    key.number(value.size());
    for (const std::int64_t each : value) (*this)(each);
  }
  void operator()(const ScalarArray& value) const {
    key.number(value.size());
    for (const Scalar& each : value) {
      key.number(static_cast<std::uint64_t>(each.kind));
      key.number(each.bits);
    }
  }
};

}  // namespace

void ContentKey::number(std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
  bytes_ += static_cast<char>(value);
}

void ContentKey::text(std::string_view value) {
  number(value.size());
  bytes_ += value;
}

void ContentKey::attribute(const Module& module, const Attribute& value, const AttributeRow& row,
                           const DiffOptions& options) {
  const bool ignored = options.ignore_hints && row.kind == AttributeKind::hints;
  if (ignored || is_fallback(value, row)) return number(0);
  number(1 + value.index());
  if (row.name != AttributeName::site) return value.visit(ValueWriter{*this});
  const auto index = static_cast<std::size_t>(value.get<std::int64_t>());
  if (index >= module.sites.size()) return number(index);
  const Site& site = module.sites[index];
  text(site.kind);
  text(site.text);
  for (const std::int32_t each : {site.parameter, site.axis, std::int32_t{site.silent}}) {
    number(static_cast<std::uint32_t>(each));
  }
  place(module.locations, site.location, options);
}

void ContentKey::place(const LocationTable& places, LocationId id, const DiffOptions& options) {
  if (options.ignore_places) return;
  for (; id != LocationId::unknown; id = places[id].caller) {
    number(1);
    text(places[id].file);
    number(places[id].line);
    number(places[id].column);
    scope(places, places[id].scope);
  }
  number(0);
}

void ContentKey::scope(const LocationTable& places, ScopeId id) {
  for (; id != ScopeId::none; id = places[id].parent) {
    const SourceScope& each = places[id];
    number(1);
    for (const std::string* name : {&each.file, &each.name, &each.linkage_name, &each.unit}) {
      text(*name);
    }
    for (const std::uint32_t line : {each.line, each.column, each.body_line}) number(line);
  }
  number(0);
}

std::string place_key(const Module& module, LocationId place, const DiffOptions& options) {
  ContentKey key;
  key.place(module.locations, place, options);
  return key.bytes();
}

std::string head_key(const Module& module, const Function& function, const Op& op,
                     const DiffOptions& options) {
  const OpRow& row = op.row();
  ContentKey key;
  key.number(static_cast<std::uint64_t>(op.code));
  for (std::size_t i = 0; i < row.attributes.size(); ++i) {
    key.attribute(module, op.attributes[i], row.attributes[i], options);
  }
  for (std::size_t i = 0; i < row.operands.size(); ++i) key.number(op.group_sizes[i]);
  key.number(op.results.size());
  for (const Value each : op.results) key.type(function.type(each));
  key.place(module.locations, op.location, options);
  return key.bytes();
}

}  // namespace tw::inline v0::ir
