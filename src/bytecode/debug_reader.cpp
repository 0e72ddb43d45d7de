// SPDX-License-Identifier: Apache-2.0
#include "bytecode/debug_reader.hpp"

#include <limits>
#include <utility>

#include <fmt/format.h>

namespace tw::inline v0::bytecode {

using namespace ir;

DebugReader::DebugReader(std::optional<ByteReader> section, AttributeReader& strings,
                         LocationTable& places, ReadContext& context)
    : strings_(strings), places_(places), context_(context) {
  if (!section) return;
  ByteReader& in = *section;
  starts_.resize(in.count(4));
  in.align(4);
  for (std::uint32_t& each : starts_) each = static_cast<std::uint32_t>(in.fixed(4));
  const std::size_t total = in.count(8);
  in.align(8);
  indices_ = in.part(8 * total);
  for (std::size_t i = 0; i < starts_.size(); ++i) {
    const std::size_t end = i + 1 < starts_.size() ? starts_[i + 1] : total;
    if (starts_[i] >= end || end > total) in.fail("the places of a function are out of order");
  }
  // What counts from the payload's start counts from here too: 8 divides both.
  entries_ = EntryTable(in, 4, "debug entry");
  known_.resize(entries_.size());
  known_scopes_.resize(entries_.size());
}

DebugReader::Places DebugReader::function(ByteReader& in) {
  const std::uint64_t number = in.varint();
  if (number == 0) return {};
  if (number > starts_.size())
    in.fail(fmt::format("there is no debug info of function {}", number));
  const auto index = static_cast<std::size_t>(number - 1);
  const std::size_t begin = starts_[index];
  const std::size_t size = indices_->remaining();
  const std::size_t end = index + 1 < starts_.size() ? starts_[index + 1] * 8 : size;
  ByteReader reader = *indices_;
  reader.bytes(begin * 8);
  return {*this, reader.part(end - begin * 8)};
}

LocationId DebugReader::Places::own() {
  located_ = true;
  const LocationId location = next();
  located_ = location != LocationId::unknown;
  return location;
}

LocationId DebugReader::Places::next() {
  if (reader_ == nullptr) return LocationId::unknown;
  const LocationId location = reader_->place(indices_->fixed(8));
  if (located_ || location == LocationId::unknown) return location;
  if (!indices_->context().lenient) indices_->fail("an op has a place, and its function has none");
  return LocationId::unknown;
}

LocationId DebugReader::place(std::uint64_t id) { return decode(id, 0); }

LocationId DebugReader::decode(std::uint64_t id, std::size_t depth) {
  if (id == 0) return LocationId::unknown;
  if (id <= known_.size() && known_[static_cast<std::size_t>(id - 1)]) {
    return *known_[static_cast<std::size_t>(id - 1)];
  }
  ByteReader in = entry(id);
  std::optional<LocationId>& known = known_[static_cast<std::size_t>(id - 1)];
  check_depth(depth, in);
  const std::uint64_t tag = in.varint();
  if (tag == code(DebugTag::location)) {
    known = plain_place(in, depth);
  } else if (tag == code(DebugTag::call_site)) {
    const LocationId callee = decode(in.varint(), depth + 1);
    known = called_from(callee, decode(in.varint(), depth + 1), depth, in);
  } else if (tag == code(DebugTag::unknown)) {
    known = LocationId::unknown;
  } else {
    in.fail(fmt::format("the debug entry {} is no place but has the tag {}", id, tag));
  }
  in.expect_end("a debug entry");
  return *known;
}

LocationId DebugReader::plain_place(ByteReader& in, std::size_t depth) {
  SourcePlace place;
  place.scope = scope(in.varint(), depth + 1);
  place.file = strings_.string(in);
  place.line = number(in);
  place.column = number(in);
  return add(std::move(place), in);
}

/// The callee may have been called from a place itself, which then was called from the caller.
LocationId DebugReader::called_from(LocationId place, LocationId caller, std::size_t depth,
                                    const ByteReader& in) {
  if (place == LocationId::unknown || caller == LocationId::unknown) return place;
  check_depth(depth, in);
  SourcePlace inlined = places_[place];
  inlined.caller = inlined.caller == LocationId::unknown
                       ? caller
                       : called_from(inlined.caller, caller, depth + 1, in);
  return add(std::move(inlined), in);
}

ScopeId DebugReader::scope(std::uint64_t id, std::size_t depth) {
  if (id == 0) return ScopeId::none;
  ByteReader in = entry(id);
  ScopeId& known = known_scopes_[static_cast<std::size_t>(id - 1)];
  if (known != ScopeId::none) return known;
  check_depth(depth, in);
  const std::uint64_t tag = in.varint();
  if (tag == code(DebugTag::subprogram)) return known = function_scope(in);
  if (tag == code(DebugTag::lexical_block)) return known = block_scope(in, depth);
  in.fail(fmt::format("the debug entry {} is no scope but has the tag {}", id, tag));
}

ScopeId DebugReader::block_scope(ByteReader& in, std::size_t depth) {
  SourceScope block;
  block.parent = scope(in.varint(), depth + 1);
  if (block.parent == ScopeId::none) in.fail("a block lies in no function");
  block.file = file(in.varint());
  block.line = number(in);
  block.column = number(in);
  in.expect_end("a block");
  return add(std::move(block), in);
}

ScopeId DebugReader::function_scope(ByteReader& in) {
  SourceScope function;
  function.file = file(in.varint());
  function.line = number(in);
  function.name = strings_.string(in);
  function.linkage_name = strings_.string(in);
  function.unit = unit(in.varint());
  function.body_line = number(in);
  if (context_.version >= v13_5) in.expect_no_bits(in.varint(), "a function's debug info");
  in.expect_end("a function's debug info");
  return add(std::move(function), in);
}

std::string DebugReader::file(std::uint64_t id) {
  ByteReader in = entry(id, DebugTag::file);
  const std::string name = strings_.string(in);
  std::string folder = strings_.string(in);
  in.expect_end("a file");
  if (!folder.empty() && folder.back() != '/') folder += '/';
  return folder + name;
}

std::string DebugReader::unit(std::uint64_t id) {
  ByteReader in = entry(id, DebugTag::compile_unit);
  const std::uint64_t own_file = in.varint();
  in.expect_end("a compile unit");
  return file(own_file);
}

LocationId DebugReader::add(SourcePlace place, const ByteReader& in) {
  context_.charge(2 * (sizeof(SourcePlace) + place.file.size()), in.offset());
  return places_.add(std::move(place));
}

ScopeId DebugReader::add(SourceScope scope, const ByteReader& in) {
  const std::size_t names =
      scope.file.size() + scope.name.size() + scope.linkage_name.size() + scope.unit.size();
  context_.charge(2 * (sizeof(SourceScope) + names), in.offset());
  return places_.add(std::move(scope));
}

ByteReader DebugReader::entry(std::uint64_t id, DebugTag tag) {
  ByteReader in = entry(id);
  const std::uint64_t found = in.varint();
  if (found != code(tag)) {
    in.fail(fmt::format("the debug entry {} has the tag {}", id, found));
  }
  return in;
}

/// Ids count from one.
ByteReader DebugReader::entry(std::uint64_t id) { return entries_.entry(id - 1, *indices_); }

std::uint32_t DebugReader::number(ByteReader& in) {
  return static_cast<std::uint32_t>(
      in.varint_up_to(std::numeric_limits<std::uint32_t>::max(), "a line or column"));
}

void DebugReader::check_depth(std::size_t depth, const ByteReader& in) const {
  if (depth > context_.limits.depth) in.fail("debug info is nested too deeply");
}

}  // namespace tw::inline v0::bytecode
