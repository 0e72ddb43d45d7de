// SPDX-License-Identifier: Apache-2.0
#include "wrong_kernel.hpp"

/// Tiles of four-bit elements that would begin or end inside a byte.
namespace tw::tests {
namespace {

void odd_box(Out<f4e2m1, dyn, dyn> y) {
  auto x = as<f4e2m1>(zeros<float>(dim<0>(y), dim<1>(y)));
  next_line_is_wrong();
  y.store(x);
}

void odd_tiles(Out<float, dyn> y, In1<f4e2m1> x, int n) {
  auto tiles = x.tiles(n);
  next_line_is_wrong();
  y.store(as<float>(tiles(0)));
}

void odd_tiles_of_a_box(Out<f4e2m1, dyn> y, int n) {
  auto x = as<f4e2m1>(zeros<float>(n));
  auto tiles = y.tiles(n);
  next_line_is_wrong();
  tiles.store(x, 0);
}

void like_an_odd_output(Out<float, dyn> y, In1<f4e2m1> x) {
  next_line_is_wrong();
  y.store(as<float>(x.load_like(y)));
}

void squeezed_last_axis(Out<f4e2m1, dyn, dyn> y) {
  auto column = squeeze<1>(y);
  auto x = as<f4e2m1>(zeros<float>(dim<0>(y)));
  next_line_is_wrong();
  column.store(x);
}

/// A box beside others whose extent is no power of two is stored element by element.
void box_of_six(Out<f4e2m1, dyn> y) {
  auto x = as<f4e2m1>(zeros<float>(dim<0>(y)));
  next_line_is_wrong();
  y.store(x);
}

void listed_rows(Out<f4e2m1, dyn, dyn> y) {
  auto x = as<f4e2m1>(zeros<float>(dim<0>(y), dim<1>(y)));
  next_line_is_wrong();
  y.store(x);
}

WrongKernel with_listed_rows() {
  Specialisation listed = specialise<&listed_rows>({{cut(2), cut(4)}});
  listed.parameters[0].rows = RowList::plain;
  return {"ListedRows",
          __FILE__,
          [listed] { return errors_of<&listed_rows>(listed); },
          {"none is touched alone"}};
}

constexpr const char* share = "a tile spans an even number of them along the last axis";

const WrongKernel four_bit[] = {
    wrong<&odd_box>("OddBox", {{cut(2), cut(1)}}, {share}),
    wrong<&odd_tiles>("OddTiles", {{cut(1)}}, {share}, 1),
    wrong<&odd_tiles_of_a_box>("OddTilesOfABox", {{cut(8)}}, {share}, 1),
    wrong<&like_an_odd_output>("LikeAnOddOutput", {{cut(1)}}, {share}),
    wrong<&squeezed_last_axis>("SqueezedLastAxis", {{cut(2), cut(1)}}, {share}),
    wrong<&box_of_six>("BoxOfSix", {{cut(6)}}, {"none is touched alone"}),
    with_listed_rows(),
};

INSTANTIATE_TEST_SUITE_P(FourBit, MustThrow, testing::ValuesIn(four_bit),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace tw::tests
