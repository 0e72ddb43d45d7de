// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <gmock/gmock.h>

#include <tilewright/core/error.hpp>
#include <tilewright/kernel.hpp>
#include <tilewright/passes/obligations.hpp>

#include "tests/dsl/trace_of.hpp"

// Every access of the safe language that takes an index of the user, with indices outside: what
// lies around the tensor is neither read nor written, and the launch reports it.
namespace tw::tests {
namespace {

using testing::Each;
using testing::Not;

/// A tensor of ones amid memory that nobody may touch.
class Walled {
 public:
  explicit Walled(std::vector<std::int64_t> extents)
      : extents_(std::move(extents)),
        count_(
            std::accumulate(extents_.begin(), extents_.end(), std::size_t{1}, std::multiplies())),
        memory_(count_ + 2 * thickness, brick) {
    std::ranges::fill(inside(), 1.f);
  }

  [[nodiscard]] std::span<float> inside() { return std::span(memory_).subspan(thickness, count_); }
  [[nodiscard]] bool stands() const {
    const auto bricks = static_cast<std::size_t>(std::ranges::count(memory_, brick));
    return bricks == 2 * thickness;
  }
  Argument argument() { return tensor(inside(), extents_); }

 private:
  static constexpr std::size_t thickness = 1024;
  static constexpr float brick = 7777;

