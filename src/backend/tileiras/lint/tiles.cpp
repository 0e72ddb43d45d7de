// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "backend/tileiras/lint/subject.hpp"

namespace tw::inline v0::backend::tileiras {
namespace {

/// All registers of a multiprocessor, on every architecture.
constexpr std::uint64_t register_bytes = std::uint64_t{256} << 10;

/// What one block may have of the shared memory of a multiprocessor (CUDA C++ Programming Guide,
/// technical specifications a compute capability).
struct SharedMemory {
  std::int32_t sm;
  std::uint64_t kib;
};
constexpr SharedMemory shared_memories[] = {
    {80, 163},  {86, 99},   {87, 163},  {88, 163},  {89, 99},  {90, 227},
    {100, 227}, {103, 227}, {107, 227}, {110, 227}, {120, 99}, {121, 99},
};

std::uint64_t shared_bytes(std::int32_t sm) {
  return std::ranges::find(shared_memories, sm, &SharedMemory::sm)->kib << 10;
}

std::uint64_t tile_bytes(const ir::Type& type) {
  const auto* tile = type.as<ir::TileType>();
  if (tile == nullptr || tile->holds_pointers()) return 0;
  return static_cast<std::uint64_t>(product(tile->shape)) * info(tile->kind()).memory_bits / 8;
}

std::string kib(std::uint64_t bytes) { return fmt::format("{} KiB", bytes >> 10); }

void lint_registers(LintSubject& subject, const ir::Op& op) {
  for (const ir::Value result : op.results) {
    const std::uint64_t bytes = tile_bytes(subject.type(result));
    if (bytes <= register_bytes) continue;
    subject.warn(op, fmt::format("a {} takes {}, but all registers of a multiprocessor are {}: the "
                                 "assembler spills it or does not end; use smaller tiles",
                                 to_string(subject.type(result)), kib(bytes), kib(register_bytes)));
    return;
  }
}

void lint_factors(LintSubject& subject, const ir::Op& op) {
  const ir::Type& left = subject.type(op.operands[0]);
  const ir::Type& right = subject.type(op.operands[1]);
  const std::uint64_t bytes = tile_bytes(left) + tile_bytes(right);
  const std::uint64_t limit = shared_bytes(subject.sm());
  if (bytes <= limit) return;
  subject.warn(
      op, fmt::format("the factors {} and {} take {}, but a block has {} of shared memory "
                      "on sm_{}; use smaller tiles",
                      to_string(left), to_string(right), kib(bytes), kib(limit), subject.sm()));
}

}  // namespace

void lint_tiles(LintSubject& subject) {
  ir::walk(subject.entry().body, [&](const ir::Op& op) {
    // A constant takes registers only where it is used.
    if (op.code != ir::Opcode::constant) lint_registers(subject, op);
    if (is_product(op)) lint_factors(subject, op);
  });
}

}  // namespace tw::inline v0::backend::tileiras
