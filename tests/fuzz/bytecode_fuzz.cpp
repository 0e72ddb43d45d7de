// SPDX-License-Identifier: Apache-2.0
// Whatever the bytes are, reading them ends; what is accepted survives the verifier; and what that
// accepts comes back from being written.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include <tilewright/bytecode/reader.hpp>
#include <tilewright/bytecode/writer.hpp>
#include <tilewright/ir/printer.hpp>
#include <tilewright/ir/verifier.hpp>

namespace tw {
namespace {

constexpr bytecode::ReadLimits small{.memory = std::size_t{64} << 20};

void exercise(std::span<const std::byte> file, bool lenient) {
  ir::Module module;
  try {
    module = bytecode::read(file, {.lenient = lenient, .limits = small});
  } catch (const bytecode::ReadError&) {
    return;
  }
  if (!ir::verify(module).empty()) return;
  ir::print(module, {.locations = true});
  const bytecode::WriteOptions options{.version = bytecode::read_version(file)};
  const auto written = bytecode::write(module, options);
  if (bytecode::write(bytecode::read(written), options) != written) std::abort();
}

}  // namespace
}  // namespace tw

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto file = std::as_bytes(std::span(data, size));
  tw::exercise(file, false);
  tw::exercise(file, true);
  return 0;
}
