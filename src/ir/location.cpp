// SPDX-License-Identifier: Apache-2.0
#include <functional>
#include <utility>

#include <tilewright/ir/location.hpp>

namespace tw::inline v0::ir {
namespace {

std::uint64_t position(std::uint32_t line, std::uint32_t column) {
  return std::uint64_t{line} << 32 | column;
}

/// The id of an equal entry, or of a new one at the end of the list.
template <class Id, class Entry, class Index>
Id interned(Entry entry, std::vector<Entry>& entries, Index& index) {
  const auto [found, is_new] = index.try_emplace(entry, static_cast<Id>(entries.size()));
  if (is_new) entries.push_back(std::move(entry));
  return found->second;
}

}  // namespace

std::size_t LocationTable::KeyHash::operator()(const Key& key) const noexcept {
  return std::hash<const char*>()(key.file) * 31 + std::hash<std::uint64_t>()(key.position);
}

LocationId LocationTable::add(const Location& where) {
  if (where.line() == 0) return LocationId::unknown;
  const Key key{where.file_name(), position(where.line(), where.column())};
  const auto [entry, is_new] = by_address_.try_emplace(key, LocationId::unknown);
  if (is_new) entry->second = add(SourcePlace{where.file_name(), where.line(), where.column()});
  return entry->second;
}

LocationId LocationTable::add(SourcePlace place) {
  return interned<LocationId>(std::move(place), places_, by_content_);
}

ScopeId LocationTable::add(SourceScope scope) {
  return interned<ScopeId>(std::move(scope), scopes_, by_scope_);
}

const SourcePlace& LocationTable::operator[](LocationId id) const {
  return places_.at(static_cast<std::size_t>(id));
}

const SourceScope& LocationTable::operator[](ScopeId id) const {
  return scopes_.at(static_cast<std::size_t>(id));
}

}  // namespace tw::inline v0::ir
