// SPDX-License-Identifier: Apache-2.0
#include <functional>
#include <utility>

#include <tilewright/ir/location.hpp>

namespace tw::inline v0::ir {

std::size_t LocationTable::KeyHash::operator()(const Key& key) const noexcept {
  return std::hash<const char*>()(key.file) * 31 + std::hash<std::uint64_t>()(key.position);
}

std::size_t LocationTable::PlaceHash::operator()(const SourcePlace& place) const noexcept {
  const std::uint64_t position = std::uint64_t{place.line} << 32 | place.column;
  return std::hash<std::string>()(place.file) * 31 + std::hash<std::uint64_t>()(position);
}

LocationId LocationTable::add(const Location& where) {
  if (where.line() == 0) return LocationId::unknown;
  const Key key{where.file_name(), std::uint64_t{where.line()} << 32 | where.column()};
  const auto [entry, is_new] = by_address_.try_emplace(key, LocationId::unknown);
  if (is_new) entry->second = add(SourcePlace{where.file_name(), where.line(), where.column()});
  return entry->second;
}

LocationId LocationTable::add(SourcePlace place) {
  const auto next = static_cast<LocationId>(places_.size());
  const auto [entry, is_new] = by_content_.try_emplace(place, next);
  if (is_new) places_.push_back(std::move(place));
  return entry->second;
}

const SourcePlace& LocationTable::operator[](LocationId id) const {
  return places_.at(static_cast<std::size_t>(id));
}

}  // namespace tw::inline v0::ir
