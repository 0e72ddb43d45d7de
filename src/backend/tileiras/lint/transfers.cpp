// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "backend/tileiras/lint/subject.hpp"

namespace tw::inline v0::backend::tileiras {
namespace {

using ir::Opcode;

constexpr std::int32_t first_with_tma = 90;
/// What the unit wants the base, the strides and the rows of a tensor to be multiples of.
constexpr std::uint64_t granule_bytes = 16;

/// A view of a tensor with what is known about the tensor.
struct Tensor {
  const ir::TensorViewType& type;
  const ir::Op& made;  ///< make_tensor_view: base, extents, strides
};

std::optional<Tensor> tensor_behind(const LintSubject& subject, ir::Value view) {
  const ir::Op* made = subject.definition(view);
  if (made == nullptr || made->code != Opcode::make_partition_view) return std::nullopt;
  const ir::Op* tensor = subject.definition(made->operands.front());
  if (tensor == nullptr || tensor->code != Opcode::make_tensor_view) return std::nullopt;
  return Tensor{viewed_tensor(subject.type(view)), *tensor};
}

/// The largest power of two that divides each entry of a list that is partly static; `group` holds
/// the others.
std::vector<std::uint64_t> divisors(const LintSubject& subject, const Shape& list,
                                    std::span<const ir::Value> group) {
  std::vector<std::uint64_t> result;
  auto next = group.begin();
  for (const std::int64_t each : list) {
    const auto known = static_cast<std::uint64_t>(each);
    result.push_back(each == ir::dynamic ? subject.divisor(*next++) : known & (~known + 1));
  }
  return result;
}

bool is_wide(const LintSubject& subject, const Tensor& tensor) {
  for (const std::size_t group : {1u, 2u}) {
    for (const ir::Value each : tensor.made.group(group)) {
      if (subject.type(each).tile().kind() == ElementKind::i64) return true;
    }
  }
  return false;
}

std::uint64_t bytes(std::uint64_t elements, ElementKind kind) {
  return elements * info(kind).memory_bits / 8;
}

/// Why the unit does not move tiles of this tensor, in the user's words.
std::vector<std::string> obstacles(const LintSubject& subject, const Tensor& tensor, bool stores) {
  std::vector<std::string> result;
  const ElementKind kind = tensor.type.element;
  if (subject.divisor(tensor.made.operands.front()) < granule_bytes) {
    result.emplace_back("its address is no multiple of 16 bytes");
  }
  const auto strides = divisors(subject, tensor.type.strides, tensor.made.group(2));
  const std::size_t last = strides.size() - 1;
  if (tensor.type.strides[last] != 1) result.emplace_back("its last stride is not 1");
  for (std::size_t axis = 0; axis < last; ++axis) {
    if (bytes(strides[axis], kind) % granule_bytes == 0) continue;
    result.push_back(fmt::format("its stride along axis {} is no multiple of 16 bytes", axis));
  }
  if (is_wide(subject, tensor)) result.emplace_back("it needs 64-bit indices");
  const auto extents = divisors(subject, tensor.type.shape, tensor.made.group(1));
  if (stores && bytes(extents[last], kind) % granule_bytes != 0) {
    result.emplace_back("its rows are no multiple of 16 bytes long");
  }
  return result;
}

void lint_access(LintSubject& subject, const ir::Op& op, ir::Value view, bool stores) {
  const std::optional<Tensor> tensor = tensor_behind(subject, view);
  if (!tensor || tensor->type.shape.size() < 2) return;
  const std::vector<std::string> reasons = obstacles(subject, *tensor, stores);
  if (reasons.empty()) return;
  subject.warn(op, fmt::format("the TMA unit does not {} this tensor: {}",
                               stores ? "store to" : "load", fmt::join(reasons, ", ")));
}

}  // namespace

void lint_transfers(LintSubject& subject) {
  if (subject.sm() < first_with_tma) return;
  bool multiplies = false;
  ir::walk(subject.entry().body, [&](const ir::Op& op) {
    if (!is_product(op)) return;
    multiplies = true;
    for (const ir::Value factor : {op.operands[0], op.operands[1]}) {
      const ir::Op* load = subject.definition(subject.origin(factor));
      if (load != nullptr && load->code == Opcode::load_view_tko) {
        lint_access(subject, *load, load->group(0).front(), false);
      }
    }
  });
  // Elsewhere plain accesses of 16 bytes are as good.
  if (!multiplies) return;
  ir::walk(subject.entry().body, [&](const ir::Op& op) {
    if (op.code == Opcode::store_view_tko) lint_access(subject, op, op.group(1).front(), true);
  });
}

}  // namespace tw::inline v0::backend::tileiras
