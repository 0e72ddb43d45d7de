// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include <tilewright/kernel.hpp>

namespace tw::kernels {

struct MoePlan {
  int bk = 64;    ///< k in a step
  int top_k = 1;  ///< experts a token goes to
};

/// Each listed row of c is one token's row of a times its expert's matrix. c is cut by the aligned
/// list of rows (token * top_k + choice); `expert` names the expert of each block of rows, `total`
/// how many rows are used.
template <class T, int M = dyn, int N = dyn>
void fused_moe(Out<T, M, N> c, In2<T> a, In3<T> w, In1<int> expert, In1<int> total,
               std::optional<In1<float>> weight, MoePlan plan) {
  auto [m, n] = c.block();
  TW_IF(m * dim<0>(c) < total.at(0)) {
    auto rows = index<0>(c);
    auto left = a.tiles(dim<0>(c), plan.bk).padded(0);
    auto right = select<0>(w, expert.at(m)).tiles(plan.bk, dim<1>(c));
    Var acc = zeros<float>(dim<0>(c), dim<1>(c));
    for (Int k : range(left.count(1)))
      acc = mma(gather<0>(left, floor_div(rows, plan.top_k), k), right(k, n), acc);
    if (weight) acc = acc * unsqueeze<1>(gather<0>(weight->tiles(dim<0>(c)).padded(0), rows));
    c.store(as<T>(acc));
  }
}

struct AlignPlan {
  int chunk = 64;  ///< choices counted by one block
  int experts = 1;
  int block = 64;  ///< rows of one expert are padded to a multiple of this
};

/// How many choices of each chunk went to each expert: counts is cut {1, all}.
inline void moe_count(Out<int, 1, dyn> counts, In1<int> ids, AlignPlan plan) {
  auto id = ids.tiles(plan.chunk).padded(-1)(block<0>(counts));
  counts.store(sum<0>(as<int>(unsqueeze<1>(id) == unsqueeze<0>(iota(plan.experts)))));
}

/// How many came before each chunk, and each expert's total: before is cut {all, 1}, totals {1}.
inline void moe_prefix(Out<int, dyn, 1> before, Out<int, 1> totals, In2<int> counts) {
  auto column = counts.load_like(before);
  before.store(cumsum<0>(column) - column);
  totals.store(squeeze<0>(sum<0>(column)));
}

/// Where each expert's padded rows begin, and how many there are: start is cut {whole}.
inline void moe_layout(Out<int, dyn> start, Out<int, 1> total, Out<int, 1> most, In1<int> totals,
                       AlignPlan plan) {
  auto count = totals.tiles(plan.experts)(0);
  auto ends = cumsum<0>(ceil_div(count, plan.block) * plan.block);
  start.tiles(1).store(zeros<int>(1), 0);
  slice<0>(start, 1, totals.extent(0)).tiles(plan.experts).store(ends, 0);
  total.store(max<0>(ends));
  most.store(max<0>(count));
}

/// Writes every choice to its slot. Slots are distinct; the stores are atomic, so that nothing
/// depends on it.
inline void moe_place(Grid<1> chunks, Atomic<int, dyn> sorted, In1<int> ids, In2<int> before,
                      In1<int> start, AlignPlan plan) {
  auto [c] = chunks.block();
  auto id = ids.tiles(plan.chunk).padded(-1)(c);
  auto hot = as<int>(unsqueeze<1>(id) == unsqueeze<0>(iota(plan.experts)));
  auto slot = before.tiles(1, plan.experts)(c, 0) + unsqueeze<0>(start.tiles(plan.experts)(0)) +
              cumsum<0>(hot) - 1;
  auto at = squeeze<1>(sum<1>(hot * slot));
  sorted.store(at, c * plan.chunk + iota(plan.chunk), id >= 0);
}

/// The same by looking for each slot's choice, with disjoint outputs only: sorted is cut {block},
/// expert {1}.
struct FillPlan {
  int chunk = 64;
  int chunks = 1;
  int experts = 1;
};
inline void moe_fill(Out<int, dyn> sorted, Out<int, 1> expert, In1<int> ids, In2<int> before,
                     In1<int> start, In1<int> total, FillPlan plan) {
  auto first = block<0>(sorted) * dim<0>(sorted);
  auto none = ids.extent(0);
  Var token = full(0, dim<0>(sorted)) + none;
  Var owner = Int(0);
  TW_IF(first < total.at(0)) {
    auto ends = slice<0>(start, 1, plan.experts).tiles(plan.experts)(0);
    auto e = item(sum<0>(as<int>(ends <= first)));
    auto lowest = first - start.at(e);  // ranks of this block's slots among the expert's choices
    auto rank = lowest + iota(dim<0>(sorted));
    auto column = select<1>(before, e);
    Var c = item(sum<0>(as<int>(column.tiles(plan.chunks)(0) <= lowest))) - 1;
    for (auto& l : loop()) {
      l.break_if(c >= plan.chunks);
      l.break_if(column.at(c) >= lowest + dim<0>(sorted));
      auto hit = ids.tiles(plan.chunk).padded(-1)(c) == e;
      auto order = column.at(c) + cumsum<0>(as<int>(hit)) - 1;
      auto match = (unsqueeze<1>(rank) == unsqueeze<0>(order)) & unsqueeze<0>(hit);
      auto found = where(match, unsqueeze<0>(c * plan.chunk + iota(plan.chunk)) - none, 0);
      token = token + squeeze<1>(sum<1>(found));
      c = c + 1;
    }
    owner = e;
  }
  sorted.store(token);
  expert.store(full(0, 1) + owner);
}

/// The expert of each block of rows: expert is cut {1}.
inline void moe_experts(Out<int, 1> expert, In1<int> start, AlignPlan plan) {
  auto ends = slice<0>(start, 1, plan.experts).tiles(plan.experts)(0);
  expert.store(min(sum<0>(as<int>(ends <= block<0>(expert) * plan.block)), plan.experts - 1));
}

}  // namespace tw::kernels
