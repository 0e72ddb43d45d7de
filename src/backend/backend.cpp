// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <tilewright/backend/backend.hpp>
#include <tilewright/core/error.hpp>
#include <tilewright/core/os.hpp>

#include "backend/interp/interpreter.hpp"

namespace tw::inline v0::backend {

Executable::~Executable() = default;
Backend::~Backend() = default;

Executable::Executable(const ir::Kernel& kernel)
    : entry_(kernel.entry().name),
      parameters_(kernel.abi),
      sites_(kernel.module.sites),
      locations_(kernel.module.locations) {}

namespace {
Interpreter& interpreter() {
  static Interpreter& backend = *new Interpreter;
  return backend;
}
const os::MadeBeforeForks<interpreter> made;
}  // namespace

Backend& backend_for(const Target& target, Location where) {
  if (target.is_cpu()) return interpreter();
  throw CompilerError(fmt::format("no backend generates code for sm_{}", target.sm), where);
}

}  // namespace tw::inline v0::backend
