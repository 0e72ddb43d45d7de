// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <tilewright/ir/attribute.hpp>

#include "bytecode/intern_table.hpp"
#include "bytecode/type_table.hpp"

namespace tw::inline v0::bytecode {

/// What the sections of a module that is being written share, numbered in the order of first use.
struct Tables {
  explicit Tables(Version file_version) : version(file_version), types(file_version) {}

  std::uint32_t constant(const ir::Constant& value, const ir::Type& type) {
    entry.clear();
    entry.varint(value.bytes.size());
    entry.raw(value.bytes);
    return constants.add(as_text(entry.bytes()), types.index(type));
  }

  Version version;
  InternTable strings;
  TypeTable types;
  InternTable constants;

 private:
  ByteWriter entry;
};

}  // namespace tw::inline v0::bytecode
