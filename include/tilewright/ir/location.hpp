// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include <tilewright/core/export.hpp>
#include <tilewright/core/location.hpp>

namespace tw::inline v0::ir {

/// Index of a place in a module's location table; 0 is "unknown".
enum class LocationId : std::uint32_t { unknown = 0 };

struct SourcePlace {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  bool operator==(const SourcePlace&) const = default;
};

/// The source places that a module's ops refer to, each held once.
class TILEWRIGHT_API LocationTable {
 public:
  LocationId add(const Location& where);
  LocationId add(SourcePlace place);
  /// The place, or an empty one for `unknown`.
  [[nodiscard]] const SourcePlace& operator[](LocationId id) const;
  [[nodiscard]] std::size_t size() const noexcept { return places_.size(); }

 private:
  /// What the compiler gave: the same place has the same address almost always.
  struct Key {
    const char* file;
    std::uint64_t position;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const noexcept;
  };
  struct PlaceHash {
    std::size_t operator()(const SourcePlace& place) const noexcept;
  };

  std::vector<SourcePlace> places_{1};
  std::unordered_map<Key, LocationId, KeyHash> by_address_;
  std::unordered_map<SourcePlace, LocationId, PlaceHash> by_content_{
      {SourcePlace{}, LocationId::unknown}};
};

}  // namespace tw::inline v0::ir
