// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include <tilewright/runtime/any_tensor.hpp>

namespace tw::cli {

/// `value` of the argument `name`, which must be whole. Throws UsageError when it is not, or beyond
/// an int.
int whole_number(const std::string& name, double value);

/// What an example is launched with, by the names that it declares. Names that it does not declare
/// throw std::out_of_range.
class Arguments {
 public:
  /// A tensor of the example's inputs.
  template <element T, int R>
  [[nodiscard]] View<T, R> tensor(const std::string& name) const {
    return tensors_.at(name).view<T, R>();
  }
  /// An extent that the inputs have in common.
  [[nodiscard]] std::int64_t extent(const std::string& name) const { return extents_.at(name); }
  [[nodiscard]] float number(const std::string& name) const {
    return static_cast<float>(numbers_.at(name));
  }
  /// A number that must be whole. Throws UsageError when it is not.
  [[nodiscard]] int integer(const std::string& name) const {
    return whole_number(name, numbers_.at(name));
  }

  /// A number that must be whole and at least one. Throws UsageError when it is not.
  [[nodiscard]] int count(const std::string& name) const;

  void set_tensor(const std::string& name, AnyTensor tensor) {
    tensors_.insert_or_assign(name, std::move(tensor));
  }
  void set_number(const std::string& name, double value) { numbers_[name] = value; }
  /// Whether the extent had no other value before.
  bool set_extent(const std::string& name, std::int64_t value) {
    return extents_.emplace(name, value).first->second == value;
  }

 private:
  std::map<std::string, AnyTensor> tensors_;
  std::map<std::string, std::int64_t> extents_;
  std::map<std::string, double> numbers_;
};

}  // namespace tw::cli
