// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <tilewright/bytecode/reader.hpp>
#include <tilewright/bytecode/writer.hpp>
#include <tilewright/ir/printer.hpp>
#include <tilewright/ir/verifier.hpp>

#include "tests/bytecode/located_module.hpp"
#include "tests/bytecode/same_module.hpp"
#include "tests/ir/op_samples.hpp"
#include "tests/ir/sample_module.hpp"

namespace tw::bytecode {
namespace {

using namespace ir;
using Bytes = std::vector<std::byte>;

/// Reads what may be anything. What is accepted must survive the verifier, and what that accepts,
/// a round trip.
bool survives(const Bytes& bytes, bool lenient) {
  Module module;
  try {
    module = read(bytes, {.lenient = lenient, .limits = {.memory = std::size_t{1} << 24}});
  } catch (const ReadError& error) {
    EXPECT_LE(error.offset(), bytes.size());
    return false;
  }
  if (!verify(module).empty()) return true;
  print(module, {.locations = true});
  const ir::Version version = read_version(bytes);
  expect_same(module, read(write(module, {.version = version})));
  return true;
}

std::vector<Bytes> seeds() {
  std::vector<Bytes> all;
  for (const ir::Version version : {ir::Version{13, 3}, ir::Version{13, 5}}) {
    all.push_back(write(SampleModule::build(), {.version = version}));
    all.push_back(write(located_module(), {.version = version}));
  }
  return all;
}

TEST(Hostile, FilesThatEndTooEarlyAreRefused) {
  for (const Bytes& seed : seeds()) {
    for (std::size_t size = 0; size < seed.size(); ++size) {
      const Bytes cut(seed.begin(), seed.begin() + static_cast<std::ptrdiff_t>(size));
      EXPECT_FALSE(survives(cut, false)) << size;
      EXPECT_FALSE(survives(cut, true)) << size;
    }
  }
}

TEST(Hostile, FilesWithOneBitChangedDoNoHarm) {
  for (const Bytes& seed : seeds()) {
    Bytes changed = seed;
    for (std::size_t bit = 0; bit < 8 * seed.size(); ++bit) {
      changed[bit / 8] ^= std::byte{1} << (bit % 8);
      survives(changed, bit % 2 == 0);
      if (HasFailure()) FAIL() << "bit " << bit;
      changed[bit / 8] = seed[bit / 8];
    }
  }
}

TEST(Hostile, FilesWithOneBitChangedInAnyOpDoNoHarm) {
  for (const OpSample& each : samples::all()) {
    const Bytes seed = write(each.module());
    Bytes changed = seed;
    for (std::size_t bit = 0; bit < 8 * seed.size(); bit += 3) {
      changed[bit / 8] ^= std::byte{1} << (bit % 8);
      survives(changed, bit % 2 == 0);
      if (HasFailure()) FAIL() << each.text << ", bit " << bit;
      changed[bit / 8] = seed[bit / 8];
    }
  }
}

TEST(Hostile, FilesWithSeveralBytesChangedDoNoHarm) {
  std::mt19937 random(1);
  const auto below = [&](std::size_t limit) { return random() % limit; };
  const std::vector<Bytes> all = seeds();
  for (int i = 0; i < 20'000; ++i) {
    Bytes changed = all[below(all.size())];
    for (std::size_t left = 1 + below(4); left != 0; --left) {
      changed[12 + below(changed.size() - 12)] = static_cast<std::byte>(random());
    }
    survives(changed, i % 2 == 0);
    if (HasFailure()) FAIL() << "file " << i;
  }
}

}  // namespace
}  // namespace tw::bytecode
