// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <rapidcheck.h>

#include "traced_kernel.hpp"

namespace tw::test {

/// Makes scalar integer kernels of arithmetic, branches, counted loops, stores and checks. The
/// parameters are an address, two extents and two scalars.
class RandomKernel {
 public:
  static constexpr std::size_t parameters = 5;

  ir::Kernel make() {
    pointer_ = kernel_.base(ElementKind::i32);
    for (int i = 0; i < 2; ++i) numbers_.push_back(kernel_.extent());
    for (int i = 0; i < 2; ++i) numbers_.push_back(kernel_.scalar());
    for (const ir::Value id : kernel_.build().block_ids()) numbers_.push_back(id);
    numbers_.push_back(kernel_.constant(0));
    truths_.push_back(kernel_.build().constant(ElementKind::i1, 1));
    statements(2);
    kernel_.keep(number(), pointer_);
    return kernel_.finish();
  }

  /// Arguments for the parameters of a kernel made here.
  static std::vector<std::int64_t> arguments() {
    const auto extent = [] {
      return *rc::gen::oneOf(rc::gen::inRange<std::int64_t>(0, 9),
                             rc::gen::inRange<std::int64_t>(0, 3000));
    };
    const auto scalar = [] {
      return *rc::gen::oneOf(rc::gen::inRange<std::int64_t>(-5, 9),
                             rc::gen::inRange<std::int64_t>(-2147483648, 2147483648));
    };
    return {0, extent(), extent(), scalar(), scalar()};
  }

 private:
  using Values = std::vector<ir::Value>;

  static int below(int bound) { return *rc::gen::inRange(0, bound); }
  static ir::Value any(const Values& values) {
    return values[static_cast<std::size_t>(below(static_cast<int>(values.size())))];
  }

  ir::Value number() {
    if (below(3) == 0) {
      return kernel_.constant(*rc::gen::oneOf(rc::gen::inRange<std::int64_t>(-3, 10),
                                              rc::gen::element<std::int64_t>(64, 2147483647)));
    }
    // The latest values, so that programs become deep.
    const auto recent = static_cast<int>(std::min<std::size_t>(numbers_.size(), 6));
    return below(2) == 0 ? any(numbers_)
                         : numbers_[numbers_.size() - 1 - static_cast<std::size_t>(below(recent))];
  }
  ir::Value truth() {
    if (below(2) == 0) return any(truths_);
    const auto predicate = static_cast<ir::ComparisonPredicate>(below(6));
    const auto sign = static_cast<ir::Signedness>(below(2));
    const ir::Value a = number();
    const ir::Value b = number();
    truths_.push_back(kernel_.build().compare_int(predicate, a, b, sign));
    return truths_.back();
  }

  void statements(int depth) {
    const int count = 1 + below(8);
    for (int i = 0; i < count; ++i) statement(depth);
  }

  void statement(int depth) {
    switch (below(depth > 0 ? 12 : 8)) {
      case 0:
        return kernel_.keep(number(), pointer_);
      case 1:
      case 2:
        return check();
      case 8:
      case 9:
        return branch(depth);
      case 10:
      case 11:
        return loop(depth);
      default:
        numbers_.push_back(arithmetic());
    }
  }

  /// Of any index or one that was made to fit, against an extent, its number of tiles, or anything.
  void check() {
    ir::Value index = number();
    if (below(2) == 0) index = kernel_.build().block_ids()[static_cast<std::size_t>(below(2))];
    ir::Value bound = number();
    if (below(3) > 0) bound = numbers_[static_cast<std::size_t>(below(2))];
    if (below(3) == 0) bound = kernel_.ceil_div(bound, kernel_.constant(1 + below(40)));
    if (below(3) == 0) {
      const ir::Value last = kernel_.binary(ir::Opcode::subi, bound, kernel_.constant(1));
      index = kernel_.binary(ir::Opcode::maxi, index, kernel_.constant(0));
      index = kernel_.binary(ir::Opcode::mini, index, last);
    }
    truths_.push_back(kernel_.check(index, bound));
  }

  ir::Value arithmetic() {
    using enum ir::Opcode;
    constexpr std::array codes{addi, subi, muli, divi, remi, mini,
                               maxi, andi, ori,  xori, shli, shri};
    if (below(8) == 0) {
      const ir::Value condition = truth();
      const ir::Value a = number();
      return kernel_.build().select(condition, a, number());
    }
    if (below(6) == 0) {
      const ir::Value a = number();
      return kernel_.ceil_div(a, number());
    }
    const auto code = codes[static_cast<std::size_t>(below(static_cast<int>(codes.size())))];
    const ir::Value a = number();
    return kernel_.binary(code, a, number());
  }

  /// What is defined inside is forgotten outside.
  template <class Body>
  void scope(Body&& body) {
    const Values numbers = numbers_;
    const Values truths = truths_;
    body();
    numbers_ = numbers;
    truths_ = truths;
  }

  void branch(int depth) {
    const bool with_result = below(2) == 0;
    const ir::Value condition = truth();
    const auto side = [&] {
      Values yielded;
      scope([&] {
        statements(depth - 1);
        if (with_result) yielded = {number()};
      });
      return yielded;
    };
    const Values results = with_result || below(2) == 0 ? kernel_.branch(condition, side, side)
                                                        : kernel_.branch(condition, side);
    numbers_.insert(numbers_.end(), results.begin(), results.end());
  }

  void loop(int depth) {
    const ir::Value low = below(2) == 0 ? kernel_.constant(0) : kernel_.constant(below(4));
    // At most a few iterations.
    const ir::Value limit = kernel_.constant(below(7));
    const ir::Value high =
        below(3) == 0 ? limit : kernel_.binary(ir::Opcode::mini, number(), limit);
    const ir::Value step = kernel_.constant(1 + below(3));
    Values initial;
    for (int i = below(3); i > 0; --i) initial.push_back(number());
    const Values results =
        kernel_.carrying(low, high, step, initial, [&](ir::Value index, const Values& carried) {
          Values next;
          scope([&] {
            numbers_.push_back(index);
            numbers_.insert(numbers_.end(), carried.begin(), carried.end());
            statements(depth - 1);
            for (const ir::Value each : carried) next.push_back(below(4) == 0 ? each : number());
          });
          return next;
        });
    numbers_.insert(numbers_.end(), results.begin(), results.end());
  }

  TracedKernel kernel_;
  ir::Value pointer_;
  Values numbers_;
  Values truths_;
};

}  // namespace tw::test
