// SPDX-License-Identifier: Apache-2.0
#include "wrong_kernel.hpp"

namespace tw::tests {
namespace {

void zero_extent(Out<float, dyn> c, int n) {
  next_line_is_wrong();
  c.store(zeros<float>(n) + zeros<float>(dim<0>(c)));
}

void negative_extent(Out<float, dyn, dyn> c, int n) {
  next_line_is_wrong();
  auto x = full(1.f, 4, n);
  c.store(sum<1>(x) + zeros<float>(dim<0>(c), dim<1>(c)));
}

void more_than_a_tile_holds(Out<float, dyn> c, int n) {
  next_line_is_wrong();
  auto x = full(1.f, n, n, n);
  c.store(zeros<float>(dim<0>(c)) + item(sum<0>(sum<1>(sum<2>(x)))));
}

void count_to_nothing(Out<int, dyn> c, int n) {
  next_line_is_wrong();
  c.store(iota(n) + zeros<int>(dim<0>(c)));
}

void extent_beyond_the_rank(Out<float, dyn> c, In1<float> a) {
  auto x = a.load_like(c);
  next_line_is_wrong();
  c.store(x * static_cast<float>(x.extent(1)));
}

void stretch_of_a_wide_axis(Out<float, dyn> c, In1<float> a, int n) {
  auto x = a.tiles(n)(0);
  next_line_is_wrong();
  c.store(broadcast_to(x, dim<0>(c)));
}

void reshape_to_another_size(Out<float, dyn, dyn> c, In1<float> a, int n) {
  auto x = a.tiles(n)(0);
  next_line_is_wrong();
  c.store(reshape(x, dim<0>(c), dim<1>(c)));
}

void reshape_of_an_odd_axis(Out<float, dyn, dyn> c, In1<float> a, int n) {
  auto x = a.tiles(n)(0);
  next_line_is_wrong();
  c.store(reshape(x, dim<0>(c), dim<1>(c)));
}

void cat_of_odd_axes(Out<float, dyn> c, In1<float> a, int n) {
  auto x = a.tiles(n)(0);
  next_line_is_wrong();
  c.store(cat<0>(x, x));
}

void cat_to_an_odd_axis(Out<float, dyn> c, In1<float> a, int n) {
  auto x = a.tiles(n)(0);
  auto y = a.tiles(2 * n)(0);
  next_line_is_wrong();
  c.store(cat<0>(x, y));
}

void cat_of_unlike_shapes(Out<float, dyn, dyn> c, In2<float> a, int n) {
  auto x = a.tiles(1, n)(0, 0);
  auto y = a.tiles(1, 2 * n)(0, 0);
  next_line_is_wrong();
  c.store(cat<0>(x, y));
}

void extract_from_an_odd_axis(Out<float, dyn> c, In1<float> a, int n) {
  auto x = a.tiles(n)(0);
  next_line_is_wrong();
  c.store(extract<0>(x, dim<0>(c), 1));
}

void extract_of_a_wider_slice(Out<float, dyn> c, In1<float> a, int n) {
  auto x = a.tiles(n)(0);
  next_line_is_wrong();
  c.store(extract<0>(x, dim<0>(c), 0));
}

void extract_of_nothing(Out<float, dyn> c, In1<float> a, int n) {
  auto x = a.load_like(c);
  next_line_is_wrong();
  c.store(x + extract<0>(x, n, 0));
}

void insert_into_an_odd_axis(Out<float, dyn> c, In1<float> a, int n) {
  auto x = a.load_like(c);
  next_line_is_wrong();
  c.store(insert<0>(a.tiles(n)(0), x, 1));
}

void insert_of_a_wider_slice(Out<float, dyn> c, In1<float> a, int n) {
  auto x = a.load_like(c);
  next_line_is_wrong();
  c.store(insert<0>(a.tiles(n)(0), x, 0));
}

void insert_of_another_shape(Out<float, dyn, dyn> c, In2<float> a, int n) {
  auto x = a.load_like(c);
  next_line_is_wrong();
  c.store(insert<0>(a.tiles(1, n)(0, 0), x, 0));
}

void pack_of_an_odd_axis(Out<std::uint8_t, dyn> c, In1<half> a, int n) {
  auto x = a.tiles(n)(0);
  next_line_is_wrong();
  c.store(pack<std::uint8_t>(x));
}

void pack_of_bytes(Out<std::uint8_t, dyn> c, In1<std::int8_t> a) {
  auto x = a.load_like(c);
  next_line_is_wrong();
  c.store(pack<std::uint8_t>(x));
}

void unpack_of_half_an_element(Out<float, dyn> c, In1<std::uint8_t> a, int n) {
  auto x = a.tiles(n)(0);
  next_line_is_wrong();
  c.store(unpack<float>(x));
}

void squeeze_of_a_wide_axis(Out<float, dyn> c, In2<float> a, int n) {
  auto x = a.tiles(n, dim<0>(c))(0, 0);
  next_line_is_wrong();
  c.store(squeeze<0>(x));
}

void item_of_many(Out<float, dyn> c, In1<float> a, int n) {
  auto x = a.tiles(n)(0);
  next_line_is_wrong();
  c.store(zeros<float>(dim<0>(c)) + item(x));
}

Tile<float, 16> doubled(const Tile<float, 16>& x) { return x + x; }

void tile_of_another_declared_shape(Out<float, dyn> c, In1<float> a) {
  auto x = a.load_like(c);
  next_line_is_wrong();
  auto y = doubled(x);
  next_line_is_wrong();
  c.store(y);
}

void together_of_unlike_shapes(Out<float, 1> c, In1<float> a, int n) {
  std::tuple pair{a.tiles(n)(0), a.tiles(2 * n)(0)};
  auto second = [](auto, auto element) { return element; };
  next_line_is_wrong();
  auto [x, y] = reduce<0>(pair, std::tuple{0.f, 0.f}, second);
  c.store(reshape(x, 1) + reshape(y, 1));
}

const WrongKernel shapes[] = {
    wrong<&zero_extent>("ZeroExtent", {{cut(8)}},
                        {"a tile cannot have the shape 0: every extent must be positive"}, 0),
    wrong<&negative_extent>("NegativeExtent", {{cut(4), cut(1)}},
                            {"a tile cannot have the shape 4x-3: every extent must be positive"},
                            -3),
    wrong<&more_than_a_tile_holds>(
        "MoreThanATileHolds", {{cut(8)}},
        {"a tile of 1073741824x1073741824x1073741824 has more than the 16777216 elements that a "
         "tile may have"},
        1 << 30),
    wrong<&count_to_nothing>("CountToNothing", {{cut(8)}},
                             {"iota: an extent of -1 is not positive"}, -1),
    wrong<&extent_beyond_the_rank>("ExtentBeyondTheRank", {{cut(8)}},
                                   {"extent: axis 1 is outside rank 1"}),
    wrong<&stretch_of_a_wide_axis>("StretchOfAWideAxis", {{cut(8)}},
                                   {"a tile of shape 4 cannot be stretched to 8"}, 4),
    wrong<&reshape_to_another_size>("ReshapeToAnotherSize", {{cut(4), cut(8)}},
                                    {"reshape of 64 into 4x8 changes the number of elements"}, 64),
    wrong<&reshape_of_an_odd_axis>(
        "ReshapeOfAnOddAxis", {{cut(2), cut(48)}},
        {"reshape along an axis of 96 (the next powers of two are 64 and 128)"}, 96),
    wrong<&cat_of_odd_axes>("CatOfOddAxes", {{cut(6)}},
                            {"cat along an axis of 3 (the next powers of two are 2 and 4)"}, 3),
    wrong<&cat_to_an_odd_axis>("CatToAnOddAxis", {{cut(12)}},
                               {"cat along an axis of 12 (the next powers of two are 8 and 16)"},
                               4),
    wrong<&cat_of_unlike_shapes>("CatOfUnlikeShapes", {{cut(2), cut(4)}},
                                 {"cat of 1x4 and 1x8 along axis 0: the other extents differ"}, 4),
    wrong<&extract_from_an_odd_axis>(
        "ExtractFromAnOddAxis", {{cut(8)}},
        {"extract along an axis of 24 (the next powers of two are 16 and 32)"}, 24),
    wrong<&extract_of_a_wider_slice>("ExtractOfAWiderSlice", {{cut(8)}},
                                     {"extract: a slice of 8 does not divide an axis of 4"}, 4),
    wrong<&extract_of_nothing>("ExtractOfNothing", {{cut(8)}},
                               {"extract: an extent of 0 is not positive"}, 0),
    wrong<&insert_into_an_odd_axis>(
        "InsertIntoAnOddAxis", {{cut(12)}},
        {"insert along an axis of 12 (the next powers of two are 8 and 16)"}, 4),
    wrong<&insert_of_a_wider_slice>("InsertOfAWiderSlice", {{cut(8)}},
                                    {"insert: a slice of 16 does not divide an axis of 8"}, 16),
    wrong<&insert_of_another_shape>("InsertOfAnotherShape", {{cut(4), cut(8)}},
                                    {"insert of 1x4 into 4x8: the other extents differ"}, 4),
    wrong<&pack_of_an_odd_axis>("PackOfAnOddAxis", {{cut(6)}},
                                {"pack along an axis of 3 (the next powers of two are 2 and 4)"},
                                3),
    wrong<&pack_of_bytes>("PackOfBytes", {{cut(8)}},
                          {"pack: a row of 8 elements of int8_t is not made of whole bytes that "
                           "differ from its elements"}),
    wrong<&unpack_of_half_an_element>(
        "UnpackOfHalfAnElement", {{cut(2)}},
        {"unpack: 2 bytes are not a whole number of elements of float"}, 2),
    wrong<&squeeze_of_a_wide_axis>(
        "SqueezeOfAWideAxis", {{cut(8)}},
        {"squeeze of axis 0 of a tile of shape 2x8: its extent is not one"}, 2),
    wrong<&item_of_many>("ItemOfMany", {{cut(8)}},
                         {"item of a tile of shape 4: it has more than one element"}, 4),
    wrong<&tile_of_another_declared_shape>(
        "TileOfAnotherDeclaredShape", {{cut(8)}},
        {"a tile of shape 8 is used as 16",
         "store into argument 1: the tile of float has the shape 16, the output 8"}),
    wrong<&together_of_unlike_shapes>("TogetherOfUnlikeShapes", {{cut(1)}},
                                      {"reduce: tiles of shapes 4 and 8 are taken together"}, 4),
};

INSTANTIATE_TEST_SUITE_P(Shapes, MustThrow, testing::ValuesIn(shapes),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace tw::tests
