// SPDX-License-Identifier: Apache-2.0
#include <set>
#include <vector>

#include <rapidcheck/gtest.h>

#include <tilewright/runtime/geometry.hpp>

namespace {

using tw::DType;
using namespace tw::detail;

alignas(64) std::byte memory[1 << 16];

TensorGeometry tensor(std::ptrdiff_t offset, std::vector<std::int64_t> extents,
                      std::vector<std::int64_t> strides, DType dtype = DType::uint8) {
  TensorGeometry result;
  result.address = memory + offset * static_cast<std::ptrdiff_t>(tw::storage_bytes(dtype));
  result.dtype = dtype;
  result.rank = static_cast<std::int8_t>(extents.size());
  std::copy(extents.begin(), extents.end(), result.extents);
  std::copy(strides.begin(), strides.end(), result.strides);
  return result;
}

/// The offsets of all elements, by counting through all indices.
std::multiset<std::int64_t> offsets(const TensorGeometry& tensor) {
  std::multiset<std::int64_t> all = {tensor.address - memory};
  const auto bytes = static_cast<std::int64_t>(tw::storage_bytes(tensor.dtype));
  for (int axis = 0; axis < tensor.rank; ++axis) {
    std::multiset<std::int64_t> next;
    for (std::int64_t offset : all) {
      for (std::int64_t i = 0; i < tensor.extents[axis]; ++i) {
        next.insert(offset + i * tensor.strides[axis] * bytes);
      }
    }
    all = std::move(next);
  }
  return all;
}

TEST(Geometry, BytesReachToTheEndOfTheLastElement) {
  const ByteRange range = bytes_of(tensor(3, {4, 5}, {10, 1}, DType::f32));
  EXPECT_EQ(range.end - range.begin, (3u * 10u + 4u + 1u) * 4u);
  EXPECT_TRUE(bytes_of(tensor(0, {4, 0}, {1, 1})).empty());
}

TEST(Geometry, PackedElementsTakeHalfAByte) {
  const ByteRange range = bytes_of(tensor(0, {7}, {1}, DType::f4e2m1));
  EXPECT_EQ(range.end - range.begin, 4u);
}

TEST(Geometry, BroadcastAxesAreNotInjective) {
  EXPECT_FALSE(proved_injective(tensor(0, {4, 5}, {0, 1})));
  EXPECT_TRUE(proved_injective(tensor(0, {1, 5}, {0, 1})));
}

TEST(Geometry, OverlappingWindowsAreNotInjective) {
  EXPECT_FALSE(proved_injective(tensor(0, {4, 3}, {2, 1})));
  EXPECT_TRUE(proved_injective(tensor(0, {4, 3}, {3, 1})));
}

TEST(Geometry, HalvesOfAMatrixAreDisjoint) {
  const auto left = tensor(0, {4, 4}, {8, 1}, DType::f32);
  const auto right = tensor(4, {4, 4}, {8, 1}, DType::f32);
  EXPECT_TRUE(proved_disjoint(left, right, memory));
  EXPECT_FALSE(proved_disjoint(left, tensor(3, {4, 4}, {8, 1}, DType::f32), memory));
}

TEST(Geometry, EvenAndOddColumnsAreDisjoint) {
  EXPECT_TRUE(proved_disjoint(tensor(0, {4, 4}, {8, 2}), tensor(1, {4, 4}, {8, 2}), memory));
}

TEST(Geometry, RowsOfAMiddleAxisAreDisjoint) {
  const auto upper = tensor(16, {2, 2, 8}, {32, 8, 1});
  const auto lower_right = tensor(4, {2, 2, 4}, {32, 8, 1});
  EXPECT_TRUE(proved_disjoint(upper, lower_right, memory));
}

TEST(Geometry, ATransposedViewOfTheSameElementsIsNotDisjoint) {
  EXPECT_FALSE(proved_disjoint(tensor(0, {4, 8}, {8, 1}), tensor(0, {8, 4}, {1, 8}), memory));
}

rc::Gen<TensorGeometry> arbitrary_tensor() {
  return rc::gen::exec([] {
    const auto rank = *rc::gen::inRange<std::size_t>(0, 4);
    const auto extents =
        *rc::gen::container<std::vector<std::int64_t>>(rank, rc::gen::inRange<std::int64_t>(0, 5));
    const auto strides = *rc::gen::container<std::vector<std::int64_t>>(
        rank, rc::gen::element<std::int64_t>(0, 1, 2, 3, 4, 6, 8, 12, 16));
    const auto dtype = *rc::gen::element(DType::uint8, DType::int16);
    return tensor(*rc::gen::inRange<std::ptrdiff_t>(0, 24), extents, strides, dtype);
  });
}

RC_GTEST_PROP(Geometry, WhatIsProvedInjectiveNamesNoElementTwice, ()) {
  const TensorGeometry t = *arbitrary_tensor();
  const auto all = offsets(t);
  if (proved_injective(t))
    RC_ASSERT(std::set<std::int64_t>(all.begin(), all.end()).size() == all.size());
}

RC_GTEST_PROP(Geometry, WhatIsProvedDisjointSharesNoByte, ()) {
  const TensorGeometry a = *arbitrary_tensor();
  const TensorGeometry b = *arbitrary_tensor();
  RC_PRE(proved_disjoint(a, b, memory));
  const auto bytes = [](const TensorGeometry& t) {
    std::set<std::int64_t> all;
    for (std::int64_t offset : offsets(t)) {
      for (std::size_t i = 0; i < tw::storage_bytes(t.dtype); ++i) {
        all.insert(offset + static_cast<std::int64_t>(i));
      }
    }
    return all;
  };
  for (std::int64_t byte : bytes(a)) RC_ASSERT(bytes(b).count(byte) == 0u);
}

RC_GTEST_PROP(Geometry, DisjointBoxesOfOneMatrixAreProvedDisjoint, ()) {
  constexpr std::int64_t extent[3] = {3, 4, 5};
  constexpr std::int64_t stride[3] = {20, 5, 1};
  std::int64_t lo[2][3], hi[2][3];
  bool apart = false;
  TensorGeometry box[2];
  for (int i = 0; i < 2; ++i) {
    std::ptrdiff_t offset = 0;
    std::vector<std::int64_t> extents;
    for (int axis = 0; axis < 3; ++axis) {
      lo[i][axis] = *rc::gen::inRange<std::int64_t>(0, extent[axis]);
      hi[i][axis] = *rc::gen::inRange<std::int64_t>(lo[i][axis] + 1, extent[axis] + 1);
      offset += lo[i][axis] * stride[axis];
      extents.push_back(hi[i][axis] - lo[i][axis]);
    }
    box[i] = tensor(offset, extents, {20, 5, 1});
  }
  for (int axis = 0; axis < 3; ++axis) {
    apart |= hi[0][axis] <= lo[1][axis] || hi[1][axis] <= lo[0][axis];
  }
  RC_ASSERT(proved_disjoint(box[0], box[1], memory) == apart);
}

}  // namespace
