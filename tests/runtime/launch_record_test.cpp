// SPDX-License-Identifier: Apache-2.0
#include <functional>
#include <vector>

#include <gmock/gmock.h>

#include <tilewright/core/error.hpp>
#include <tilewright/runtime/task.hpp>

#include "tests/runtime/launch_kernels.hpp"
#include "tests/runtime/thrown.hpp"

namespace tw::tests {
namespace {

using ir::Opcode;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::thrown_by;
using ::testing::ThrowsMessage;

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
  EXPECT_THAT(products,
              ::testing::AllOf(::testing::Not(::testing::IsEmpty()), Each(ElementKind::i64)));
}

TEST(LaunchRecordTest, RefusesWhatALaunchRefuses) {
  auto z = counting<float>(100);
  EXPECT_THROW((void)launch<add<float>>(mut(z).partition({64}), z, z).record(), LaunchError);
}

/// What a kernel does on the host while it is recorded.
std::function<void()> on_the_host;
unsigned host_line = 0;

void uses_the_host(Out<int, dyn> y) {
  on_the_host();
  y.store(full(1, dim<0>(y)));
}

void launches_itself(Out<int, dyn> y) {
  auto z = zeroed<int>(Device::cpu(), 4);
  host_line = Location::current().line() + 1;
  launch<launches_itself>(mut(z).partition({2})).sync();
  y.store(full(1, dim<0>(y)));
}

TEST(LaunchRecordTest, AKernelThatLaunchesItselfIsRefused) {
  auto y = zeroed<int>(Device::cpu(), 4);
  for (int i = 0; i < 2; ++i) {
    const auto error =
        thrown_by<LaunchError>([&] { launch<launches_itself>(mut(y).partition({2})).sync(); });
    EXPECT_THAT(error.what(), HasSubstr("a kernel is being recorded here"));
    EXPECT_EQ(error.where().line(), host_line);
  }
}

Task<void> a_task() { co_return; }

TEST(LaunchRecordTest, NothingOfTheHostGoesOnWhileAKernelIsRecorded) {
  auto x = counting<int>(4);
  auto y = zeroed<int>(Device::cpu(), 4);
  const Stream stream(Device::cpu());
  launch<increment>(mut(x).partition({2}), 1).sync();  // its code is known
  const std::function<void()> uses[] = {
      [&] { launch<increment>(mut(x).partition({2}), 1).on(stream); },
      [&] { (void)launch<increment>(mut(x).partition({2}), 1).record(); },
      [&] { copy(mut(x), y); },
      [&] { (void)clone(x); },
      [&] { (void)to_host(x); },
      [&] { stream.sync(); },
      [&] { sync_wait(a_task()); },
  };
  for (const auto& use : uses) {
    on_the_host = use;
    EXPECT_THAT([&] { launch<uses_the_host>(mut(y).partition({2})).sync(); },
                ThrowsMessage<LaunchError>(HasSubstr("a kernel is being recorded here")));
  }
  on_the_host = [] {};
  launch<uses_the_host>(mut(y).partition({2})).sync();
  EXPECT_THAT(to_host(x), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(to_host(y), Each(1));
}

}  // namespace
}  // namespace tw::tests
