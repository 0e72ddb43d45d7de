// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>

#include <fmt/format.h>

#include <tilewright/bytecode/writer.hpp>
#include <tilewright/cache/compiled.hpp>
#include <tilewright/passes/canonical.hpp>

#include "backend/tileiras/remarks.hpp"
#include "cache/hash.hpp"
#include "core/byte_record.hpp"

namespace tw::inline v0::cache {
namespace {

using backend::tileiras::Assembler;
using backend::tileiras::Assembly;
using backend::tileiras::Cubin;
using backend::tileiras::ToolVersion;

/// Raised with whatever changes the meaning of arguments or the form of what is kept.
constexpr std::uint32_t abi_version = 1;
constexpr std::string_view purpose = "cubin";

/// Equal for kernels of equal form, wherever they stand.
Hash hash_of_code(const Assembly& assembly) {
  const ir::Module bare = passes::canonical(assembly.module, passes::Origins::strip);
  return hash_of({bytecode::write(
      bare, {.version = backend::tileiras::bytecode_version(bare), .debug_info = false})});
}

/// What line tables are made of.
Hash hash_of_places(const Assembly& assembly) {
  return hash_of({bytecode::write(
      assembly.module, {.version = backend::tileiras::bytecode_version(assembly.module)})});
}

std::vector<std::byte> key_of(const Assembly& assembly, const ToolVersion& version) {
  RecordWriter key;
  key.raw(std::as_bytes(std::span(purpose))).number(current_schema).number(abi_version);
  key.raw(hash_of_code(assembly));
  for (const std::int32_t each :
       {assembly.target.sm, assembly.options.optimization_level, version.major_number,
        version.minor_number, version.patch_number}) {
    key.number(static_cast<std::uint32_t>(each));
  }
  if (assembly.options.line_info) key.raw(hash_of_places(assembly));
  return key.bytes();
}

Cubin unpacked(const Blob& blob, const Assembly& assembly) {
  Cubin cubin = backend::tileiras::cubin_from(*blob);
  find_lines(cubin.remarks, assembly.module);
  return cubin;
}

}  // namespace

std::vector<std::byte> bundle_key(const Assembly& assembly) { return key_of(assembly, {}); }

Cubin compile_cached(Cache& cache, const ir::Kernel& kernel, const backend::Target& target,
                     const backend::tileiras::CompileOptions& options, Location where) {
  const Assembly assembly = backend::tileiras::assembly_of(kernel, target, options);
  report_lint(assembly);
  if (const Blob bundled = cache.find(bundle_key(assembly))) return unpacked(bundled, assembly);
  const Assembler assembler = backend::tileiras::require(where);
  const Blob blob = cache.get(key_of(assembly, assembler.version), [&] {
    return to_bytes(backend::tileiras::assemble(assembler, assembly));
  });
  return unpacked(blob, assembly);
}

}  // namespace tw::inline v0::cache