  std::vector<std::int64_t> extents_;
  std::size_t count_;
  std::vector<float> memory_;
};

struct Memory {
  Walled z;
  Walled x;
};

/// A kernel that accesses memory at an index.
struct Case {
  std::string name;
  /// The indices below it, from 0 on, are inside.
  std::int64_t count;
  /// What all of `z` is after an access outside.
  float after;
  std::function<void(Memory&, std::int64_t index, bool wide)> run;
  bool silent = false;  ///< what lies outside is padding, and nobody reports it
  std::vector<std::int64_t> extents = {4, 8};  ///< of z
  std::set<std::int64_t> nothing = {};         ///< what names nothing, and nobody reports
  std::vector<std::int64_t> input = {8, 16};   ///< the extents of x
};

void PrintTo(const Case& each, std::ostream* out) { *out << each.name; }

/// Runs a kernel of z, perhaps x, and the index.
template <class... P, class F>
auto kernel(const Cuts& cuts, F body, RowList rows = RowList::none) {
  return [=](Memory& memory, std::int64_t index, bool wide) {
    Specialisation specialisation = specialise_for<P...>(cuts);
    specialisation.wide_index = wide;
    specialisation.parameters[0].rows = rows;
    std::vector<Argument> arguments{memory.z.argument(), memory.x.argument()};
    arguments[0].ids.assign(4, static_cast<std::int32_t>(index));
    arguments.resize(sizeof...(P) - 1);
    arguments.push_back(number(index));
    run(passes::keep_checks(trace_of<P...>(specialisation, body)), {}, arguments);
  };
}

const Cuts tile{cut(4), cut(8)};

/// An input, read at an index into a tile of 4 x 8.
template <class X, class F>
auto reads(F body) {
  return kernel<Out<float, dyn, dyn>, X, Int>(
      tile, [body](auto z, auto x, Int i) { z.store(body(x, i)); });
}
using Matrix = In<float, dyn, dyn>;
using Cube = In<float, dyn, dyn, dyn>;

auto splat(auto element) { return broadcast_to(element, 4, 8); }
auto ids(Int i, int count) { return full<int>(0, count) + i; }

template <class F>
Case of_cube(std::string name, std::int64_t count, F body) {
  return {.name = std::move(name),
          .count = count,
          .after = 0,
          .run = reads<Cube>(body),
          .input = {8, 16, 4}};
}

std::vector<Case> inputs() {
  return {
      {"tiles_rows", 2, 0, reads<Matrix>([](auto x, Int i) { return x.tiles(4, 8)(i, 0); })},
      {"tiles_columns", 2, 0, reads<Matrix>([](auto x, Int i) { return x.tiles(4, 8)(0, i); })},
      {"tiles_no_power_of_two", 3, 0,
       reads<Matrix>([](auto x, Int i) { return splat(sum<0>(x.tiles(3, 8)(i, 0))); })},
      {"padded_rows", 2, 7,
       reads<Matrix>([](auto x, Int i) { return x.tiles(4, 8).padded(7)(i, 0); }), true},
      {"padded_columns", 2, 7,
       reads<Matrix>([](auto x, Int i) { return x.tiles(4, 8).padded(7)(0, i); }), true},
      {"at_rows", 8, 0, reads<Matrix>([](auto x, Int i) { return splat(x.at(i, 0)); })},
      {"at_columns", 16, 0, reads<Matrix>([](auto x, Int i) { return splat(x.at(0, i)); })},
      {"gather_ids", 8, 0,
       reads<Matrix>([](auto x, Int i) { return gather<0>(x.tiles(4, 8), ids(i, 4), 0); })},
      {"gather_columns", 16, 0,
       reads<Matrix>([](auto x, Int i) { return gather<1>(x.tiles(4, 8), ids(i, 8), 0); })},
      {"gather_tile", 2, 0,
       reads<Matrix>([](auto x, Int i) { return gather<0>(x.tiles(4, 8), iota(4), i); })},
      {"gather_padded", 8, 7, reads<Matrix>([](auto x, Int i) {
         return gather<0>(x.tiles(4, 8).padded(7), ids(i, 4), 0);
       }),
       true},
      of_cube("select", 8,
              [](auto x, Int i) { return transpose(select<0>(x, i).tiles(8, 4)(0, 0)); }),
      of_cube("select_at", 4, [](auto x, Int i) { return splat(select<0, 2>(x, 0, i).at(0)); }),
      of_cube("select_gather", 16,
              [](auto x, Int i) {
                return transpose(gather<0>(select<1>(x, i).tiles(8, 4), iota(8), 0));
              }),
      {"slice_start", 8, 0,
       reads<Matrix>([](auto x, Int i) { return splat(slice<0>(x, i, 1).at(0, 0)); })},
      {"slice_length", 9, 0,
       reads<Matrix>([](auto x, Int i) { return splat(slice<0>(x, 0, i).at(i - 1, 0)); })},
      {"slice_inside", 2, 0,
       reads<Matrix>([](auto x, Int i) { return splat(slice<0>(x, 3, 2).at(i, 0)); })},
      {"list", 1, 0, reads<List<Matrix>>([](auto xs, Int i) { return xs[i].tiles(4, 8)(0, 0); })},
      {"list_tiles", 2, 0,
       reads<List<Matrix>>([](auto xs, Int i) { return xs[0].tiles(4, 8)(0, i); })},
      {"list_at", 8, 0, reads<List<Matrix>>([](auto xs, Int i) { return splat(xs[0].at(i, 0)); })},
  };
}

/// What a block does to its own box.
template <class F>
auto own(const Cuts& cuts, F body) {
  return kernel<InOut<float, dyn, dyn>, Int>(cuts, body);
}

std::vector<Case> outputs() {
  const auto store = [](auto z, Int i) { z.tiles(4, 8).store(full<float>(5, 4, 8), i, 0); };
  const Cuts box{cut(8), cut(8)};
  const Cuts rows{cut(8), whole_axis};
  return {
      {.name = "box_pieces", .count = 2, .after = 1, .run = own(box, store), .extents = {16, 8}},
      {.name = "box_pieces_beyond_the_edge",
       .count = 1,
       .after = 1,
       .run = own(box, store),
       .nothing = {1}},
      {.name = "box_loads",
       .count = 1,
       .after = 0,
       .run = own(tile, [](auto z, Int i) { z.store(z.tiles(4, 8)(i, 0)); })},
      {.name = "whole_axis",
       .count = 2,
       .after = 1,
       .run = own(rows, [](auto z, Int i) { z.tiles(8, 8).store(full<float>(5, 8, 8), 0, i); }),
       .extents = {8, 16}},
      {.name = "whole_axis_slice",
       .count = 2,
       .after = 1,
       .run = own(
           rows,
           [](auto z, Int i) { slice<1>(z, 8, 8).tiles(8, 4).store(full<float>(5, 8, 4), 0, i); }),
       .extents = {8, 16}},
      {.name = "listed_rows",
       .count = 8,
       .after = 1,
       .run = kernel<Out<float, dyn, dyn>, Int>(
           tile, [](auto z, Int) { z.store(full<float>(5, 4, 8)); }, RowList::plain),
       .extents = {8, 8},
       .nothing = {-1, 8}},
  };
}

template <class F>
Case atomic(std::string name, float after, F body) {
  return {.name = std::move(name),
          .count = 16,
          .after = after,
          .run = kernel<Atomic<float, dyn>, Int>({}, body),
          .extents = {16},
          .nothing = {-1, 16}};
}

std::vector<Case> atomics() {
  return {
      atomic("atomic_add", 1, [](auto z, Int i) { z.add(i, 1); }),
      atomic("atomic_add_tile", 1, [](auto z, Int i) { z.add(ids(i, 4), 1); }),
      atomic("atomic_add_no_power_of_two", 1, [](auto z, Int i) { z.add(ids(i, 3), 1); }),
      atomic("atomic_fetch_add", 1,
             [](auto z, Int i) { static_cast<void>(z.fetch_add(ids(i, 4), 1)); }),
      atomic("atomic_exchange", 1,
             [](auto z, Int i) { static_cast<void>(z.exchange(ids(i, 4), 5)); }),
      atomic("atomic_compare_exchange", 1,
             [](auto z, Int i) { static_cast<void>(z.compare_exchange(ids(i, 4), 1, 5)); }),
      atomic("atomic_store", 1, [](auto z, Int i) { z.store(ids(i, 4), 5); }),
      atomic("atomic_load", 0, [](auto z, Int i) { z.store(iota(16), z.load(ids(i, 16)) * 2); }),
      {.name = "atomic_tiles",
       .count = 2,
       .after = 1,
       .run = kernel<Atomic<float, dyn, dyn>, Int>(
           {}, [](auto z, Int i) { z.tiles(4, 8).add(full<float>(1, 4, 8), 0, i); }),
       .extents = {4, 16}},
  };
}

std::vector<Case> all_cases() {
  std::vector<Case> cases = inputs();
  for (const auto& more : {outputs(), atomics()}) {
    cases.insert(cases.end(), more.begin(), more.end());
  }
  return cases;
}

/// Whether indices have 64 bits in addresses, and what is accessed.
class DoorTest : public testing::TestWithParam<std::tuple<bool, Case>> {
 protected:
  /// Whether the launch reported anything.
  bool faults(std::int64_t index) {
    const auto& [wide, each] = GetParam();
    try {
      each.run(memory_, index, wide);
    } catch (const DeviceFault&) {
      return true;
    }
    return false;
  }

