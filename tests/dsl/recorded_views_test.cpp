// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "recorded.hpp"

/// How views, boxes, padding and masks are lowered.
namespace tw::tests {
namespace {

using ir::dynamic;
using ir::Opcode;
using testing::ElementsAre;

void one_tile(Out<float, dyn, dyn> c, In2<float> a, int rows, int columns) {
  auto x = a.tiles(rows, columns)(0, 0);
  c.store(zeros<float>(dim<0>(c), dim<1>(c)) + item(sum<0>(sum<1>(x))));
}

TEST(RecordedTiles, PowersOfTwoArePartitions) {
  const Recorded kernel = record<&one_tile>({{cut(1), cut(1)}}, 4, 8);
  const ir::Op& load = kernel.only(Opcode::load_view_tko);
  const auto& view = *kernel.type(load.operands[0]).as<ir::PartitionViewType>();
  EXPECT_EQ(view.tile, (Shape{4, 8}));
  EXPECT_EQ(view.padding, ir::Padding::zero);
  EXPECT_EQ(view.tensor.shape, (Shape{dynamic, dynamic}));
  EXPECT_EQ(view.tensor.strides, (Shape{dynamic, 1}));
}

TEST(RecordedTiles, OtherExtentsOverlap) {
  const Recorded kernel = record<&one_tile>({{cut(1), cut(1)}}, 3, 8);
  const ir::Op& load = kernel.only(Opcode::load_view_tko);
  const auto& view = *kernel.type(load.operands[0]).as<ir::StridedViewType>();
  EXPECT_EQ(view.tile, (Shape{4, 8}));
  EXPECT_THAT(view.traversal_strides, ElementsAre(3, 8));
}

void doubled(InOut<float, dyn> c) { c.store(c.load() * 2.f); }
void streamed_double(InOut<float, dyn> c, int width) {
  auto tiles = c.tiles(width);
  for (Int i : range(tiles.count(0))) tiles.store(tiles(i) * 2.f, i);
}

TEST(RecordedTiles, LanesOfTheBlockNextDoorAreNotLoaded) {
  const Recorded kernel = record<&doubled>({{cut(3)}});
  EXPECT_EQ(kernel.count(Opcode::load_view_tko), 0u);
  EXPECT_EQ(kernel.only(Opcode::load_ptr_tko).operands.size(), 3u) << "pointers, mask, fallback";
}

TEST(RecordedTiles, OwnTilesWithoutNeighboursAreLoadedWhole) {
  for (const Cuts& cuts : {Cuts{cut(4)}, Cuts{all_of_axis(3)}}) {
    EXPECT_EQ(record<&doubled>({cuts}).count(Opcode::load_view_tko), 1u);
  }
  EXPECT_EQ(record<&streamed_double>({{whole_axis}}, 3).count(Opcode::load_view_tko), 1u);
}

void padded_tile(Out<float, dyn> c, In1<float> a, float padding) {
  c.store(a.tiles(dim<0>(c)).padded(padding)(0));
}

TEST(RecordedPadding, IsTheViewsOwnWhereThereIsOne) {
  const std::vector<std::pair<float, ir::Padding>> forms{{0.f, ir::Padding::zero},
                                                         {-0.f, ir::Padding::neg_zero},
                                                         {INFINITY, ir::Padding::pos_inf},
                                                         {-INFINITY, ir::Padding::neg_inf},
                                                         {NAN, ir::Padding::nan}};
  for (const auto& [number, padding] : forms) {
    const Recorded kernel = record<&padded_tile>({{cut(8)}}, number);
    const ir::Op& load = kernel.only(Opcode::load_view_tko);
    EXPECT_EQ(kernel.type(load.operands[0]).as<ir::PartitionViewType>()->padding, padding);
    EXPECT_EQ(kernel.count(Opcode::select), 0u) << number;
  }
}

TEST(RecordedPadding, AnyOtherNumberIsSelected) {
  const Recorded kernel = record<&padded_tile>({{cut(8)}}, 1.5f);
  EXPECT_EQ(kernel.count(Opcode::select), 1u);
}

void selected(Out<float, dyn> c, In3<float> a, Int i, Int j) {
  c.store(select<0, 1>(a, i, j).tiles(dim<0>(c))(0));
}

TEST(RecordedViews, SelectFixesAxesOfTheWholeTensor) {
  const Recorded kernel = record<&selected>({{cut(8)}});
  const ir::Op& load = kernel.only(Opcode::load_view_tko);
  EXPECT_EQ(kernel.type(load.operands[0]).as<ir::PartitionViewType>()->tile, (Shape{1, 1, 8}));
  EXPECT_EQ(load.group(1).size(), 3u);
  // Both indices and the tile's own are checked.
  EXPECT_EQ(kernel.count(Opcode::check), 3u);
}

void sliced(Out<float, dyn> c, In1<float> a, Int start) {
  c.store(slice<0>(a, start, 100).tiles(dim<0>(c))(1));
}

TEST(RecordedViews, SliceMovesTheBase) {
  const Recorded kernel = record<&sliced>({{cut(8)}});
  EXPECT_EQ(kernel.count(Opcode::offset), 1u);
  const ir::Op& view = *kernel.ops(Opcode::make_tensor_view).front();
  EXPECT_EQ(kernel.maker(view.operands[0])->code, Opcode::offset);
  EXPECT_EQ(kernel.count(Opcode::check), 3u);
}

void full_axis(Out<float, dyn, dyn> c) { c.store(zeros<float>(dim<0>(c), dim<1>(c))); }

TEST(RecordedBoxes, AFullAxisIsAConstant) {
  const Recorded kernel = record<&full_axis>({{cut(4), all_of_axis(16)}});
  const ir::Op& store = kernel.only(Opcode::store_view_tko);
  const auto& view = *kernel.type(store.group(1)[0]).as<ir::PartitionViewType>();
  EXPECT_EQ(view.tensor.shape, (Shape{dynamic, 16}));
  EXPECT_EQ(kernel.count(Opcode::check), 0u);
}

TEST(RecordedBoxes, AnOddBoxIsStoredUnderAMask) {
  const Recorded odd = record<&full_axis>({{cut(3), cut(8)}});
  EXPECT_EQ(odd.count(Opcode::store_view_tko), 0u);
  const ir::Op& store = odd.only(Opcode::store_ptr_tko);
  EXPECT_TRUE(store.optional(2));
  // A padded axis that ends with the tensor needs no mask: nothing lies beyond.
  const Recorded ends = record<&full_axis>({{cut(4), all_of_axis(24)}});
  EXPECT_EQ(ends.count(Opcode::store_view_tko), 1u);
}

void rows(Out<float, dyn, dyn> c) { c.store(zeros<float>(dim<0>(c), dim<1>(c))); }

TEST(RecordedRowLists, StoresAreRelaxedUnlessCertified) {
  for (const auto& [list, order] : {std::pair{RowList::plain, ir::MemoryOrdering::relaxed},
                                    {RowList::certified, ir::MemoryOrdering::weak}}) {
    Specialisation specialisation = specialise<&rows>({{cut(4), cut(8)}});
    specialisation.parameters[0].rows = list;
    const Recorded kernel(trace<&rows>(specialisation));
    const ir::Op& store = kernel.only(Opcode::store_ptr_tko);
    EXPECT_EQ(store.as<ir::MemoryOrdering>(ir::AttributeName::memory_ordering), order);
    EXPECT_TRUE(store.optional(2));
  }
}

void reductions(Out<float, 1> c, In1<float> a, int n) { c.store(sum<0>(a.tiles(n)(0))); }
void scans(Out<float, dyn> c, In1<float> a) { c.store(cumsum<0>(a.load_like(c))); }
void products(Out<float, dyn, dyn> c, In2<float> a, int k) {
  c.store(dot(a.tiles(dim<0>(c), k)(0, 0), a.tiles(k, dim<1>(c))(0, 0)));
}

TEST(RecordedMasks, OnlyWhatPadsAnAxisIsMasked) {
  EXPECT_EQ(record<&reductions>({{cut(1)}}, 8).count(Opcode::select), 0u);
  EXPECT_EQ(record<&reductions>({{cut(1)}}, 5).count(Opcode::select), 1u);
  EXPECT_EQ(record<&scans>({{cut(16)}}).count(Opcode::select), 0u);
  EXPECT_EQ(record<&scans>({{all_of_axis(20)}}).count(Opcode::select), 1u);
  EXPECT_EQ(record<&products>({{cut(4), cut(4)}}, 16).count(Opcode::select), 0u);
  EXPECT_EQ(record<&products>({{cut(4), cut(4)}}, 20).count(Opcode::select), 2u);
}

void gathered(Out<float, dyn, dyn> c, In2<float> a, In1<int> ids) {
  auto tiles = a.tiles(dim<0>(c), dim<1>(c));
  c.store(gather<0>(tiles, ids.tiles(dim<0>(c))(0), 0));
}

TEST(RecordedGathers, ReadMaskedPointers) {
  const Recorded kernel = record<&gathered>({{cut(8), cut(16)}});
  const ir::Op& load = kernel.only(Opcode::load_ptr_tko);
  EXPECT_EQ(kernel.type(load.result()).tile().shape, (Shape{8, 16}));
  EXPECT_TRUE(load.optional(1));
  EXPECT_EQ(kernel.count(Opcode::make_gather_scatter_view), 0u);
}

void hinted(Out<float, dyn> c, In1<float> a) {
  c.store(a.load_like(c, {.latency = 4, .allow_tma = false}), {.latency = 2});
}

TEST(RecordedHints, StayWithTheirAccess) {
  const Recorded kernel = record<&hinted>({{cut(8)}});
  const auto& hints =
      kernel.only(Opcode::load_view_tko).get<ir::Hints>(ir::AttributeName::optimization_hints);
  EXPECT_EQ(hints.at("default").at("latency"), ir::HintValue(std::int64_t{4}));
  EXPECT_EQ(hints.at("default").at("allow_tma"), ir::HintValue(false));
}

}  // namespace
}  // namespace tw::tests
