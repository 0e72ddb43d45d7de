// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mapped_file.hpp"

namespace minilm {

/// The tensors of a safetensors file: eight bytes of header size (little endian), a header in JSON
/// that names each tensor's type, shape and place, then their elements.
class Weights {
 public:
  /// Maps `file` and reads its header. Throws std::system_error when it cannot be read, and
  /// std::runtime_error when the header is malformed or places a tensor outside the file.
  explicit Weights(const std::filesystem::path& file);

  /// The elements of the float32 tensor `name` in row-major order, valid as long as this object.
  /// Throws std::runtime_error when there is no such tensor, or when its type or shape is another.
  [[nodiscard]] std::span<const float> floats(std::string_view name,
                                              std::initializer_list<std::uint64_t> shape) const;

 private:
  struct Tensor {
    std::string type;
    std::vector<std::uint64_t> shape;
    std::span<const std::byte> bytes;
  };

  std::filesystem::path path_;
  MappedFile file_;
  std::map<std::string, Tensor, std::less<>> tensors_;
};

}  // namespace minilm
