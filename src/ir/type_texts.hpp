// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <unordered_map>

#include <tilewright/ir/type.hpp>

namespace tw::inline v0::ir {

/// The texts of types, each made once. The types must outlive this.
class TypeTexts {
 public:
  const std::string& of(const Type& type) {
    const auto [entry, is_new] = texts_.try_emplace(type ? &type.node() : nullptr);
    if (is_new) entry->second = to_string(type);
    return entry->second;
  }

 private:
  std::unordered_map<const Type::Node*, std::string> texts_;
};

}  // namespace tw::inline v0::ir
