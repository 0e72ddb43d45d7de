// SPDX-License-Identifier: Apache-2.0
#include "evaluator.hpp"

#include <optional>
#include <stdexcept>
#include <string>

namespace tw::test {
namespace {

using ir::AttributeName;
using ir::ComparisonPredicate;
using ir::Op;
using ir::Opcode;
using ir::RoundingMode;
using ir::Value;

/// Sign-extended from its width; one bit is 0 or 1.
std::int64_t wrapped(std::uint64_t bits, int width) {
  if (width == 1) return static_cast<std::int64_t>(bits & 1);
  return static_cast<std::int64_t>(bits << (64 - width)) >> (64 - width);
}

class Machine {
 public:
  Machine(const ir::Kernel& kernel, std::array<std::int64_t, 3> block,
          std::array<std::int64_t, 3> blocks)
      : function_(kernel.entry()),
        values_(function_.types.size()),
        block_(block),
        blocks_(blocks) {}

  void set(Value value, std::int64_t number) { values_[value.index] = number; }

  /// The terminator that was reached.
  const Op* run(const ir::Block& block) {
    for (const Op& op : block.ops) {
      if (op.row().effect == ir::Effect::terminator) return &op;
      if (op.code == Opcode::if_) {
        if (const Op* left = branch(op)) return left;
      } else if (op.code == Opcode::for_) {
        loop(op);
      } else {
        execute(op);
      }
    }
    return nullptr;
  }

  Observation observed;

 private:
  [[nodiscard]] std::int64_t get(Value value) const { return values_[value.index]; }
  [[nodiscard]] int width(Value value) const {
    return info(function_.type(value).tile().kind()).bits;
  }

  const Op* branch(const Op& op) {
    const ir::Block& taken = op.regions[get(op.operands[0]) != 0 ? 0 : 1];
    const Op* end = run(taken);
    if (!end) return nullptr;
    if (end->code != Opcode::yield) return end;
    for (std::size_t i = 0; i < op.results.size(); ++i) set(op.results[i], get(end->operands[i]));
    return nullptr;
  }

  void loop(const Op& op) {
    const ir::Block& body = op.regions[0];
    std::vector<std::int64_t> carried;
    for (const Value initial : op.group(3)) carried.push_back(get(initial));
    const std::int64_t high = get(op.operands[1]);
    const std::int64_t step = get(op.operands[2]);
    for (std::int64_t i = get(op.operands[0]); i < high; i += step) {
      set(body.arguments[0], i);
      for (std::size_t k = 0; k < carried.size(); ++k) set(body.arguments[k + 1], carried[k]);
      const Op* end = run(body);
      for (std::size_t k = 0; k < carried.size(); ++k) carried[k] = get(end->operands[k]);
    }
    for (std::size_t k = 0; k < carried.size(); ++k) set(op.results[k], carried[k]);
  }

  void execute(const Op& op) {
    switch (op.code) {
      case Opcode::constant: {
        const auto& value = op.get<ir::Constant>(AttributeName::value);
        const auto kind = function_.type(op.result()).tile().kind();
        return set(op.result(), wrapped(ir::element_bits(value, kind, 0), width(op.result())));
      }
      case Opcode::get_tile_block_id:
        for (std::size_t i = 0; i < 3; ++i) set(op.results[i], block_[i]);
        return;
      case Opcode::get_num_tile_blocks:
        for (std::size_t i = 0; i < 3; ++i) set(op.results[i], blocks_[i]);
        return;
      case Opcode::join_tokens:
      case Opcode::make_token:
        return;
      case Opcode::store_ptr_tko:
        observed.stored.push_back(get(op.operands[1]));
        return;
      case Opcode::check:
        observed.checks.push_back({op.integer(AttributeName::site), get(op.operands[0]) != 0});
        return;
      default:
        set(op.result(), arithmetic(op));
    }
  }

