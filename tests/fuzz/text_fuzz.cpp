// SPDX-License-Identifier: Apache-2.0
// Whatever a text is, parsing it ends; what is accepted survives the verifier and the printer, and
// what is valid is printed as a text that is printed again as it is.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include <tilewright/ir/parser.hpp>
#include <tilewright/ir/printer.hpp>
#include <tilewright/ir/verifier.hpp>

namespace tw {
namespace {

void exercise(std::string_view text) {
  ir::Module module;
  try {
    module = ir::parse(text, "fuzz", ir::DefaultPlace::text);
  } catch (const ir::ParseError&) {
    return;
  }
  const bool is_valid = ir::verify(module).empty();
  const std::string printed = ir::print(module, {.locations = true});
  if (is_valid && ir::print(ir::parse(printed), {.locations = true}) != printed) std::abort();
}

}  // namespace
}  // namespace tw

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tw::exercise({reinterpret_cast<const char*>(data), size});
  return 0;
}
