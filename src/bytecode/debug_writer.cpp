// SPDX-License-Identifier: Apache-2.0
#include "bytecode/debug_writer.hpp"

namespace tw::inline v0::bytecode {

using namespace ir;

void DebugWriter::add(const Function& function) {
  if (function.location == LocationId::unknown) return;
  const SourcePlace& where = places_[function.location];
  current_ = {.file = where.file,
              .line = where.line,
              .name = function.name,
              .linkage_name = function.name,
              .body_line = where.line,
              .unit = where.file};
  current_scope_ = unknown;
  known_.assign(places_.size(), unknown);
  starts_.push_back(static_cast<std::uint32_t>(indices_.size()));
  indices_.push_back(place(function.location));
  walk(function.body, [this](const Op& op) { indices_.push_back(place(op.location)); });
}

void DebugWriter::write(ByteWriter& out) const {
  out.varint(starts_.size());
  out.pad_to(4);
  for (const std::uint32_t each : starts_) out.fixed(each, 4);
  out.varint(indices_.size());
  out.pad_to(8);
  for (const std::uint64_t each : indices_) out.fixed(each, 8);
  entries_.write(out, 4);
}

std::uint64_t DebugWriter::place(LocationId id) {
  if (id == LocationId::unknown) return unknown;
  std::uint64_t& known = known_[static_cast<std::size_t>(id)];
  if (known != unknown) return known;
  const SourcePlace& where = places_[id];
  const std::uint64_t outer =
      where.scope == ScopeId::none ? default_scope(where) : scope(where.scope);
  const std::uint32_t name = tables_.strings.add(where.file);
  entry_.varint(DebugTag::location);
  entry_.varint(outer);
  entry_.varint(name);
  entry_.varint(where.line);
  entry_.varint(where.column);
  std::uint64_t entry = finish();
  if (where.caller != LocationId::unknown) {
    const std::uint64_t caller = place(where.caller);
    entry_.varint(DebugTag::call_site);
    entry_.varint(entry);
    entry_.varint(caller);
    entry = finish();
  }
  return known = entry;
}

std::uint64_t DebugWriter::scope(ScopeId id) {
  if (const auto known = known_scopes_.find(id); known != known_scopes_.end()) return known->second;
  const SourceScope& scope = places_[id];
  const std::uint64_t entry = scope.parent == ScopeId::none
                                  ? function_scope(scope)
                                  : block(this->scope(scope.parent), scope);
  known_scopes_.emplace(id, entry);
  return entry;
}

std::uint64_t DebugWriter::function_scope(const SourceScope& scope) {
  const std::uint64_t unit_file = file(scope.unit);
  entry_.varint(DebugTag::compile_unit);
  entry_.varint(unit_file);
  const std::uint64_t unit = finish();
  const std::uint64_t own_file = file(scope.file);
  const std::uint32_t name = tables_.strings.add(scope.name);
  const std::uint32_t linkage_name = tables_.strings.add(scope.linkage_name);
  entry_.varint(DebugTag::subprogram);
  entry_.varint(own_file);
  entry_.varint(scope.line);
  entry_.varint(name);
  entry_.varint(linkage_name);
  entry_.varint(unit);
  entry_.varint(scope.body_line);
  if (tables_.version >= v13_5) entry_.varint(0);
  return finish();
}

std::uint64_t DebugWriter::default_scope(const SourcePlace& place) {
  if (current_scope_ == unknown) current_scope_ = function_scope(current_);
  if (place.file == current_.file) return current_scope_;
  return block(current_scope_, {.file = place.file, .line = 1, .column = 1});
}

std::uint64_t DebugWriter::block(std::uint64_t parent, const SourceScope& scope) {
  const std::uint64_t own_file = file(scope.file);
  entry_.varint(DebugTag::lexical_block);
  entry_.varint(parent);
  entry_.varint(own_file);
  entry_.varint(scope.line);
  entry_.varint(scope.column);
  return finish();
}

/// A name and the folder it is in, whose last slash is left out where nothing hangs on it.
std::uint64_t DebugWriter::file(std::string_view path) {
  const std::size_t name_start = path.rfind('/') + 1;  // 0 if there is none
  const std::string_view name = path.substr(name_start);
  std::string_view folder = path.substr(0, name_start);
  if (folder.size() > 1 && folder[folder.size() - 2] != '/') folder.remove_suffix(1);
  const std::uint32_t name_index = tables_.strings.add(name);
  const std::uint32_t folder_index = tables_.strings.add(folder);
  entry_.varint(DebugTag::file);
  entry_.varint(name_index);
  entry_.varint(folder_index);
  return finish();
}

/// Entries count from one.
std::uint64_t DebugWriter::finish() {
  const std::uint64_t id = entries_.add(as_text(entry_.bytes())) + 1u;
  entry_.clear();
  return id;
}

}  // namespace tw::inline v0::bytecode
