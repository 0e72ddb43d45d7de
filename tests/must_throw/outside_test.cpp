// SPDX-License-Identifier: Apache-2.0
#include <functional>
#include <optional>

#include "wrong_kernel.hpp"

/// Tiles, views and variables that are used where their kernel is not.
namespace tw::tests {
namespace {

/// What a traced kernel leaves behind.
struct Kept {
  std::optional<Tile<float, dyn>> tile;
  std::optional<In1<float>> view;
  std::optional<Tiles<float, dyn>> tiles;
  std::optional<Out<float, dyn>> output;
  std::optional<Var<Tile<float, dyn>>> variable;
  std::optional<Outs<float, dyn>> dealt;
  std::optional<List<In1<float>>> list;
  std::optional<Grid<1>> grid;
  std::optional<Range::Iterator> loop;
  std::optional<Branches::Iterator> branch;
  unsigned loop_line = 0;
  unsigned branch_line = 0;
};
std::optional<Kept> kept;

void keep(Out<float, dyn> c, In1<float> a) {
  kept->tile.emplace(a.load_like(c));
  kept->view.emplace(a);
  kept->tiles.emplace(a.tiles(dim<0>(c)));
  kept->output.emplace(c);
  kept->variable.emplace(*kept->tile);
  c.store(*kept->tile);
}

void keep_handles(Outs<float, dyn> cs, List<In1<float>> as, Grid<1> grid) {
  kept->dealt.emplace(cs);
  kept->list.emplace(as);
  kept->grid.emplace(grid);
  for (auto c : places(cs)) c.store(as[0].load_like(c));
}

void keep_control(Out<float, dyn> c) {
  kept->loop_line = Location::current().line() + 1;
  Range steps = range(4);
  kept->loop.emplace(steps.begin());
  for (Int i : steps) static_cast<void>(i);
  kept->branch_line = Location::current().line() + 1;
  Branches branches(Int(1) > 0, Location::current());
  kept->branch.emplace(branches.begin());
  for (auto& side : branches) static_cast<void>(side);
  c.store(zeros<float>(dim<0>(c)));
}

class OutsideTest : public testing::Test {
 protected:
  OutsideTest() {
    kept.emplace();
    static_cast<void>(trace<&keep>(specialise<&keep>({{cut(8)}})));
    static_cast<void>(trace<&keep_handles>(specialise<&keep_handles>({{cut(8)}})));
    static_cast<void>(trace<&keep_control>(specialise<&keep_control>({{cut(8)}})));
  }
  ~OutsideTest() override { kept.reset(); }

