// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include <gmock/gmock.h>

#include <tilewright/core/error.hpp>

#include "tests/runtime/launch_kernels.hpp"

namespace tw::tests {
namespace {

using ir::Opcode;
using testing::Each;
using testing::ElementsAre;

TEST(LaunchRecordTest, ShowsTheKernelWithoutRunningIt) {
  const auto x = counting<float>(100);
  auto z = filled(Device::cpu(), 7.f, 100);
  const ir::Kernel kernel = launch<add<float>>(mut(z).partition({64}), x, x).record();
  std::vector<Opcode> effects;
  ir::walk(kernel.entry().body, [&](const ir::Op& op) {
    if (op.code == Opcode::load_view_tko || op.code == Opcode::store_view_tko ||
        op.code == Opcode::addf) {
      effects.push_back(op.code);
    }
  });
  EXPECT_THAT(effects, ElementsAre(Opcode::load_view_tko, Opcode::load_view_tko, Opcode::addf,
                                   Opcode::store_view_tko));
  EXPECT_EQ(kernel.abi.size(), kernel.entry().body.arguments.size());
  EXPECT_THAT(to_host(z), Each(7.f));
}

void mark_first(Out<std::int8_t, dyn> y) { y.tiles(1).store(full<std::int8_t>(1, 1), 0); }

TEST(LaunchRecordTest, PiecesOfWideOutputsAreCountedInWideNumbers) {
  auto y = empty<std::int8_t>(Device::cpu(), (std::int64_t{1} << 32) + (1 << 20));
  const ir::Kernel kernel = launch<mark_first>(mut(y).partition({1 << 20})).record();
  std::vector<ElementKind> products;
  ir::walk(kernel.entry().body, [&](const ir::Op& op) {
    if (op.code == Opcode::muli) {
      products.push_back(kernel.entry().type(op.result()).tile().kind());
    }
  });
  EXPECT_THAT(products, testing::AllOf(testing::Not(testing::IsEmpty()), Each(ElementKind::i64)));
}

TEST(LaunchRecordTest, RefusesWhatALaunchRefuses) {
  auto z = counting<float>(100);
  EXPECT_THROW((void)launch<add<float>>(mut(z).partition({64}), z, z).record(), LaunchError);
}

}  // namespace
}  // namespace tw::tests
