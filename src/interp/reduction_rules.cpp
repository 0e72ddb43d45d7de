// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "interp/known_reductions.hpp"
#include "interp/preparation.hpp"
#include "interp/rules.hpp"
#include "interp/storage.hpp"
#include "interp/strided_copy.hpp"

namespace tw::inline v0::interp {
namespace {

using ir::AttributeName;

/// A combiner's ops run on this many lanes at once, or on all there are.
constexpr std::size_t strip_lanes = 256;

/// Moves the elements at one position of the axis between a tile and a strip of lanes. Lanes go
/// through the inner axes first; all numbers of them are powers of two.
class Strips {
 public:
  Strips(const CombinedAxis& axis, std::size_t lanes, std::size_t element_bytes)
      : Strips(axis, lanes, element_bytes, static_cast<std::int64_t>(std::min(axis.inner, lanes))) {
  }

  void gather(std::byte* lanes, const std::byte* tile, std::size_t strip, std::size_t k) const {
    gather_.run(lanes, tile + start(strip, k));
  }
  void scatter(std::byte* tile, const std::byte* lanes, std::size_t strip, std::size_t k) const {
    scatter_.run(tile + start(strip, k), lanes);
  }
  [[nodiscard]] std::size_t strip_bytes() const { return lanes_ * element_bytes_; }

 private:
  /// A strip is made of runs that are neighbours in the tile: one, or one from each of several
  /// rows.
  Strips(const CombinedAxis& axis, std::size_t lanes, std::size_t element_bytes, std::int64_t run)
      : gather_(element_bytes, {static_cast<std::int64_t>(lanes) / run, run}, {run, 1},
                {static_cast<std::int64_t>(axis.length * axis.inner), 1}),
        scatter_(element_bytes, {static_cast<std::int64_t>(lanes) / run, run},
                 {static_cast<std::int64_t>(axis.length * axis.inner), 1}, {run, 1}),
        lanes_(lanes),
        element_bytes_(element_bytes),
        length_(axis.length),
        inner_(axis.inner) {}

  /// In bytes from the beginning of the tile.
  [[nodiscard]] std::size_t start(std::size_t strip, std::size_t k) const {
    const std::size_t lane = strip * lanes_;
    return ((lane / inner_ * length_ + k) * inner_ + lane % inner_) * element_bytes_;
  }

  StridedCopy gather_;
  StridedCopy scatter_;
  std::size_t lanes_;
  std::size_t element_bytes_;
  std::size_t length_;
  std::size_t inner_;
};

/// One pair of operand and result with its lanes.
struct Combined {
  Slot source;
  Slot result;
  Slot element;
  Slot sum;
  std::size_t element_bytes;
  std::uint64_t identity;
  Strips strips;
};

/// Whether the body's ops may run on many lanes at once.
bool is_lane_wise(const Preparation& preparation, const ir::Block& body) {
  return std::ranges::all_of(body.ops, [&](const ir::Op& op) {
    const Sharing sharing = rule(op.code).sharing;
    const bool single = std::ranges::all_of(
        op.operands, [&](ir::Value value) { return preparation.count(value) == 1; });
    return single && (sharing == Sharing::elementwise || sharing == Sharing::alias ||
                      op.code == ir::Opcode::constant || op.code == ir::Opcode::ftof ||
                      op.code == ir::Opcode::itof || op.code == ir::Opcode::ftoi ||
                      op.code == ir::Opcode::yield);
  });
}

struct Combination {
  CombinedAxis axis;
  std::size_t lanes;
  std::vector<Combined> operands;
  Preparation::Combiner combiner;
};

Combination prepare_combination(Preparation& preparation, const ir::Op& op) {
  const ir::Block& body = op.regions[0];
  const CombinedAxis axis(preparation.tile(op.operands[0]).shape,
                          static_cast<std::size_t>(op.integer(AttributeName::dim)));
  const std::size_t lanes =
      is_lane_wise(preparation, body) ? std::min(strip_lanes, axis.lanes()) : 1;
  Combination result{axis, lanes, {}, {}};
  std::vector<Slot> sums;
  for (std::size_t k = 0; k < op.operands.size(); ++k) {
    const std::size_t size = preparation.element_bytes(op.operands[k]);
    const Slot element = preparation.scratch(size * lanes);
    const Slot sum = preparation.scratch(size * lanes);
    preparation.place(body.arguments[2 * k], element);
    preparation.place(body.arguments[2 * k + 1], sum);
    sums.push_back(sum);
    result.operands.push_back({preparation.slot(op.operands[k]), preparation.slot(op.results[k]),
                               element, sum, size, identity_bits(op, k),
                               Strips(axis, lanes, size)});
  }
  std::swap(preparation.exits().yielded, sums);
  result.combiner = preparation.combiner(body, lanes);
  std::swap(preparation.exits().yielded, sums);
  return result;
}

/// Runs the combiner along the axis for all lanes; `emit(operand, strip, k)` after each position.
template <class Emit>
void combine(const Combination& combination, Frame& frame, bool reverse, const Emit& emit) {
  run(combination.combiner.captured, frame);
  const std::size_t length = combination.axis.length;
  for (std::size_t strip = 0; strip < combination.axis.lanes() / combination.lanes; ++strip) {
    for (const Combined& operand : combination.operands) {
      fill(frame.at<std::byte>(operand.sum), operand.identity, operand.element_bytes,
           combination.lanes);
    }
    for (std::size_t step = 0; step < length; ++step) {
      const std::size_t k = reverse ? length - 1 - step : step;
      for (const Combined& operand : combination.operands) {
        operand.strips.gather(frame.at<std::byte>(operand.element),
                              frame.at<const std::byte>(operand.source), strip, k);
      }
      run(combination.combiner.combine, frame);
      for (const Combined& operand : combination.operands) emit(operand, strip, step, k);
    }
  }
}

void reduce_axis(Preparation& preparation, const ir::Op& op) {
  if (const AddReduction add = known_reduction(op.regions[0])) {
    return add(preparation, op,
               CombinedAxis(preparation.tile(op.operands[0]).shape,
                            static_cast<std::size_t>(op.integer(AttributeName::dim))));
  }
  preparation.add([combination = prepare_combination(preparation, op)](Frame& frame) {
    const std::size_t last = combination.axis.length - 1;
    combine(combination, frame, false,
            [&](const Combined& operand, std::size_t strip, std::size_t step, std::size_t) {
              if (step != last) return;
              const std::size_t bytes = operand.strips.strip_bytes();
              std::memcpy(frame.at<std::byte>(operand.result) + strip * bytes,
                          frame.at<const std::byte>(operand.sum), bytes);
            });
  });
}

void scan_axis(Preparation& preparation, const ir::Op& op) {
  const bool reverse = op.integer(AttributeName::reverse) != 0;
  preparation.add([reverse, combination = prepare_combination(preparation, op)](Frame& frame) {
    combine(combination, frame, reverse,
            [&](const Combined& operand, std::size_t strip, std::size_t, std::size_t k) {
              operand.strips.scatter(frame.at<std::byte>(operand.result),
                                     frame.at<const std::byte>(operand.sum), strip, k);
            });
  });
}

using enum ir::Opcode;

constexpr std::array rules{
    OpRule{reduce, reduce_axis},
    OpRule{scan, scan_axis},
};

}  // namespace

std::span<const OpRule> reduction_rules() { return rules; }

}  // namespace tw::inline v0::interp
