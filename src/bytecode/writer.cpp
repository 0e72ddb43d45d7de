// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <tilewright/bytecode/writer.hpp>
#include <tilewright/core/error.hpp>

#include "bytecode/body_writer.hpp"
#include "bytecode/debug_writer.hpp"
#include "bytecode/tables.hpp"
#include "bytecode/version_need.hpp"

namespace tw::inline v0::bytecode {
namespace {

using namespace ir;

[[noreturn]] void refuse(std::string message, CodePlace where = {}) {
  throw CompilerError({Diagnostic{std::move(message), std::move(where), {}}});
}

/// The version to write, which can hold the module.
Version chosen_version(const Module& module, std::optional<Version> wanted) {
  if (wanted && std::ranges::find(known_versions, *wanted) == known_versions.end()) {
    refuse(fmt::format("there is no bytecode version {}", to_string(*wanted)));
  }
  const VersionNeed need = version_need(module);
  if (!wanted) return need.since;
  if (need.since <= *wanted) return *wanted;
  refuse(fmt::format("bytecode {} cannot hold {}, which came with {}", to_string(*wanted),
                     need.what, to_string(need.since)),
         module.locations[need.location]);
}

/// Builds the sections one by one, in the order that numbers the tables as NVIDIA's writer does.
class ModuleWriter {
 public:
  ModuleWriter(const Module& module, Version version, bool debug_info)
      : module_(module),
        tables_(version),
        debug_(module.locations, tables_),
        debug_info_(debug_info) {}

  std::vector<std::byte> write() {
    std::vector<Head> heads;
    for (const Function& each : module_.functions) heads.push_back(head(each));
    const ByteWriter globals = global_section();
    const ByteWriter functions = function_section(heads);
    ByteWriter producer;
    if (module_.producer) producer.varint(tables_.strings.add(*module_.producer));
    const ByteWriter debug = debug_section();

    header();
    if (!module_.globals.empty()) section(SectionId::globals, globals);
    section(SectionId::functions, functions);
    table(SectionId::constants, tables_.constants, 8);
    if (debug.size() != 0) section(SectionId::debug, debug);
    table(SectionId::types, tables_.types.entries(), 4);
    if (module_.producer) section(SectionId::producer, producer);
    ByteWriter strings;
    tables_.strings.write(strings, 4);
    section(SectionId::strings, strings);
    file_.varint(SectionId::end);
    return std::move(file_).take();
  }

 private:
  /// What is numbered before any body.
  struct Head {
    std::uint32_t name;
    std::uint32_t signature;
  };

  Head head(const Function& function) {
    const std::uint32_t name = tables_.strings.add(function.name);
    std::vector<std::uint32_t> parameters;
    for (const Value each : function.body.arguments) {
      parameters.push_back(tables_.types.index(function.type(each)));
    }
    return {name, tables_.types.signature(parameters)};
  }

  ByteWriter global_section() {
    ByteWriter out;
    out.varint(module_.globals.size());
    for (const Global& each : module_.globals) {
      out.varint(tables_.strings.add(each.name));
      out.varint(tables_.types.index(each.type));
      out.varint(tables_.constant(each.value, each.type));
      out.varint(each.alignment);
      if (tables_.version < v13_3) continue;
      out.varint(each.visibility);
      out.varint(each.constant);
    }
    return out;
  }

  ByteWriter function_section(std::span<const Head> heads) {
    ByteWriter out;
    out.varint(heads.size());
    std::uint64_t located = 0;
    for (std::size_t i = 0; i < heads.size(); ++i) {
      const Function& function = module_.functions[i];
      out.varint(heads[i].name);
      out.varint(heads[i].signature);
      out.byte(flags(function));
      const bool has_place = debug_info_ && function.location != LocationId::unknown;
      out.varint(has_place ? ++located : 0);
      hints(function, out);
      BodyWriter writer(function, tables_);
      const auto body = writer.write();
      out.varint(body.size());
      out.raw(body);
    }
    out.pad_to(8);
    return out;
  }

  [[nodiscard]] std::uint8_t flags(const Function& function) const {
    std::uint8_t bits = 0;
    if (function.visibility == Visibility::private_) bits |= function_flag::is_private;
    if (function.entry) bits |= function_flag::is_entry;
    if (has_hint_flag(function)) bits |= function_flag::has_hints;
    return bits;
  }

  [[nodiscard]] bool has_hint_flag(const Function& function) const {
    return tables_.version < v13_5 && function.entry && !function.hints.empty();
  }

  /// From 13.5 on every entry has hints, and every function a list of what is said of its
  /// arguments, which is nothing.
  void hints(const Function& function, ByteWriter& out) {
    const bool always = tables_.version >= v13_5;
    if (function.entry && (always || has_hint_flag(function))) {
      out.varint(AttributeTag::hints);
      AttributeWriter(tables_, out).hints(function.hints);
    }
    if (!always) return;
    out.varint(AttributeTag::array);
    out.varint(0);
  }

  ByteWriter debug_section() {
    ByteWriter out;
    if (!debug_info_) return out;
    for (const Function& each : module_.functions) debug_.add(each);
    if (!debug_.empty()) debug_.write(out);
    return out;
  }

  void header() {
    for (const std::uint8_t each : magic) file_.byte(each);
    file_.byte(tables_.version.major_number);
    file_.byte(tables_.version.minor_number);
    file_.fixed(0, 2);
  }

  void section(SectionId id, const ByteWriter& payload) {
    const std::uint8_t alignment = section_alignment[static_cast<std::size_t>(id)];
    file_.byte(static_cast<std::uint8_t>(static_cast<std::uint8_t>(id) |
                                         (alignment > 1 ? aligned_bit : 0)));
    file_.varint(payload.size());
    if (alignment > 1) {
      file_.varint(alignment);
      file_.pad_to(alignment);
    }
    file_.raw(payload.bytes());
  }

  void table(SectionId id, const InternTable& entries, std::size_t offset_width) {
    if (entries.empty()) return;
    ByteWriter out;
    entries.write(out, offset_width);
    section(id, out);
  }

  const Module& module_;
  Tables tables_;
  DebugWriter debug_;
  bool debug_info_;
  ByteWriter file_;
};

}  // namespace

std::span<const Version> versions() { return known_versions; }

Version lowest_version(const Module& module) { return version_need(module).since; }

std::vector<std::byte> write(const Module& module, const WriteOptions& options) {
  const Version version = chosen_version(module, options.version);
  return ModuleWriter(module, version, options.debug_info).write();
}

}  // namespace tw::inline v0::bytecode
