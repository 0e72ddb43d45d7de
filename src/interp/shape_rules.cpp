// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstring>

#include "interp/integers.hpp"
#include "interp/preparation.hpp"
#include "interp/rules.hpp"
#include "interp/storage.hpp"
#include "interp/strided_copy.hpp"

namespace tw::inline v0::interp {
namespace {

using ir::AttributeName;

/// Constants up to this size lie in the arena during the whole run; larger ones would push other
/// values out of the caches and are written where they are used.
constexpr std::size_t largest_preset = 4096;

std::vector<std::byte> constant_bytes(const ir::Constant& value, ElementKind kind,
                                      std::size_t count, std::size_t lanes) {
  const std::size_t size = info(kind).storage_bytes();
  std::vector<std::byte> bytes(count * lanes * size);
  for (std::size_t k = 0; k < count; ++k) {
    const std::uint64_t bits = to_storage(ir::element_bits(value, kind, k), kind);
    fill(bytes.data() + k * lanes * size, bits, size, lanes);
  }
  return bytes;
}

void constant_value(Preparation& preparation, const ir::Op& op) {
  const auto& value = op.get<ir::Constant>(AttributeName::value);
  const ir::TileType& type = preparation.tile(op.result());
  const ElementKind kind = type.kind();
  const auto elements = static_cast<std::size_t>(product(type.shape));
  const std::size_t count = preparation.count(op.result());
  const std::size_t size = preparation.element_bytes(op.result());
  if (count * size <= largest_preset) {
    preparation.preset(op.result(), constant_bytes(value, kind, elements, count / elements));
    return;
  }
  const Slot to = preparation.slot(op.result());
  if (ir::is_splat(value, kind, elements)) {
    const std::uint64_t bits = to_storage(ir::element_bits(value, kind, 0), kind);
    preparation.add([=](Frame& frame) { fill(frame.at<std::byte>(to), bits, size, count); });
  } else {
    preparation.add([to, bytes = constant_bytes(value, kind, elements, 1)](Frame& frame) {
      std::memcpy(frame.at<std::byte>(to), bytes.data(), bytes.size());
    });
  }
}

void count_up(Preparation& preparation, const ir::Op& op) {
  const std::size_t count = preparation.count(op.result());
  const Slot to = preparation.slot(op.result());
  with_integer(preparation.tile(op.result()).kind(), [&]<class I>() {
    preparation.add([=](Frame& frame) {
      auto* element = frame.at<typename I::Storage>(to);
      for (std::size_t k = 0; k < count; ++k) {
        element[k] = I::wrap(static_cast<typename I::Work>(k));
      }
    });
  });
}

/// Appends a copy of one operand's elements to fixed places of the result.
void add_copy(Preparation& preparation, ir::Value from, ir::Value to, std::int64_t to_offset,
              const StridedCopy& copy) {
  const Slot source = preparation.slot(from);
  Slot target = preparation.slot(to);
  target.offset += to_offset * static_cast<std::int64_t>(preparation.element_bytes(to));
  preparation.add([=](Frame& frame) {
    copy.run(frame.at<std::byte>(target), frame.at<const std::byte>(source));
  });
}

void stretch(Preparation& preparation, const ir::Op& op) {
  const Shape& from = preparation.tile(op.operands[0]).shape;
  const Shape& to = preparation.tile(op.result()).shape;
  Shape from_strides = row_major_strides(from);
  for (std::size_t axis = 0; axis < from.size(); ++axis) {
    if (from[axis] == 1) from_strides[axis] = 0;
  }
  add_copy(
      preparation, op.operands[0], op.result(), 0,
      StridedCopy(preparation.element_bytes(op.result()), to, row_major_strides(to), from_strides));
}

void permute_axes(Preparation& preparation, const ir::Op& op) {
  const auto& permutation = op.get<ir::IntArray>(AttributeName::permutation);
  const Shape from_strides = row_major_strides(preparation.tile(op.operands[0]).shape);
  const Shape& to = preparation.tile(op.result()).shape;
  Shape permuted;
  for (const std::int64_t axis : permutation) {
    permuted.push_back(from_strides[static_cast<std::size_t>(axis)]);
  }
  add_copy(
      preparation, op.operands[0], op.result(), 0,
      StridedCopy(preparation.element_bytes(op.result()), to, row_major_strides(to), permuted));
}

void concatenate(Preparation& preparation, const ir::Op& op) {
  const auto axis = static_cast<std::size_t>(op.integer(AttributeName::dim));
  const Shape to_strides = row_major_strides(preparation.tile(op.result()).shape);
  std::int64_t start = 0;
  for (const ir::Value part : op.operands) {
    const Shape& extents = preparation.tile(part).shape;
    add_copy(preparation, part, op.result(), start * to_strides[axis],
             StridedCopy(preparation.element_bytes(part), extents, to_strides,
                         row_major_strides(extents)));
    start += extents[axis];
  }
}

/// Where the slice that `indices` count out begins in a tile of `extents`. An index outside wraps
/// around: Tile IR leaves it undefined, the access stays inside the tile.
class SliceOrigin {
 public:
  SliceOrigin(Preparation& preparation, std::span<const ir::Value> indices, const Shape& slice,
              const Shape& extents, std::size_t element_bytes) {
    const Shape strides = row_major_strides(extents);
    for (std::size_t axis = 0; axis < indices.size(); ++axis) {
      axes_.push_back({preparation.slot(indices[axis]),
                       static_cast<std::uint32_t>(extents[axis] / slice[axis]),
                       slice[axis] * strides[axis] * static_cast<std::int64_t>(element_bytes)});
    }
  }