  [[nodiscard]] std::int64_t arithmetic(const Op& op) const {
    const int bits = width(op.operands[0]);
    const bool is_signed =
        !op.find(AttributeName::signedness) ||
        op.as<ir::Signedness>(AttributeName::signedness) == ir::Signedness::signed_;
    const std::int64_t a = get(op.operands[0]);
    const std::int64_t b = op.operands.size() > 1 ? get(op.operands[1]) : 0;
    const std::uint64_t mask = ~std::uint64_t{0} >> (64 - bits);
    const std::uint64_t ua = static_cast<std::uint64_t>(a) & mask;
    const std::uint64_t ub = static_cast<std::uint64_t>(b) & mask;
    const auto amount = static_cast<int>(ub % static_cast<unsigned>(bits));
    const auto fit = [&](std::uint64_t value) { return wrapped(value, width(op.result())); };
    const bool less = is_signed ? a < b : ua < ub;
    switch (op.code) {
      case Opcode::addi:
        return fit(ua + ub);
      case Opcode::subi:
        return fit(ua - ub);
      case Opcode::muli:
        return fit(ua * ub);
      case Opcode::andi:
        return fit(ua & ub);
      case Opcode::ori:
        return fit(ua | ub);
      case Opcode::xori:
        return fit(ua ^ ub);
      case Opcode::negi:
        return fit(0 - ua);
      case Opcode::absi:
        return fit(a < 0 ? 0 - ua : ua);
      case Opcode::mini:
        return less ? a : b;
      case Opcode::maxi:
        return less ? b : a;
      case Opcode::shli:
        return fit(ua << amount);
      case Opcode::shri:
        return is_signed ? a >> amount : fit(ua >> amount);
      case Opcode::exti:
        return is_signed ? a : fit(ua);
      case Opcode::trunci:
        return fit(ua);
      case Opcode::select:
        return a != 0 ? b : get(op.operands[2]);
      case Opcode::divi:
        return quotient(op, a, b, ua, ub, is_signed);
      case Opcode::remi:
        if (b == 0) return a;
        return is_signed ? (b == -1 ? 0 : a % b) : fit(ua % ub);
      case Opcode::cmpi: {
        const std::array answers{a == b, a != b, less, less || a == b, !less && a != b, !less};
        return answers[static_cast<std::size_t>(op.integer(AttributeName::comparison_predicate))];
      }
      default:
        throw std::logic_error("not evaluated: " + std::string(op.row().name));
    }
  }

  [[nodiscard]] std::int64_t quotient(const Op& op, std::int64_t a, std::int64_t b,
                                      std::uint64_t ua, std::uint64_t ub, bool is_signed) const {
    const int bits = width(op.result());
    const auto mode = op.as<RoundingMode>(AttributeName::rounding);
    if (b == 0) return 0;
    if (!is_signed) {
      return wrapped(ua / ub + (mode == RoundingMode::positive_inf && ua % ub != 0), bits);
    }
    if (b == -1) return wrapped(0 - ua, bits);
    const bool negative = (a < 0) != (b < 0);
    std::int64_t result = a / b;
    if (a % b != 0 && mode == RoundingMode::negative_inf && negative) --result;
    if (a % b != 0 && mode == RoundingMode::positive_inf && !negative) ++result;
    return result;
  }

  const ir::Function& function_;
  std::vector<std::int64_t> values_;
  std::array<std::int64_t, 3> block_;
  std::array<std::int64_t, 3> blocks_;
};

}  // namespace

Observation evaluate(const ir::Kernel& kernel, const std::vector<std::int64_t>& arguments,
                     const std::array<std::int64_t, 3>& block,
                     const std::array<std::int64_t, 3>& blocks) {
  Machine machine(kernel, block, blocks);
  const auto& parameters = kernel.entry().body.arguments;
  for (std::size_t i = 0; i < parameters.size(); ++i) machine.set(parameters[i], arguments[i]);
  machine.run(kernel.entry().body);
  return machine.observed;
}

}  // namespace tw::test
