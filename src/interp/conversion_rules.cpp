// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstring>

#include "interp/conversion_step.hpp"
#include "interp/elementwise.hpp"
#include "interp/integers.hpp"
#include "interp/packing.hpp"
#include "interp/rules.hpp"

namespace tw::inline v0::interp {
namespace {

using ir::AttributeName;
using ir::Signedness;

bool reads_sign(const ir::Op& op) {
  return op.as<Signedness>(AttributeName::signedness) == Signedness::signed_;
}

template <class From, class To, bool Signed>
struct Resize {
  TILEWRIGHT_INLINE static typename To::Storage apply(typename From::Storage value) {
    if constexpr (Signed) {
      return To::wrap(static_cast<typename To::Work>(From::to_signed(value)));
    } else {
      return To::wrap(static_cast<typename To::Work>(value));
    }
  }
};

template <bool Signed>
void resize(Preparation& preparation, const ir::Op& op) {
  with_any_integer(preparation.tile(op.operands[0]).kind(), [&]<class From>() {
    with_any_integer(preparation.tile(op.result()).kind(), [&]<class To>() {
      add_elementwise<Resize<From, To, Signed>, typename To::Storage, typename From::Storage>(
          preparation, op);
    });
  });
}

void extend(Preparation& preparation, const ir::Op& op) {
  if (reads_sign(op)) {
    resize<true>(preparation, op);
  } else {
    resize<false>(preparation, op);
  }
}

/// A float operand or result with its type.
TypedSlot floats(const Preparation& preparation, ir::Value value) {
  return {preparation.slot(value), *dtype_of_kind(preparation.tile(value).kind())};
}

void float_to_float(Preparation& preparation, const ir::Op& op) {
  add_conversion(preparation, floats(preparation, op.operands[0]), floats(preparation, op.result()),
                 preparation.count(op.result()), op.as<Rounding>(AttributeName::rounding));
}

void integer_to_float(Preparation& preparation, const ir::Op& op) {
  const std::size_t count = preparation.count(op.result());
  ElementKind from_kind = preparation.tile(op.operands[0]).kind();
  Slot from = preparation.slot(op.operands[0]);
  if (from_kind == ElementKind::i1 && reads_sign(op)) {
    const Slot widened = preparation.scratch(count);
    const auto loop = best_version<Elementwise<Resize<I1, I8, true>, I8::Storage, I1::Storage>>();
    preparation.add([=](Frame& frame) {
      loop(count, frame.at<std::uint8_t>(widened), frame.at<const std::uint8_t>(from));
    });
    from_kind = ElementKind::i8;
    from = widened;
  }
  add_conversion(preparation, {from, *dtype_of_kind(from_kind, reads_sign(op))},
                 floats(preparation, op.result()), count, op.as<Rounding>(AttributeName::rounding));
}

/// The integer part, at most the range of the type; zero for NaN.
template <class I, bool Signed>
struct Truncate {
  TILEWRIGHT_INLINE static typename I::Storage apply(double value) {
    constexpr unsigned magnitude_bits = I::width - Signed;
    constexpr double beyond =
        static_cast<double>(std::uint64_t{1} << (magnitude_bits / 2)) *
        static_cast<double>(std::uint64_t{1} << (magnitude_bits - magnitude_bits / 2));
    constexpr std::uint64_t largest =
        magnitude_bits == 0 ? 0 : ~std::uint64_t{0} >> (64 - magnitude_bits);
    if (value >= beyond) return static_cast<typename I::Storage>(largest);
    if constexpr (Signed) {
      if (value < -beyond) return I::wrap(static_cast<typename I::Work>(~largest));
      if (!(value >= -beyond)) return 0;
      return I::wrap(static_cast<typename I::Work>(static_cast<std::int64_t>(value)));
    } else {
      if (!(value >= 0)) return 0;
      return static_cast<typename I::Storage>(static_cast<std::uint64_t>(value));
    }
  }
};

/// Every float is a double exactly.
void float_to_integer(Preparation& preparation, const ir::Op& op) {
  const std::size_t count = preparation.count(op.result());
  const TypedSlot from = floats(preparation, op.operands[0]);
  Slot doubles = from.slot;
  if (from.type != DType::f64) {
    doubles = preparation.scratch(count * sizeof(double));
    add_conversion(preparation, from, {doubles, DType::f64}, count);
  }
  const Slot to = preparation.slot(op.result());
  with_integer(preparation.tile(op.result()).kind(), [&]<class I>() {
    using S = typename I::Storage;
    const auto loop = reads_sign(op) ? best_version<Elementwise<Truncate<I, true>, S, double>>()
                                     : best_version<Elementwise<Truncate<I, false>, S, double>>();
    preparation.add(
        [=](Frame& frame) { loop(count, frame.at<S>(to), frame.at<const double>(doubles)); });
  });
}

void pack_bits(std::byte* to, const std::byte* from, std::size_t count) {
  for (std::size_t k = 0; k < count; k += 8) {
    unsigned byte = 0;
    for (std::size_t bit = 0; bit < std::min<std::size_t>(8, count - k); ++bit) {
      byte |= std::to_integer<unsigned>(from[k + bit]) << bit;
    }
    to[k / 8] = static_cast<std::byte>(byte);
  }
}

void unpack_bits(std::byte* to, const std::byte* from, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k) to[k] = from[k / 8] >> (k % 8) & std::byte{1};
}

using Repack = void (*)(std::byte* to, const std::byte* from, std::size_t count);

/// `unpacked` is the operand or result whose elements are not bytes; wider ones lie as in memory.
void add_repacking(Preparation& preparation, const ir::Op& op, ir::Value unpacked, Repack bits,
                   Repack nibbles) {
  const Slot from = preparation.slot(op.operands[0]);
  const Slot to = preparation.slot(op.result());
  const unsigned width = info(preparation.tile(unpacked).kind()).memory_bits;
  const bool is_bits = preparation.tile(unpacked).kind() == ElementKind::i1;
  if (!is_bits && width != 4) {
    const Slot into[] = {to};
    return preparation.move(op.operands, into);
  }
  const Repack repack = is_bits ? bits : nibbles;
  const std::size_t count = preparation.count(unpacked);
  preparation.add([=](Frame& frame) {
    repack(frame.at<std::byte>(to), frame.at<const std::byte>(from), count);
  });
}

void pack_elements(Preparation& preparation, const ir::Op& op) {
  add_repacking(preparation, op, op.operands[0], pack_bits, pack_nibbles);
}

void unpack_elements(Preparation& preparation, const ir::Op& op) {
  add_repacking(preparation, op, op.result(), unpack_bits, unpack_nibbles);
}

using enum ir::Opcode;

constexpr std::array rules{
    OpRule{exti, extend, Sharing::elementwise},
    OpRule{ftof, float_to_float},
    OpRule{ftoi, float_to_integer},
    OpRule{itof, integer_to_float},
    OpRule{pack, pack_elements},
    OpRule{trunci, resize<false>, Sharing::elementwise},
    OpRule{unpack, unpack_elements},
};

}  // namespace

std::span<const OpRule> conversion_rules() { return rules; }

}  // namespace tw::inline v0::interp