  [[nodiscard]] std::ptrdiff_t bytes(Frame& frame) const {
    std::ptrdiff_t sum = 0;
    for (const Axis& axis : axes_) {
      sum += *frame.at<const std::uint32_t>(axis.index) % axis.slices * axis.step;
    }
    return sum;
  }

 private:
  struct Axis {
    Slot index;
    std::uint32_t slices;
    std::ptrdiff_t step;
  };
  std::vector<Axis> axes_;
};

void extract_slice(Preparation& preparation, const ir::Op& op) {
  const Shape& from = preparation.tile(op.operands[0]).shape;
  const Shape& to = preparation.tile(op.result()).shape;
  const std::size_t size = preparation.element_bytes(op.result());
  const Slot source = preparation.slot(op.operands[0]);
  const Slot target = preparation.slot(op.result());
  preparation.add([=, origin = SliceOrigin(preparation, op.group(1), to, from, size),
                   copy = StridedCopy(size, to, row_major_strides(to), row_major_strides(from))](
                      Frame& frame) {
    copy.run(frame.at<std::byte>(target), frame.at<const std::byte>(source) + origin.bytes(frame));
  });
}

void insert_slice(Preparation& preparation, const ir::Op& op) {
  const Shape& slice = preparation.tile(op.operands[0]).shape;
  const Shape& whole = preparation.tile(op.result()).shape;
  const std::size_t size = preparation.element_bytes(op.result());
  const Slot source = preparation.slot(op.operands[0]);
  const Slot target = preparation.slot(op.result());
  const Slot into[] = {target};
  preparation.move({&op.operands[1], 1}, into);
  preparation.add([=, origin = SliceOrigin(preparation, op.group(2), slice, whole, size),
                   copy = StridedCopy(size, slice, row_major_strides(whole),
                                      row_major_strides(slice))](Frame& frame) {
    copy.run(frame.at<std::byte>(target) + origin.bytes(frame), frame.at<const std::byte>(source));
  });
}

using enum ir::Opcode;

constexpr std::array rules{
    OpRule{broadcast, stretch},     OpRule{cat, concatenate},     OpRule{constant, constant_value},
    OpRule{extract, extract_slice}, OpRule{insert, insert_slice}, OpRule{iota, count_up},
    OpRule{permute, permute_axes},
};

}  // namespace

std::span<const OpRule> shape_rules() { return rules; }

}  // namespace tw::inline v0::interp
