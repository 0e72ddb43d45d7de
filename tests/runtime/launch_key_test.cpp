// SPDX-License-Identifier: Apache-2.0
// What the key of a launch holds: all that code may depend on, and nothing cut off.
#include <cstdint>
#include <vector>

#include <gmock/gmock.h>

#include "runtime/facts.hpp"

namespace tw::detail {
namespace {

HostArgument output_cut(std::int64_t first, Cut second) {
  HostArgument argument{.kind = ParameterKind::out, .dtype = DType::f32, .rank = 2};
  argument.tensor_count = 1;
  argument.cuts[0] = {CutKind::tile, first};
  argument.cuts[1] = second;
  return argument;
}

std::vector<ParameterFacts> facts_of(const HostArgument& argument) {
  TensorUse tensor;
  tensor.rank = 2;
  tensor.extents[0] = tensor.extents[1] = tensor.strides[0] = 4;
  tensor.strides[1] = 1;
  KeyWords key;
  append_facts({std::span(&argument, 1), std::span(&tensor, 1)}, key);
  return facts_from(std::span(&argument, 1), key);
}

TEST(LaunchKey, HoldsCutsOfAnySize) {
  for (const std::int64_t size : {std::int64_t{1}, std::int64_t{1} << 31, std::int64_t{1} << 61,
                                  std::int64_t{1} << 62, INT64_MAX}) {
    for (const Cut second : {Cut{CutKind::whole, 0}, Cut{CutKind::all, size}}) {
      const ParameterFacts facts = facts_of(output_cut(size, second)).at(0);
      EXPECT_EQ(facts.cuts[0], (Cut{CutKind::tile, size}));
      EXPECT_EQ(facts.cuts[1], second);
    }
  }
}

}  // namespace
}  // namespace tw::detail
