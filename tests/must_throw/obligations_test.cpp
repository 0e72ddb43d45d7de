// SPDX-License-Identifier: Apache-2.0
#include "wrong_kernel.hpp"

/// Accesses that lie outside in every launch.
namespace tw::tests {
namespace {

void tile_before_the_first(Out<float, dyn> c, In1<float> a) {
  auto tiles = a.tiles(dim<0>(c));
  next_line_is_wrong();
  c.store(tiles(-1));
}

void element_before_the_first(Out<float, dyn> c, In1<float> a) {
  next_line_is_wrong();
  auto x = a.at(-3);
  c.store(zeros<float>(dim<0>(c)) + x);
}

void selected_before_the_first(Out<float, dyn> c, In2<float> a) {
  next_line_is_wrong();
  auto row = select<0>(a, -1);
  c.store(row.load_like(c));
}

void list_before_the_first(Out<float, dyn> c, List<In1<float>> a) {
  next_line_is_wrong();
  auto x = a[-1];
  c.store(x.load_like(c));
}

void slice_before_the_first(Out<float, dyn> c, In1<float> a) {
  next_line_is_wrong();
  auto part = slice<0>(a, -2, 8);
  c.store(part.load_like(c));
}

void tile_behind_the_box(Out<float, dyn> c) {
  auto tiles = c.tiles(8);
  next_line_is_wrong();
  tiles.store(zeros<float>(8), 4);
}

void loop_behind_the_box(Out<float, dyn> c) {
  auto tiles = c.tiles(8);
  for (Int i : range(4, 6)) {
    next_line_is_wrong();
    tiles.store(zeros<float>(8), i);
  }
}

void several(Out<float, dyn, dyn> c, In2<float> a) {
  auto tiles = c.tiles(2, 8);
  next_line_is_wrong();
  auto x = a.tiles(2, 8)(-5, 0);
  next_line_is_wrong();
  tiles.store(x, 0, 2);
}

const WrongKernel obligations[] = {
    wrong<&tile_before_the_first>("TileBeforeTheFirst", {{cut(8)}},
                                  {"load of argument 2 along axis 0: index -1 is outside"}),
    wrong<&element_before_the_first>("ElementBeforeTheFirst", {{cut(8)}},
                                     {"load of argument 2 along axis 0: index -3 is outside"}),
    wrong<&selected_before_the_first>("SelectedBeforeTheFirst", {{cut(8)}},
                                      {"select of argument 2 along axis 0: index -1 is outside"}),
    wrong<&list_before_the_first>("ListBeforeTheFirst", {{cut(8)}},
                                  {"list of argument 2: index -1 is outside"}),
    wrong<&slice_before_the_first>("SliceBeforeTheFirst", {{cut(8)}},
                                   {"slice of argument 2 along axis 0: index -2 is outside"}),
    wrong<&tile_behind_the_box>("TileBehindTheBox", {{cut(32)}},
                                {"store of argument 1 along axis 0: index 4 is outside 0 to 3"}),
    wrong<&loop_behind_the_box>(
        "LoopBehindTheBox", {{cut(32)}},
        {"store of argument 1 along axis 0: an index from 4 to 5 is outside 0 to 3"}),
    wrong<&several>("Several", {{cut(2), cut(16)}},
                    {"load of argument 2 along axis 0: index -5 is outside",
                     "store of argument 1 along axis 1: index 2 is outside 0 to 1"}),
};

INSTANTIATE_TEST_SUITE_P(Obligations, MustThrow, testing::ValuesIn(obligations),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace tw::tests
