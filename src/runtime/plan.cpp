// SPDX-License-Identifier: Apache-2.0
#include "runtime/plan.hpp"

#include <algorithm>
#include <utility>

#include "runtime/packing.hpp"

namespace tw::inline v0::detail {
namespace {

// Kind, type and rank are the kernel's, the same for all its launches.
bool alike(const HostArgument& a, const HostArgument& b) noexcept {
  if (a.present != b.present || a.list != b.list || a.rows != b.rows) return false;
  if (!takes_partition(a.kind) && a.kind != ParameterKind::grid) return true;
  for (int axis = 0; axis < a.rank; ++axis) {
    if (!(a.cuts[axis] == b.cuts[axis])) return false;
  }
  return true;
}

bool alike(const TensorUse& a, const TensorUse& b) noexcept {
  std::uint64_t difference = (address_of(a) ^ address_of(b)) % runtime::Storage::alignment;
  for (int axis = 0; axis < a.rank; ++axis) {
    difference |= static_cast<std::uint64_t>(a.extents[axis] ^ b.extents[axis]) |
                  static_cast<std::uint64_t>(a.strides[axis] ^ b.strides[axis]);
  }
  return difference == 0;
}

}  // namespace

Plan::Plan(const LaunchState& launch, std::span<const std::uint64_t> constants,
           const Request& request, const Schedule& schedule, Specialised& specialised,
           Location where)
    : table_(launch.kernel->table->serial()),
      request_(request),
      constants_(constants.begin(), constants.end()),
      arguments_(launch.arguments),
      tensors_(launch.tensors),
      blocks_(schedule.blocks),
      specialised_(&specialised),
      words_(launch.words) {
  add_patches(specialised.traced()->kernel.abi);
  if (!specialised.numbers_decide()) variant_ = &variant(launch, where);
}

void Plan::add_patches(std::span<const ir::AbiSlot> slots) {
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (slots[i].parameter < 0) continue;
    const auto parameter = static_cast<std::size_t>(slots[i].parameter);
    const HostArgument& argument = arguments_[parameter];
    const auto patch = [&](std::size_t source, bool number) {
      patches_.push_back(
          {static_cast<std::uint16_t>(i), static_cast<std::uint16_t>(source), number});
    };
    if (slots[i].kind == ir::AbiKind::base) patch(argument.first_tensor, false);
    if (slots[i].kind == ir::AbiKind::ids) patch(static_cast<std::size_t>(argument.ids), false);
    if (slots[i].kind == ir::AbiKind::scalar) patch(parameter, true);
  }
}

bool Plan::possible(const LaunchState& launch) noexcept {
  return std::ranges::none_of(launch.arguments, &HostArgument::list);
}

bool Plan::fits(const LaunchState& launch, const Request& request) const noexcept {
  if (table_ != launch.kernel->table->serial() || !(request_ == request) ||
      tensors_.size() != launch.tensors.size() || !std::ranges::equal(constants_, launch.key)) {
    return false;
  }
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    if (!alike(arguments_[i], launch.arguments[i])) return false;
  }
  for (std::size_t i = 0; i < tensors_.size(); ++i) {
    if (!alike(tensors_[i], launch.tensors[i])) return false;
  }
  return true;
}

void Plan::apply(LaunchState& launch) const {
  auto known = tensors_.begin();
  for (TensorUse& tensor : launch.tensors) {
    const ByteRange& bytes = (known++)->bytes;
    tensor.bytes.begin = address_of(tensor);
    tensor.bytes.end = tensor.bytes.begin + (bytes.end - bytes.begin);
  }
  launch.words = words_;
  for (const Patch& patch : patches_) {
    launch.words[patch.word] = patch.number ? launch.arguments[patch.source].scalar
                                            : address_of(launch.tensors[patch.source]);
  }
}

const Variant& Plan::variant(const LaunchState& launch, Location where) const {
  if (variant_ != nullptr) return *variant_;
  return specialised_->variant(launch.words, blocks_, where);
}

const Plan* Plans::find(const LaunchState& launch, const Request& request) noexcept {
  Set& set = set_of(launch.kernel->table->serial());
  for (std::size_t way = 0; way < ways && set[way] != nullptr; ++way) {
    if (!set[way]->fits(launch, request)) continue;
    if (way > 0) std::swap(set[way], set[way - 1]);
    return (way > 0 ? set[way - 1] : set[way]).get();
  }
  return nullptr;
}

const Plan& Plans::add(std::unique_ptr<const Plan> plan) noexcept {
  Set& set = set_of(plan->table());
  std::ranges::rotate(set, set.end() - 1);
  set.front() = std::move(plan);
  return *set.front();
}

}  // namespace tw::inline v0::detail