  const Case& case_ = std::get<Case>(GetParam());
  Memory memory_{Walled(case_.extents), Walled(case_.input)};
};

TEST_P(DoorTest, LetsIndicesInsideThrough) {
  EXPECT_FALSE(faults(case_.count - 1));
  EXPECT_TRUE(memory_.z.stands() && memory_.x.stands());
  EXPECT_THAT(memory_.z.inside(), Not(Each(case_.after)));
}

TEST_P(DoorTest, StopsIndicesOutside) {
  constexpr std::int64_t last = std::numeric_limits<std::int32_t>::max();
  for (const std::int64_t index : {std::int64_t{-1}, case_.count, last / 2, last, -last - 1}) {
    const bool reported = !case_.silent && !case_.nothing.contains(index);
    EXPECT_EQ(faults(index), reported) << index;
    EXPECT_TRUE(memory_.z.stands()) << index;
    EXPECT_THAT(memory_.z.inside(), Each(case_.after)) << index;
  }
}

std::string name_of(const testing::TestParamInfo<std::tuple<bool, Case>>& test) {
  return std::get<Case>(test.param).name + (std::get<bool>(test.param) ? "_wide" : "");
}
INSTANTIATE_TEST_SUITE_P(Safe, DoorTest,
                         testing::Combine(testing::Bool(), testing::ValuesIn(all_cases())),
                         name_of);

}  // namespace
}  // namespace tw::tests
