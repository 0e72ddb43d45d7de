// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <bit>

#include "interp/floats.hpp"
#include "interp/integers.hpp"
#include "interp/preparation.hpp"
#include "interp/rules.hpp"
#include "interp/storage.hpp"
#include "interp/window.hpp"

// Every atomic acquires and releases, whatever weaker order it asks for, and is seen by the whole
// system.

namespace tw::inline v0::interp {
namespace {

using ir::AtomicMode;
using ir::AttributeName;

// An update replaces the element at `address` and gives the old one.

template <class Bits>
struct AndUpdate {
  using Storage = Bits;
  static Bits apply(Bits* address, Bits value) {
    return __atomic_fetch_and(address, value, __ATOMIC_ACQ_REL);
  }
};

template <class Bits>
struct OrUpdate {
  using Storage = Bits;
  static Bits apply(Bits* address, Bits value) {
    return __atomic_fetch_or(address, value, __ATOMIC_ACQ_REL);
  }
};

template <class Bits>
struct XorUpdate {
  using Storage = Bits;
  static Bits apply(Bits* address, Bits value) {
    return __atomic_fetch_xor(address, value, __ATOMIC_ACQ_REL);
  }
};

template <class Bits>
struct AddUpdate {
  using Storage = Bits;
  static Bits apply(Bits* address, Bits value) {
    return __atomic_fetch_add(address, value, __ATOMIC_ACQ_REL);
  }
};

template <class Bits>
struct Exchange {
  using Storage = Bits;
  static Bits apply(Bits* address, Bits value) {
    return __atomic_exchange_n(address, value, __ATOMIC_ACQ_REL);
  }
};

template <class Bits>
bool compare_exchange(Bits* address, Bits& expected, Bits desired) {
  return __atomic_compare_exchange_n(address, &expected, desired, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_ACQUIRE);
}

/// An update without an instruction of its own: `Combine::apply(old, value)` is tried until nobody
/// came between.
template <class Bits, class Combine>
struct CombineUpdate {
  using Storage = Bits;
  static Bits apply(Bits* address, Bits value) {
    Bits old = __atomic_load_n(address, __ATOMIC_RELAXED);
    while (!compare_exchange(address, old, Combine::apply(old, value))) {
    }
    return old;
  }
};

template <class Number>
struct Greater {
  template <class Bits>
  static Bits apply(Bits old, Bits value) {
    return std::bit_cast<Bits>(std::max(std::bit_cast<Number>(old), std::bit_cast<Number>(value)));
  }
};

template <class Number>
struct Lesser {
  template <class Bits>
  static Bits apply(Bits old, Bits value) {
    return std::bit_cast<Bits>(std::min(std::bit_cast<Number>(old), std::bit_cast<Number>(value)));
  }
};

template <class F>
struct FloatSum {
  template <class Bits>
  static Bits apply(Bits old, Bits value) {
    using S = typename F::Storage;
    return std::bit_cast<Bits>(
        F::narrow(F::widen(std::bit_cast<S>(old)) + F::widen(std::bit_cast<S>(value))));
  }
};

template <class Bits, class Use>
void with_bits_update(AtomicMode mode, Use&& use) {
  using Signed = std::make_signed_t<Bits>;
  switch (mode) {
    case AtomicMode::and_:
      return use.template operator()<AndUpdate<Bits>>();
    case AtomicMode::or_:
      return use.template operator()<OrUpdate<Bits>>();
    case AtomicMode::xor_:
      return use.template operator()<XorUpdate<Bits>>();
    case AtomicMode::add:
      return use.template operator()<AddUpdate<Bits>>();
    case AtomicMode::max:
      return use.template operator()<CombineUpdate<Bits, Greater<Signed>>>();
    case AtomicMode::min:
      return use.template operator()<CombineUpdate<Bits, Lesser<Signed>>>();
    case AtomicMode::umax:
      return use.template operator()<CombineUpdate<Bits, Greater<Bits>>>();
    case AtomicMode::umin:
      return use.template operator()<CombineUpdate<Bits, Lesser<Bits>>>();
    case AtomicMode::xchg:
      return use.template operator()<Exchange<Bits>>();
    case AtomicMode::addf:
      break;
  }
}

/// Calls `use.operator()<Update>()` for elements of a kind.
template <class Use>
void with_update(ElementKind kind, AtomicMode mode, Use&& use) {
  if (mode == AtomicMode::addf) {
    return with_float(kind, [&]<class F>() {
      with_bits(sizeof(typename F::Storage), [&]<class Bits>() {
        if constexpr (sizeof(Bits) == sizeof(typename F::Storage)) {
          use.template operator()<CombineUpdate<Bits, FloatSum<F>>>();
        }
      });
    });
  }
  with_bits(info(kind).storage_bytes(), [&]<class Bits>() { with_bits_update<Bits>(mode, use); });
}

/// Lanes whose mask is false touch no memory and give zero.
void update_pointers(Preparation& preparation, const ir::Op& op) {
  const std::size_t count = preparation.count(op.operands[1]);
  const Slot pointers = preparation.slot(op.operands[0]);
  const Slot values = preparation.slot(op.operands[1]);
  const bool masked = static_cast<bool>(op.optional(2));
  const Slot mask = masked ? preparation.slot(op.optional(2)) : Slot{};
  const Slot to = preparation.slot(op.result());
  with_update(preparation.tile(op.operands[1]).kind(), op.as<AtomicMode>(AttributeName::mode),
              [&]<class Update>() {
                using Bits = typename Update::Storage;
                preparation.add([=](Frame& frame) {
                  auto* const* address = frame.at<Bits* const>(pointers);
                  const auto* value = frame.at<const Bits>(values);
                  const auto* taken = frame.at<const bool>(mask);
                  auto* old = frame.at<Bits>(to);
                  for (std::size_t k = 0; k < count; ++k) {
                    old[k] = !masked || taken[k] ? Update::apply(address[k], value[k]) : Bits{0};
                  }
                });
              });
}

/// Compares bit for bit. Lanes whose mask is false give the value compared with.
void compare_and_swap(Preparation& preparation, const ir::Op& op) {
  const std::size_t count = preparation.count(op.operands[1]);
  const Slot pointers = preparation.slot(op.operands[0]);
  const Slot expected = preparation.slot(op.operands[1]);
  const Slot desired = preparation.slot(op.operands[2]);
  const bool masked = static_cast<bool>(op.optional(3));
  const Slot mask = masked ? preparation.slot(op.optional(3)) : Slot{};
  const Slot to = preparation.slot(op.result());
  with_bits(preparation.element_bytes(op.operands[1]), [&]<class Bits>() {
    preparation.add([=](Frame& frame) {
      auto* const* address = frame.at<Bits* const>(pointers);
      const auto* taken = frame.at<const bool>(mask);
      auto* old = frame.at<Bits>(to);
      for (std::size_t k = 0; k < count; ++k) {
        old[k] = frame.at<const Bits>(expected)[k];
        if (!masked || taken[k]) {
          compare_exchange(address[k], old[k], frame.at<const Bits>(desired)[k]);
        }
      }
    });
  });
}

void update_view(Preparation& preparation, const ir::Op& op) {
  const ir::Value view = op.operands[0];
  const ir::Value value = op.group(2)[0];
  const Slot from = preparation.slot(value);
  with_update(preparation.tile(value).kind(), op.as<AtomicMode>(AttributeName::mode),
              [&]<class Update>() {
                using Bits = typename Update::Storage;
                preparation.add([=, window = Window(preparation, view, op.group(1))](Frame& frame) {
                  const auto* tile = frame.at<const Bits>(from);
                  window.visit(
                      frame,
                      [&](std::uint64_t base, const Window::Row& row) {
                        auto* element = reinterpret_cast<Bits*>(base) + row.first;
                        for (std::int64_t k = 0; k < row.count; ++k) {
                          Update::apply(element + k * row.stride, tile[row.tile + k]);
                        }
                      },
                      [](std::int64_t, std::int64_t) {});
                });
              });
}

using enum ir::Opcode;

constexpr std::array rules{
    OpRule{atomic_cas_tko, compare_and_swap},
    OpRule{atomic_red_view_tko, update_view},
    OpRule{atomic_rmw_tko, update_pointers},
};

}  // namespace

std::span<const OpRule> atomic_rules() { return rules; }

}  // namespace tw::inline v0::interp
