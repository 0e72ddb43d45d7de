// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <unordered_map>

#include <tilewright/ir/op.hpp>

namespace tw::inline v0::interp {

/// The memory of a module's globals, as kernels address it.
class Globals {
 public:
  explicit Globals(const ir::Module& module);
  /// The address of the first element of a global.
  [[nodiscard]] std::byte* address(const std::string& name) const { return memory_.at(name).get(); }

 private:
  struct Free {
    std::size_t alignment;
    void operator()(std::byte* memory) const;
  };
  std::unordered_map<std::string, std::unique_ptr<std::byte[], Free>> memory_;
};

}  // namespace tw::inline v0::interp
