// SPDX-License-Identifier: Apache-2.0
#include "backend/tileiras/support.hpp"

#include <algorithm>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tilewright/core/error.hpp>

namespace tw::inline v0::backend::tileiras {
namespace {

struct Architecture {
  std::int32_t sm;
  ToolVersion since = {13, 3, 0};
};
constexpr Architecture architectures[] = {
    {80}, {86}, {87}, {88}, {89}, {90}, {100}, {103}, {107, {13, 4, 0}}, {110}, {120}, {121},
};

const Architecture* find(const Target& target) {
  const auto* found = std::ranges::find(architectures, target.sm, &Architecture::sm);
  return found == std::end(architectures) ? nullptr : found;
}

constexpr std::int32_t first_with_clusters = 90;
constexpr std::int32_t latest = 999;

/// Where there is arithmetic for kinds of elements that not every architecture has.
struct ElementRow {
  ElementKind kind;
  std::int32_t first;
  std::int32_t last = latest;
};
constexpr ElementRow elements[] = {
    {ElementKind::f8e4m3, 89},  {ElementKind::f8e5m2, 89},       {ElementKind::f8e8m0, 100},
    {ElementKind::f4e2m1, 100}, {ElementKind::f8e5m3, 107, 107},
};

/// The kind of a type's elements, if it has any.
struct KindOf {
  using Result = std::optional<ElementKind>;
  Result operator()(ElementKind kind) const { return kind; }
  Result operator()(const ir::PointerType& type) const { return type.pointee; }
  Result operator()(const ir::TileType& type) const { return type.kind(); }
  Result operator()(const ir::TensorViewType& type) const { return type.element; }
  Result operator()(const ir::PartitionViewType& type) const { return type.tensor.element; }
  Result operator()(const ir::StridedViewType& type) const { return type.tensor.element; }
  Result operator()(const ir::GatherScatterViewType& type) const { return type.tensor.element; }
  Result operator()(ir::TokenType) const { return std::nullopt; }
  Result operator()(const ir::FunctionType&) const { return std::nullopt; }
};

bool has_kind(const ir::Type& type, ElementKind kind) {
  return type && std::visit(KindOf(), type.node()) == kind;
}

std::string where_there_is(const ElementRow& row) {
  return row.last == latest ? fmt::format("from sm_{} on", row.first)
                            : fmt::format("only on sm_{}", row.first);
}

/// The line of the first op with a value of this kind, else that of the kernel.
CodePlace first_use(const ir::Kernel& kernel, ElementKind kind) {
  const ir::Function& entry = kernel.entry();
  ir::LocationId found = ir::LocationId::unknown;
  ir::walk(entry.body, [&](const ir::Op& op) {
    const bool uses = std::ranges::any_of(
        op.results, [&](ir::Value value) { return has_kind(entry.type(value), kind); });
    if (uses && found == ir::LocationId::unknown) found = op.location;
  });
  return kernel.module.locations[found == ir::LocationId::unknown ? entry.location : found];
}

}  // namespace

void require_support(const ir::Kernel& kernel, const Target& target) {
  std::vector<Diagnostic> problems;
  if (find(target) == nullptr) {
    std::vector<std::string> names;
    for (const Architecture& each : architectures) names.push_back(fmt::format("sm_{}", each.sm));
    problems.push_back({fmt::format("no code is generated for sm_{}; there is {}", target.sm,
                                    fmt::join(names, ", ")),
                        kernel.module.locations[kernel.entry().location],
                        {}});
    throw CompilerError(std::move(problems));
  }
  for (const ElementRow& row : elements) {
    const bool is_used = std::ranges::any_of(
        kernel.entry().types, [&](const ir::Type& type) { return has_kind(type, row.kind); });
    if (!is_used || (target.sm >= row.first && target.sm <= row.last)) continue;
    problems.push_back({fmt::format("sm_{} has no {}, which exists {}: convert to another type, or "
                                    "run the kernel on the CPU",
                                    target.sm, info(row.kind).name, where_there_is(row)),
                        first_use(kernel, row.kind),
                        {}});
  }
  if (!problems.empty()) throw CompilerError(std::move(problems));
}

ToolVersion assembler_for(const Target& target) { return find(target)->since; }

bool has_clusters(const Target& target) { return target.sm >= first_with_clusters; }

bool dies_of_loaded_tf32(const Target& target) { return target.sm < first_with_clusters; }

}  // namespace tw::inline v0::backend::tileiras