  /// Expects that code which announces its wrong line throws there.
  static void expect_refused(const std::string& message, const std::function<void()>& code) {
    announced_lines().clear();
    try {
      code();
      FAIL() << "nothing was thrown";
    } catch (const KernelError& error) {
      ASSERT_EQ(error.diagnostics().size(), 1u);
      EXPECT_THAT(error.what(), testing::HasSubstr(message));
      EXPECT_STREQ(error.where().file_name(), __FILE__);
      EXPECT_THAT(announced_lines(), testing::ElementsAre(error.where().line()));
    }
  }
};

constexpr const char* no_kernel = "tile operations only exist inside a kernel";

TEST_F(OutsideTest, NumbersBecomeTilesInKernelsOnly) {
  expect_refused(no_kernel, [] {
    next_line_is_wrong();
    const Float x = 1.f;
    static_cast<void>(x);
  });
  expect_refused(no_kernel, [] {
    next_line_is_wrong();
    static_cast<void>(zeros<float>(4, 4));
  });
  expect_refused(no_kernel, [] {
    next_line_is_wrong();
    static_cast<void>(iota(4));
  });
}

TEST_F(OutsideTest, TilesComputeInKernelsOnly) {
  const Tile<float, dyn>& x = *kept->tile;
  expect_refused(no_kernel, [&] {
    next_line_is_wrong();
    static_cast<void>(x + x);
  });
  expect_refused(no_kernel, [&] {
    next_line_is_wrong();
    static_cast<void>(exp(x));
  });
  expect_refused(no_kernel, [&] {
    next_line_is_wrong();
    static_cast<void>(sum<0>(x));
  });
  expect_refused(no_kernel, [&] {
    next_line_is_wrong();
    print("%f", x);
  });
}

TEST_F(OutsideTest, VariablesLiveInKernelsOnly) {
  expect_refused(no_kernel, [] {
    next_line_is_wrong();
    const Var x = *kept->tile;
    static_cast<void>(x);
  });
  expect_refused(no_kernel, [] {
    next_line_is_wrong();
    *kept->variable = *kept->tile;
  });
}

TEST_F(OutsideTest, ControlExistsInKernelsOnly) {
  const Tile<float, dyn>& x = *kept->tile;
  expect_refused(no_kernel, [] {
    next_line_is_wrong();
    for (Int i : range(4)) static_cast<void>(i);
  });
  expect_refused(no_kernel, [&] {
    next_line_is_wrong();
    TW_IF(item(x) > 0.f) {}
  });
}

TEST_F(OutsideTest, ViewsExistInKernelsOnly) {
  constexpr const char* no_view = "views only exist inside a kernel";
  expect_refused(no_view, [] {
    next_line_is_wrong();
    static_cast<void>(kept->view->load_like(*kept->output));
  });
  expect_refused(no_view, [] {
    next_line_is_wrong();
    static_cast<void>(kept->view->tiles(4));
  });
  expect_refused(no_view, [] {
    next_line_is_wrong();
    static_cast<void>(kept->view->extent(0));
  });
  expect_refused(no_view, [] {
    next_line_is_wrong();
    kept->output->store(*kept->tile);
  });
}

void use_a_tile(Out<float, dyn> c, In1<float> a) {
  auto x = a.load_like(c);
  next_line_is_wrong();
  auto y = x + *kept->tile;
  c.store(y);
}
void store_a_tile(Out<float, dyn> c) {
  next_line_is_wrong();
  c.store(*kept->tile);
}
void become_a_tile(Out<float, dyn> c) {
  Var x = zeros<float>(dim<0>(c));
  next_line_is_wrong();
  x = *kept->tile;
  c.store(x);
}
void assign_a_variable(Out<float, dyn> c) {
  auto x = zeros<float>(dim<0>(c));
  next_line_is_wrong();
  *kept->variable = x;
  c.store(x);
}
void load_a_view(Out<float, dyn> c) {
  next_line_is_wrong();
  c.store(kept->view->load_like(c));
}
void load_from_tiles(Out<float, dyn> c) {
  next_line_is_wrong();
  auto x = (*kept->tiles)(0);
  c.store(x);
}
void store_to_an_output(Out<float, dyn> c) {
  auto x = zeros<float>(dim<0>(c));
  next_line_is_wrong();
  kept->output->store(x);
  c.store(x);
}
void copy_a_variable(Out<float, dyn> c) {
  next_line_is_wrong();
  Var x = *kept->variable;
  for (Int i : range(4)) x = x + as<float>(i);
  c.store(x);
}
void walk_places(Out<float, dyn> c) {
  c.store(zeros<float>(dim<0>(c)));
  next_line_is_wrong();
  for (auto other : places(*kept->dealt)) other.store(zeros<float>(8));
}
void ask_for_the_extent_of_places(Out<float, dyn> c) {
  next_line_is_wrong();
  c.store(zeros<float>(dim<0>(*kept->dealt)));
}
void load_from_a_list(Out<float, dyn> c) {
  next_line_is_wrong();
  c.store((*kept->list)[0].load_like(c));
}
void ask_for_the_size_of_a_list(Out<float, dyn> c) {
  next_line_is_wrong();
  c.store(zeros<float>(dim<0>(c)) + as<float>(kept->list->size()));
}
void ask_a_grid_for_the_block(Out<float, dyn> c) {
  next_line_is_wrong();
  auto [i] = kept->grid->block();
  c.store(zeros<float>(dim<0>(c)) + as<float>(i));
}
void ask_a_grid_for_its_extent(Out<float, dyn> c) {
  next_line_is_wrong();
  c.store(zeros<float>(dim<0>(c)) + as<float>(kept->grid->extent(0)));
}
void read_an_iterator(Out<float, dyn> c) {
  announced_lines().push_back(kept->loop_line);
  c.store(zeros<float>(dim<0>(c)) + as<float>(**kept->loop));
}
void advance_an_iterator(Out<float, dyn> c) {
  c.store(zeros<float>(dim<0>(c)));
  announced_lines().push_back(kept->loop_line);
  ++*kept->loop;
}
void advance_a_branch(Out<float, dyn> c) {
  c.store(zeros<float>(dim<0>(c)));
  announced_lines().push_back(kept->branch_line);
  ++*kept->branch;
}
void go_on_after_an_error(Out<float, dyn> c) {
  try {
    next_line_is_wrong();
    c.store(kept->view->load_like(c));
  } catch (const KernelError&) {
    c.store(zeros<float>(dim<0>(c)));
  }
}
void report_both(Out<float, dyn> c) {
  auto x = zeros<float>(dim<0>(c));
  next_line_is_wrong();
  static_cast<void>(x.extent(1));
  next_line_is_wrong();
  c.store(kept->view->load_like(c));
}

const WrongKernel strangers[] = {
    wrong<&use_a_tile>("UsedTile", {{cut(8)}}, {"this tile belongs to another kernel"}),
    wrong<&store_a_tile>("StoredTile", {{cut(8)}}, {"this tile belongs to another kernel"}),
    wrong<&become_a_tile>("AssignedTile", {{cut(8)}}, {"this tile belongs to another kernel"}),
    wrong<&assign_a_variable>("Variable", {{cut(8)}}, {"this variable belongs to another kernel"}),
    wrong<&load_a_view>("View", {{cut(8)}}, {"this view belongs to another kernel"}),
    wrong<&load_from_tiles>("Tiles", {{cut(8)}}, {"this tiling belongs to another kernel"}),
    wrong<&store_to_an_output>("Output", {{cut(8)}}, {"this view belongs to another kernel"}),
    wrong<&copy_a_variable>("CopiedVariable", {{cut(8)}}, {"this tile belongs to another kernel"}),
    wrong<&walk_places>("Places", {{cut(8)}}, {"this parameter belongs to another kernel"}),
    wrong<&ask_for_the_extent_of_places>("PlacesExtent", {{cut(8)}},
                                         {"this parameter belongs to another kernel"}),
    wrong<&load_from_a_list>("List", {{cut(8)}}, {"this parameter belongs to another kernel"}),
    wrong<&ask_for_the_size_of_a_list>("ListSize", {{cut(8)}},
                                       {"this parameter belongs to another kernel"}),
    wrong<&ask_a_grid_for_the_block>("GridBlock", {{cut(8)}},
                                     {"this parameter belongs to another kernel"}),
    wrong<&ask_a_grid_for_its_extent>("GridExtent", {{cut(8)}},
                                      {"this parameter belongs to another kernel"}),
    wrong<&read_an_iterator>("ReadIterator", {{cut(8)}}, {"this loop belongs to another kernel"}),
    wrong<&advance_an_iterator>("AdvancedIterator", {{cut(8)}},
                                {"this loop belongs to another kernel"}),
    wrong<&advance_a_branch>("AdvancedBranch", {{cut(8)}},
                             {"this branch belongs to another kernel"}),
    wrong<&go_on_after_an_error>("CaughtError", {{cut(8)}},
                                 {"this view belongs to another kernel"}),
    wrong<&report_both>(
        "AfterAnotherError", {{cut(8)}},
        {"extent: axis 1 is outside rank 1", "this view belongs to another kernel"}),
};

/// The same from a kernel that has ended into another one.
class StrangersInAKernel : public OutsideTest, public testing::WithParamInterface<WrongKernel> {};

TEST_P(StrangersInAKernel, NamesTheUsersLine) { expect_errors(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Strangers, StrangersInAKernel, testing::ValuesIn(strangers),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace tw::tests
