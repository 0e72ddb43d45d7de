// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tilewright/cache/bundle.hpp>
#include <tilewright/cache/compiled.hpp>
#include <tilewright/core/error.hpp>

#include "tests/support/log_capture.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/tileiras/fake_assembler.hpp"
#include "tests/tileiras/installed.hpp"
#include "tests/tileiras/product_kernel.hpp"

namespace tw::tests {
namespace {

using backend::Target;
using backend::tileiras::assembly_of;
using backend::tileiras::Cubin;
using backend::tileiras::Remark;
using cache::bundle_key;
using cache::compile_cached;
using ::testing::HasSubstr;
using ::testing::Not;

/// The kernel with its text two lines further down, in another file.
ir::Kernel moved(ir::Kernel kernel) {
  ir::Module& module = kernel.module;
  ir::LocationTable locations;
  const auto move = [&](ir::LocationId& location) {
    ir::SourcePlace place = module.locations[location];
    place.file = "moved.hpp";
    place.line += 2;
    location = locations.add(std::move(place));
  };
  move(kernel.entry().location);
  ir::walk(kernel.entry().body, [&](ir::Op& op) { move(op.location); });
  module.locations = std::move(locations);
  return kernel;
}

TEST(CompiledKey, IsOneForEqualKernelsWhereverTheyStand) {
  const ir::Kernel kernel = ProductKernel().kernel();
  EXPECT_EQ(bundle_key(assembly_of(kernel, {90})), bundle_key(assembly_of(moved(kernel), {90})));
}

TEST(CompiledKey, HoldsWhateverChangesTheCode) {
  const ir::Kernel kernel = ProductKernel().kernel();
  const auto key = bundle_key(assembly_of(kernel, {90}));
  EXPECT_THAT(bundle_key(assembly_of(kernel, {100})), Not(key));
  EXPECT_THAT(bundle_key(assembly_of(kernel, {90}, {.optimization_level = 1})), Not(key));
  EXPECT_THAT(bundle_key(assembly_of(kernel, {90}, {.line_info = true})), Not(key));
  EXPECT_THAT(bundle_key(assembly_of(ProductKernel{.alignment = 32}.kernel(), {90})), Not(key));
  ir::Kernel hinted = kernel;
  hinted.entry().hints["default"]["occupancy"] = std::int64_t{2};
  EXPECT_THAT(bundle_key(assembly_of(hinted, {90})), Not(key));
}

TEST(CompiledKey, HoldsPlacesWithTheirTables) {
  const ir::Kernel kernel = ProductKernel().kernel();
  EXPECT_THAT(bundle_key(assembly_of(moved(kernel), {90}, {.line_info = true})),
              Not(bundle_key(assembly_of(kernel, {90}, {.line_info = true}))));
}

TEST(CompiledKey, NamesNoKernel) {
  const ir::Kernel kernel = ProductKernel().kernel();
  EXPECT_EQ(bundle_key(assembly_of(kernel, {90}, {.kernel = "a"})),
            bundle_key(assembly_of(kernel, {90}, {.kernel = "b"})));
}

TEST(CompiledFromBundle, NeedsNoAssembler) {
  const Variable none("TILEWRIGHT_TILEIRAS", "/none");
  const ScratchFolder folder;
  cache::Cache cache({.folder = folder.path()});
  const ir::Kernel kernel = ProductKernel().kernel();
  EXPECT_THROW(static_cast<void>(compile_cached(cache, kernel, {90})), CompilerError);

  const Cubin made{.bytes = {std::byte{7}}, .entry = "kernel", .resources = {}, .remarks = {}};
  const auto key = bundle_key(assembly_of(kernel, {90}));
  const auto blob = to_bytes(made);
  const cache::BundleEntry entry{key, "sm_90", blob};
  cache.add(cache::Bundle(cache::bundle_bytes({&entry, 1})));
  EXPECT_EQ(compile_cached(cache, kernel, {90}).bytes, made.bytes);
  EXPECT_THROW(static_cast<void>(compile_cached(cache, kernel, {100})), CompilerError);
}

using CompiledCache = WithAssembler;

TEST_F(CompiledCache, AnotherProcessAndAnotherLineFindTheCode) {
  const ScratchFolder folder;
  const ir::Kernel kernel = ProductKernel{.m = 64, .n = 64}.kernel();
  cache::Cache first({.folder = folder.path()});
  const Cubin made = compile_cached(first, kernel, {90});
  EXPECT_EQ(first.counters().compiles, 1u);

  cache::Cache second({.folder = folder.path()});
  const Cubin found = compile_cached(second, moved(kernel), {90});
  EXPECT_EQ(second.counters().compiles, 0u);
  EXPECT_EQ(second.counters().disk_hits, 1u);
  EXPECT_EQ(found.bytes, made.bytes);
  EXPECT_EQ(found.resources, made.resources);
  ASSERT_EQ(found.remarks.size(), made.remarks.size());
  for (std::size_t i = 0; i < made.remarks.size(); ++i) {
    if (made.remarks[i].op == Remark::no_op) continue;
    EXPECT_STREQ(found.remarks[i].where.file_name(), "moved.hpp");
    EXPECT_EQ(found.remarks[i].where.line(), made.remarks[i].where.line() + 2);
  }
}

}  // namespace
}  // namespace tw::tests
