// SPDX-License-Identifier: Apache-2.0
#include "module_file.hpp"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>

#include <fmt/format.h>

#include <tilewright/bytecode/reader.hpp>
#include <tilewright/bytecode/writer.hpp>

namespace tw::cli {
namespace {

std::string content(std::istream& stream, const std::string& file) {
  std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  if (!stream.good() && !stream.eof()) {
    throw std::runtime_error(fmt::format("cannot read {}", file));
  }
  return bytes;
}

std::string content(const std::string& file) {
  if (file == "-") return content(std::cin, "standard input");
  std::ifstream stream(file, std::ios::binary);
  return content(stream, file);
}

void write(std::ostream& stream, std::span<const std::byte> bytes, const std::string& file) {
  stream.write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
  if (!stream.flush()) throw std::runtime_error(fmt::format("cannot write {}", file));
}

}  // namespace

ModuleFile load_file(const std::string& file, ir::DefaultPlace place) {
  const std::string text = content(file);
  const auto bytes = std::as_bytes(std::span(text));
  if (bytecode::is_bytecode(bytes)) {
    return {.module = bytecode::read(bytes), .version = bytecode::read_version(bytes)};
  }
  auto [module, names] = ir::parse_named(text, file == "-" ? "<stdin>" : file, place);
  return {.module = std::move(module), .names = std::move(names)};
}

ir::Module load_module(const std::string& file, ir::DefaultPlace place) {
  return load_file(file, place).module;
}

void save_bytes(const std::string& file, std::span<const std::byte> bytes) {
  if (file == "-") return write(std::cout, bytes, "standard output");
  std::ofstream stream(file, std::ios::binary);
  write(stream, bytes, file);
}

std::vector<std::string> version_names() {
  std::vector<std::string> names;
  for (const ir::Version each : bytecode::versions()) names.push_back(to_string(each));
  return names;
}

ir::Version version_named(const std::string& name) {
  return *std::ranges::find(bytecode::versions(), name,
                            [](ir::Version version) { return to_string(version); });
}

}  // namespace tw::cli
