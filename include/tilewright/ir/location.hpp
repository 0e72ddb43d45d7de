// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include <tilewright/core/error.hpp>
#include <tilewright/core/export.hpp>
#include <tilewright/core/location.hpp>

namespace tw::inline v0::ir {

/// Index of a place in a module's location table; 0 is "unknown".
enum class LocationId : std::uint32_t { unknown = 0 };

/// Index of a scope in a module's location table; 0 is "none".
enum class ScopeId : std::uint32_t { none = 0 };

/// A function of the source, or a block inside one.
struct SourceScope {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;        ///< of a block
  ScopeId parent = ScopeId::none;  ///< of a block; a function has none
  std::string name;                ///< of a function, as are the following
  std::string linkage_name;
  std::uint32_t body_line = 0;
  std::string unit;  ///< the file that was compiled
  auto operator<=>(const SourceScope&) const = default;
};

struct SourcePlace {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  /// What the place lies in, where the module came with debug info.
  ScopeId scope = ScopeId::none;
  /// Where the function that the place lies in was called, if the call was inlined.
  LocationId caller = LocationId::unknown;
  auto operator<=>(const SourcePlace&) const = default;
  /// The place as diagnostics name it.
  operator CodePlace() const {  // NOLINT(google-explicit-constructor): it *is* one
    return {file, line, column};
  }
};

/// The source places that a module's ops refer to and the scopes they lie in, each held once.
class TILEWRIGHT_API LocationTable {
 public:
  LocationId add(const Location& where);
  LocationId add(SourcePlace place);
  ScopeId add(SourceScope scope);
  /// The place, or an empty one for `unknown`.
  [[nodiscard]] const SourcePlace& operator[](LocationId id) const;
  /// The scope, or an empty one for `none`.
  [[nodiscard]] const SourceScope& operator[](ScopeId id) const;
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

  std::vector<SourcePlace> places_{1};
  std::vector<SourceScope> scopes_{1};
  std::unordered_map<Key, LocationId, KeyHash> by_address_;
  // Ordered, because what a file says must not decide how long a search takes.
  std::map<SourcePlace, LocationId> by_content_{{SourcePlace{}, LocationId::unknown}};
  std::map<SourceScope, ScopeId> by_scope_{{SourceScope{}, ScopeId::none}};
};

}  // namespace tw::inline v0::ir
