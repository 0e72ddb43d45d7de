// SPDX-License-Identifier: Apache-2.0
#include "wrong_kernel.hpp"

namespace tw::tests {
namespace {

void tiles_of_nothing(Out<float, dyn> c, In1<float> a, int n) {
  next_line_is_wrong();
  auto tiles = a.tiles(n);
  c.store(tiles(0) + zeros<float>(dim<0>(c)));
}

void padded_tiles_of_nothing(Out<float, dyn, dyn> c, In2<float> a, int n) {
  next_line_is_wrong();
  auto tiles = a.padded(-1.f).tiles(4, n);
  c.store(tiles(0, 0) + zeros<float>(dim<0>(c), dim<1>(c)));
}

void shared_tiles_of_nothing(Grid<1> blocks, Atomic<int, dyn> bins, int n) {
  auto [i] = blocks.block();
  next_line_is_wrong();
  auto tiles = bins.tiles(n);
  tiles.add(full(1, 1), i);
}

void tiles_that_do_not_divide(Out<float, dyn> c, int n) {
  next_line_is_wrong();
  auto tiles = c.tiles(n);
  tiles.store(zeros<float>(1), 0);
}

void tiles_of_a_full_axis_that_do_not_divide(Out<float, dyn, dyn> c, int n) {
  next_line_is_wrong();
  auto tiles = c.tiles(1, n);
  tiles.store(zeros<float>(1, 1), 0, 0);
}

void extent_of_a_whole_axis(Out<float, dyn, dyn> c) {
  next_line_is_wrong();
  auto width = dim<1>(c);
  c.tiles(1, width).store(zeros<float>(1, width), 0, 0);
}

void extent_of_a_dealt_whole_axis(Outs<float, dyn, dyn> cs) {
  next_line_is_wrong();
  auto width = dim<1>(cs);
  for (auto c : places(cs)) c.tiles(1, width).store(zeros<float>(1, width), 0, 0);
}

void index_of_a_whole_axis(Out<int, dyn> c) {
  next_line_is_wrong();
  auto at = index<0>(c);
  c.tiles(1).store(at, 0);
}

void load_like_a_whole_axis(Out<float, dyn, dyn> c, In2<float> a) {
  next_line_is_wrong();
  auto x = a.load_like(c);
  c.tiles(1, 1).store(x, 0, 0);
}

void store_of_a_whole_axis(Out<float, dyn, dyn> c, In2<float> a, int n) {
  next_line_is_wrong();
  c.store(a.tiles(1, n)(0, 0));
}

void load_of_a_whole_axis(InOut<float, dyn> c) {
  next_line_is_wrong();
  auto x = c.load();
  c.tiles(1).store(x, 0);
}

void slice_of_a_cut_axis(Out<float, dyn> c) {
  next_line_is_wrong();
  auto part = slice<0>(c, 1, 8);
  part.store(zeros<float>(dim<0>(c)));
}

void squeeze_of_a_wide_box(Out<float, dyn, dyn> c) {
  next_line_is_wrong();
  auto row = squeeze<0>(c);
  row.store(zeros<float>(dim<1>(c)));
}

void store_of_another_shape(Out<float, dyn, dyn> c, In2<float> a) {
  next_line_is_wrong();
  c.store(a.tiles(2, 2)(0, 0));
}

void store_of_another_shape_into_tiles(Out<float, dyn> c, int n) {
  auto tiles = c.tiles(n);
  next_line_is_wrong();
  tiles.store(zeros<float>(2 * n), 0);
}

void gather_of_too_few(Out<float, dyn> c, In1<float> a, In1<int> ids, int n) {
  auto few = ids.tiles(n)(0);
  next_line_is_wrong();
  c.store(gather<0>(a.tiles(dim<0>(c)), few));
}

void count_beyond_the_rank(Out<float, dyn> c, In1<float> a) {
  Var sum = zeros<float>(dim<0>(c));
  auto tiles = a.tiles(dim<0>(c));
  next_line_is_wrong();
  for (Int i : range(tiles.count(1))) sum = sum + tiles(i);
  c.store(sum);
}

void extent_beyond_the_rank(Out<int, dyn> c, In1<float> a) {
  next_line_is_wrong();
  auto n = a.extent(-1);
  c.store(zeros<int>(dim<0>(c)) + n);
}

void grid_extent_beyond_the_rank(Grid<2> blocks, Atomic<int, dyn> bins) {
  next_line_is_wrong();
  auto n = blocks.extent(2);
  bins.add(zeros<int>(1), n);
}

void padding_that_does_not_fit(Out<std::int8_t, dyn> c, In1<std::int8_t> a) {
  next_line_is_wrong();
  auto tiles = a.tiles(dim<0>(c)).padded(128);
  c.store(tiles(0));
}

void padded_input_that_does_not_fit(Out<std::int8_t, dyn> c, In1<std::int8_t> a) {
  next_line_is_wrong();
  c.store(a.padded(-129).load_like(c));
}

void fractional_index(Out<float, dyn> c, In1<float> a) {
  next_line_is_wrong();
  auto x = a.at(0.5);
  c.store(zeros<float>(dim<0>(c)) + x);
}

void huge_tile_index(Out<float, dyn> c, In1<float> a) {
  auto tiles = a.tiles(dim<0>(c));
  next_line_is_wrong();
  c.store(tiles(5000000000));
}

void huge_selected_index(Out<float, dyn> c, In2<float> a) {
  next_line_is_wrong();
  auto row = select<0>(a, 5000000000);
  c.store(row.load_like(c));
}

void huge_slice(Out<float, dyn> c, In1<float> a) {
  next_line_is_wrong();
  auto part = slice<0>(a, 0, 5000000000);
  c.store(part.load_like(c));
}

void huge_list_index(Out<float, dyn> c, List<In1<float>> a) {
  next_line_is_wrong();
  auto x = a[5000000000];
  c.store(x.load_like(c));
}

void huge_gather_index(Out<float, dyn, dyn> c, In2<float> a, In1<int> ids) {
  auto rows = ids.tiles(dim<0>(c))(0);
  next_line_is_wrong();
  c.store(gather<0>(a.tiles(dim<0>(c), dim<1>(c)), rows, 5000000000));
}

void impossible_latency(Out<float, dyn> c, In1<float> a) {
  next_line_is_wrong();
  c.store(a.load_like(c, {.latency = 11}));
}

void releasing_load(Out<int, dyn> c, Atomic<int, dyn> bins) {
  auto ids = iota(dim<0>(c));
  next_line_is_wrong();
  c.store(bins.load(ids, {.order = memory_order::release}));
}

void acquiring_store(Grid<1> blocks, Atomic<int, dyn> bins) {
  auto [i] = blocks.block();
  next_line_is_wrong();
  bins.store(i, 1, {.order = memory_order::acq_rel});
}

void atomic_value_of_another_shape(Grid<1> blocks, Atomic<float, dyn> sums, In1<float> a, int n) {
  auto [i] = blocks.block();
  auto x = a.tiles(n)(i);
  next_line_is_wrong();
  sums.add(iota(2 * n), x);
}

void atomic_mask_of_another_shape(Grid<1> blocks, Atomic<int, dyn> bins, In1<int> a, int n) {
  auto [i] = blocks.block();
  auto x = a.tiles(n)(i);
  next_line_is_wrong();
  bins.add(iota(2 * n), 1, x > 0);
}

void atomic_tile_of_another_shape(Grid<1> blocks, Atomic<int, dyn> bins, int n) {
  auto [i] = blocks.block();
  auto tiles = bins.tiles(n);
  next_line_is_wrong();
  tiles.add(full(1, 2 * n), i);
}

void atomic_number_that_does_not_fit(Grid<1> blocks, Atomic<int, dyn> bins) {
  auto [i] = blocks.block();
  next_line_is_wrong();
  bins.add(i, 0.5);
}

void tiled_rows(Out<float, dyn, dyn> c) {
  next_line_is_wrong();
  auto tiles = c.tiles(1, 8);
  tiles.store(zeros<float>(1, 8), 0, 0);
}

void sliced_rows(Out<float, dyn, dyn> c) {
  next_line_is_wrong();
  auto part = slice<0>(c, 0, 4);
  part.store(zeros<float>(4, 8));
}

void squeezed_rows(Out<float, dyn, dyn> c) {
  next_line_is_wrong();
  auto row = squeeze<0>(c);
  row.store(zeros<float>(8));
}

void loaded_rows(InOut<float, dyn, dyn> c) {
  next_line_is_wrong();
  auto x = c.load();
  c.store(x);
}

/// A wrong kernel whose output has its rows listed.
template <auto Kernel>
WrongKernel wrong_rows(std::string name, CutsAt cuts, std::vector<std::string> messages) {
  WrongKernel result = wrong<Kernel>(std::move(name), cuts, std::move(messages));
  result.trace = [outputs = cuts.outputs] {
    Specialisation specialisation = specialise<Kernel>(outputs);
    specialisation.parameters[0].rows = RowList::plain;
    return errors_of<Kernel>(specialisation);
  };
  return result;
}

const WrongKernel views[] = {
    wrong<&tiles_of_nothing>("TilesOfNothing", {{cut(8)}},
                             {"a tile cannot have the shape 0: every extent must be positive"}, 0),
    wrong<&padded_tiles_of_nothing>(
        "PaddedTilesOfNothing", {{cut(1), cut(1)}},
        {"a tile cannot have the shape 4x-4: every extent must be positive"}, -4),
    wrong<&shared_tiles_of_nothing>(
        "SharedTilesOfNothing", {},
        {"a tile cannot have the shape 0: every extent must be positive"}, 0),
    wrong<&tiles_that_do_not_divide>(
        "TilesThatDoNotDivide", {{cut(32)}},
        {"tiles of 24 do not divide the box of 32 that a block owns along axis 0"}, 24),
    wrong<&tiles_of_a_full_axis_that_do_not_divide>(
        "TilesOfAFullAxisThatDoNotDivide", {{cut(1), all_of_axis(100)}},
        {"tiles of 64 do not divide the box of 100 that a block owns along axis 1"}, 64),
    wrong<&extent_of_a_whole_axis>("ExtentOfAWholeAxis", {{cut(1), whole_axis}},
                                   {"the block owns axis 1 whole: it has no tile extent there"}),
    wrong<&extent_of_a_dealt_whole_axis>(
        "ExtentOfADealtWholeAxis", {{cut(1), whole_axis}},
        {"the block owns axis 1 whole: it has no tile extent there"}),
    wrong<&index_of_a_whole_axis>("IndexOfAWholeAxis", {{whole_axis}},
                                  {"the block owns axis 0 whole: its elements are no tile"}),
    wrong<&load_like_a_whole_axis>("LoadLikeAWholeAxis", {{cut(1), whole_axis}},
                                   {"load_like: the block owns axis 1 whole: cut it with tiles()"}),
    wrong<&store_of_a_whole_axis>("StoreOfAWholeAxis", {{cut(1), whole_axis}},
                                  {"store: the block owns axis 1 whole: cut it with tiles()"}, 64),
    wrong<&load_of_a_whole_axis>("LoadOfAWholeAxis", {{whole_axis}},
                                 {"load: the block owns axis 0 whole: cut it with tiles()"}),
    wrong<&slice_of_a_cut_axis>("SliceOfACutAxis", {{cut(8)}},
                                {"slice: only an axis that the block owns whole can be narrowed"}),
    wrong<&squeeze_of_a_wide_box>("SqueezeOfAWideBox", {{cut(2), cut(8)}},
                                  {"squeeze: the block owns more than one element along axis 0"}),
    wrong<&store_of_another_shape>(
        "StoreOfAnotherShape", {{cut(4), cut(4)}},
        {"store into argument 1: the tile of float has the shape 2x2, the output 4x4"}),
    wrong<&store_of_another_shape_into_tiles>(
        "StoreOfAnotherShapeIntoTiles", {{whole_axis}},
        {"store into argument 1: the tile of float has the shape 16, the output's tiles 8"}, 8),
    wrong<&gather_of_too_few>("GatherOfTooFew", {{cut(8)}},
                              {"gather: 4 ids for tiles of extent 8 along axis 0"}, 4),
    wrong<&count_beyond_the_rank>("CountBeyondTheRank", {{cut(8)}},
                                  {"count: axis 1 is outside rank 1"}),
    wrong<&extent_beyond_the_rank>("ExtentBeyondTheRank", {{cut(8)}},
                                   {"extent: axis -1 is outside rank 1"}),
    wrong<&grid_extent_beyond_the_rank>("GridExtentBeyondTheRank", {},
                                        {"extent: axis 2 is outside rank 2"}),
    wrong<&padding_that_does_not_fit>("PaddingThatDoesNotFit", {{cut(8)}},
                                      {"128 does not fit into int8_t"}),
    wrong<&padded_input_that_does_not_fit>("PaddedInputThatDoesNotFit", {{cut(8)}},
                                           {"-129 does not fit into int8_t"}),
    wrong<&fractional_index>("FractionalIndex", {{cut(8)}}, {"0.5 is not a value of int32_t"}),
    wrong<&huge_tile_index>("HugeTileIndex", {{cut(8)}}, {"5000000000 does not fit into int32_t"}),
    wrong<&huge_selected_index>("HugeSelectedIndex", {{cut(8)}},
                                {"5000000000 does not fit into int32_t"}),
    wrong<&huge_slice>("HugeSlice", {{cut(8)}}, {"5000000000 does not fit into int32_t"}),
    wrong<&huge_list_index>("HugeListIndex", {{cut(8)}}, {"5000000000 does not fit into int32_t"}),
    wrong<&huge_gather_index>("HugeGatherIndex", {{cut(8), cut(8)}},
                              {"5000000000 does not fit into int32_t"}),
    wrong<&impossible_latency>("ImpossibleLatency", {{cut(8)}},
                               {"the hint latency is 1 to 10, not 11"}),
    wrong<&releasing_load>("ReleasingLoad", {{cut(8)}}, {"an atomic load is relaxed or acquire"}),
    wrong<&acquiring_store>("AcquiringStore", {}, {"an atomic store is relaxed or release"}),
    wrong<&atomic_value_of_another_shape>("AtomicValueOfAnotherShape", {},
                                          {"an atomic access of shape 16 takes no tile of shape 8"},
                                          8),
    wrong<&atomic_mask_of_another_shape>("AtomicMaskOfAnotherShape", {},
                                         {"an atomic access of shape 16 takes no mask of shape 8"},
                                         8),
    wrong<&atomic_tile_of_another_shape>("AtomicTileOfAnotherShape", {},
                                         {"an atomic access of shape 8 takes no tile of shape 16"},
                                         8),
    wrong<&atomic_number_that_does_not_fit>("AtomicNumberThatDoesNotFit", {},
                                            {"0.5 is not a value of int32_t"}),
    wrong_rows<&tiled_rows>(
        "TilesOfListedRows", {{cut(4), cut(8)}},
        {"tiles of an output whose rows are listed: store or load the whole box"}),
    wrong_rows<&sliced_rows>("SliceOfListedRows", {{cut(4), cut(8)}},
                             {"slice: only an axis that the block owns whole can be narrowed"}),
    wrong_rows<&squeezed_rows>("SqueezeOfListedRows", {{cut(1), cut(8)}},
                               {"squeeze: the block owns more than one element along axis 0"}),
    wrong_rows<&loaded_rows>(
        "LoadOfUncertifiedRows", {{cut(4), cut(8)}},
        {"a row list without a certificate may name a row twice: its rows cannot be loaded"}),
};

INSTANTIATE_TEST_SUITE_P(Views, MustThrow, testing::ValuesIn(views),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace tw::tests
