// SPDX-License-Identifier: Apache-2.0
#include "weights.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

#include <nlohmann/json.hpp>

namespace minilm {
namespace {

using nlohmann::json;

[[noreturn]] void fail(const std::filesystem::path& file, std::string_view problem) {
  throw std::runtime_error(file.string() + ": " + std::string(problem));
}

std::uint64_t little_endian(std::span<const std::byte> bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) {
    value = value << 8 | std::to_integer<std::uint64_t>(bytes[i]);
  }
  return value;
}

// nlohmann_json would convert negative and fractional numbers silently.
std::uint64_t whole_number(const json& value) {
  if (!value.is_number_unsigned()) throw std::runtime_error("expected a whole number");
  return value.get<std::uint64_t>();
}

std::vector<std::uint64_t> whole_numbers(const json& values) {
  if (!values.is_array()) throw std::runtime_error("expected a list of whole numbers");
  std::vector<std::uint64_t> numbers(values.size());
  std::transform(values.begin(), values.end(), numbers.begin(), whole_number);
  return numbers;
}

std::span<const std::byte> slice(std::span<const std::byte> data,
                                 const std::vector<std::uint64_t>& offsets) {
  if (offsets.size() != 2 || offsets[0] > offsets[1] || offsets[1] > data.size()) {
    throw std::runtime_error("data_offsets are outside the file");
  }
  return data.subspan(offsets[0], offsets[1] - offsets[0]);
}

// Divides rather than multiplies, so that no shape overflows.
bool has_elements(std::span<const std::uint64_t> shape, std::uint64_t count) {
  if (std::ranges::find(shape, 0u) != shape.end()) return count == 0;
  for (const std::uint64_t extent : shape) {
    if (count % extent != 0) return false;
    count /= extent;
  }
  return count == 1;
}

std::string to_string(std::span<const std::uint64_t> shape) {
  std::string text = "[";
  for (const std::uint64_t extent : shape) {
    if (text.size() > 1) text += ", ";
    text += std::to_string(extent);
  }
  return text + "]";
}

}  // namespace

Weights::Weights(const std::filesystem::path& file) : path_(file), file_(file) {
  static constexpr std::size_t prefix = 8;
  const auto bytes = file_.bytes();
  if (bytes.size() < prefix) fail(file, "too short for a safetensors file");
  const std::uint64_t header_size = little_endian(bytes.first(prefix));
  if (header_size > bytes.size() - prefix) fail(file, "the header is longer than the file");

  const auto data = bytes.subspan(prefix + header_size);
  std::string name;
  try {
    const json header = json::parse(file_.text().substr(prefix, header_size));
    if (!header.is_object()) throw std::runtime_error("the header is not a JSON object");
    for (const auto& [key, entry] : header.items()) {
      if (key == "__metadata__") continue;
      name = "tensor '" + key + "': ";
      tensors_.emplace(
          key, Tensor{entry.at("dtype").get<std::string>(), whole_numbers(entry.at("shape")),
                      slice(data, whole_numbers(entry.at("data_offsets")))});
    }
  } catch (const std::exception& error) {
    fail(file, name + error.what());
  }
}

std::span<const float> Weights::floats(std::string_view name,
                                       std::initializer_list<std::uint64_t> shape) const {
  static_assert(std::endian::native == std::endian::little, "the file's floats are read in place");
  const auto found = tensors_.find(name);
  if (found == tensors_.end()) fail(path_, "no tensor '" + std::string(name) + "'");
  const auto& [type, actual, bytes] = found->second;
  const std::string subject = "tensor '" + std::string(name) + "' ";
  if (type != "F32") fail(path_, subject + "is of type " + type + ", not F32");
  if (!std::ranges::equal(actual, shape)) {
    fail(path_, subject + "has shape " + to_string(actual) + ", not " + to_string(shape));
  }
  if (bytes.size() % sizeof(float) != 0 || !has_elements(actual, bytes.size() / sizeof(float))) {
    fail(path_, subject + "has another size than its shape says");
  }
  if (reinterpret_cast<std::uintptr_t>(bytes.data()) % alignof(float) != 0) {
    fail(path_, subject + "is not aligned to four bytes");
  }
  return {reinterpret_cast<const float*>(bytes.data()), bytes.size() / sizeof(float)};
}

}  // namespace minilm
