// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include <tilewright/runtime/geometry.hpp>

namespace tw::inline v0::detail {
namespace {

bool is_empty(const TensorGeometry& tensor) noexcept {
  for (int axis = 0; axis < tensor.rank; ++axis) {
    if (tensor.extents[axis] == 0) return true;
  }
  return false;
}

/// The strides that tell the elements of one or two tensors apart, from the largest down to one.
/// Axes of extent one have a stride that says nothing.
class StrideLadder {
 public:
  static constexpr int capacity = 2 * max_rank + 1;

  StrideLadder() noexcept { insert(1); }
  void add(const TensorGeometry& tensor) noexcept {
    for (int axis = 0; axis < tensor.rank; ++axis) {
      if (tensor.extents[axis] > 1) insert(tensor.strides[axis]);
    }
  }
  [[nodiscard]] int size() const noexcept { return size_; }
  [[nodiscard]] std::int64_t operator[](int step) const noexcept { return steps_[step]; }
  [[nodiscard]] bool has_zero() const noexcept { return steps_[size_ - 1] == 0; }
  [[nodiscard]] int step_of(std::int64_t stride) const noexcept {
    return static_cast<int>(std::find(steps_, steps_ + size_, stride) - steps_);
  }

 private:
  void insert(std::int64_t stride) noexcept {
    std::int64_t* at =
        std::find_if(steps_, steps_ + size_, [&](std::int64_t step) { return step <= stride; });
    if (at != steps_ + size_ && *at == stride) return;
    std::copy_backward(at, steps_ + size_, steps_ + size_ + 1);
    *at = stride;
    ++size_;
  }

  std::int64_t steps_[capacity];
  int size_ = 0;
};

/// A tensor as a box of digits: element offsets written in the strides of a ladder.
struct DigitBox {
  std::int64_t first[StrideLadder::capacity] = {};
  std::int64_t last[StrideLadder::capacity] = {};
};

/// Writes a tensor that begins `offset` elements after the origin in the digits of `ladder`. False
/// when two of its axes share a stride, or when a digit carries into the next larger: then
/// digits do not tell elements apart.
bool write_digits(const TensorGeometry& tensor, std::int64_t offset, const StrideLadder& ladder,
                  DigitBox& box) noexcept {
  for (int step = 0; step < ladder.size(); ++step) {
    box.first[step] = box.last[step] = offset / ladder[step];
    offset %= ladder[step];
  }
  bool used[StrideLadder::capacity] = {};
  for (int axis = 0; axis < tensor.rank; ++axis) {
    if (tensor.extents[axis] <= 1) continue;
    const int step = ladder.step_of(tensor.strides[axis]);
    if (used[step]) return false;
    used[step] = true;
    box.last[step] += tensor.extents[axis] - 1;
  }
  std::int64_t reach = 0;
  for (int step = ladder.size() - 1; step >= 0; --step) {
    if (reach >= ladder[step]) return false;
    reach += box.last[step] * ladder[step];
  }
  return true;
}

/// The bytes of a tensor whose elements share them, in place of its elements; its last axis has an
/// even extent and stride one, and its other strides are even.
TensorGeometry in_bytes(const TensorGeometry& tensor) noexcept {
  TensorGeometry bytes = tensor;
  bytes.dtype = DType::uint8;
  for (int axis = 0; axis < tensor.rank; ++axis) bytes.strides[axis] /= 2;
  bytes.strides[tensor.rank - 1] = 1;
  bytes.extents[tensor.rank - 1] /= 2;
  return bytes;
}

}  // namespace

std::int64_t last_offset(const TensorGeometry& tensor) noexcept {
  if (is_empty(tensor)) return -1;
  std::int64_t offset = 0;
  for (int axis = 0; axis < tensor.rank; ++axis) {
    offset += (tensor.extents[axis] - 1) * tensor.strides[axis];
  }
  return offset;
}

ByteRange bytes_of(const TensorGeometry& tensor) noexcept {
  const std::int64_t bits = info(element_kind(tensor.dtype)).memory_bits;
  const std::int64_t elements = last_offset(tensor) + 1;
  const std::uintptr_t begin = address_of(tensor);
  return {begin, begin + static_cast<std::uintptr_t>((elements * bits + 7) / 8)};
}

bool needs_wide_index(const TensorGeometry& tensor) noexcept {
  // The last tile of an axis may reach this far beyond the tensor.
  constexpr std::int64_t largest_tile = std::int64_t{1} << 24;
  constexpr std::int64_t limit = std::numeric_limits<std::int32_t>::max() - largest_tile;
  for (int axis = 0; axis < tensor.rank; ++axis) {
    if (tensor.extents[axis] > limit || tensor.strides[axis] > limit) return true;
  }
  return last_offset(tensor) > limit;
}

bool proved_injective(const TensorGeometry& tensor) noexcept {
  StrideLadder ladder;
  ladder.add(tensor);
  if (ladder.has_zero()) return false;
  DigitBox box;
  return write_digits(tensor, 0, ladder, box);
}

bool proved_disjoint(const TensorGeometry& a, const TensorGeometry& b,
                     const std::byte* origin) noexcept {
  if (is_empty(a) || is_empty(b) || !bytes_of(a).overlaps(bytes_of(b))) return true;
  const std::int64_t bits = info(element_kind(a.dtype)).memory_bits;
  if (bits != info(element_kind(b.dtype)).memory_bits) return false;
  if (shares_bytes(a.dtype)) return proved_disjoint(in_bytes(a), in_bytes(b), origin);

  const std::int64_t bytes = bits / 8;
  const auto offset_of = [&](const TensorGeometry& tensor) { return tensor.address - origin; };
  if (offset_of(a) % bytes != 0 || offset_of(b) % bytes != 0) return false;

  StrideLadder ladder;
  ladder.add(a);
  ladder.add(b);
  if (ladder.has_zero()) return false;
  DigitBox first, second;
  if (!write_digits(a, offset_of(a) / bytes, ladder, first)) return false;
  if (!write_digits(b, offset_of(b) / bytes, ladder, second)) return false;
  for (int step = 0; step < ladder.size(); ++step) {
    if (first.last[step] < second.first[step] || second.last[step] < first.first[step]) return true;
  }
  return false;
}

}  // namespace tw::inline v0::detail
