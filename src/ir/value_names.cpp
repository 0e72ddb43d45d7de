// SPDX-License-Identifier: Apache-2.0
#include "ir/value_names.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <unordered_set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tilewright/core/float_conversion.hpp>

#include "ir/attribute_text.hpp"

namespace tw::inline v0::ir {
namespace {

struct ResultNames {
  Opcode code;
  std::array<std::string_view, 3> names;
};

constexpr ResultNames result_names[] = {
    {Opcode::atomic_cas_tko, {"result", "result_token"}},
    {Opcode::atomic_rmw_tko, {"result", "result_token"}},
    {Opcode::broadcast, {"bcast"}},
    {Opcode::for_, {"for"}},
    {Opcode::get_num_tile_blocks, {"gridSize_x", "gridSize_y", "gridSize_z"}},
    {Opcode::get_tile_block_id, {"blockId_x", "blockId_y", "blockId_z"}},
    {Opcode::load_ptr_tko, {"result", "result_token"}},
    {Opcode::load_view_tko, {"tile", "result_token"}},
    {Opcode::make_gather_scatter_view, {"gsview"}},
    {Opcode::make_partition_view, {"pview"}},
    {Opcode::make_strided_view, {"sview"}},
    {Opcode::make_tensor_view, {"tview"}},
    {Opcode::reduce, {"reduce"}},
    {Opcode::reshape, {"reshape"}},
};

/// `0` in `cst_0_i32`: the value of a constant that has only one, if it is a natural number or any
/// integer.
std::string value_suffix(ElementKind kind, std::uint64_t bits) {
  if (!info(kind).is_float()) return "_" + element_text(kind, bits);
  const double value = numeric::decode(bits, kind);
  if (std::isnan(value)) return "_NaN";
  const bool natural = !std::signbit(value) && value < 0x1p64 && value == std::trunc(value);
  return natural ? fmt::format("_{}", static_cast<std::uint64_t>(value)) : "";
}

std::string constant_name(const Op& op, const TileType& type) {
  const auto& constant = op.get<Constant>(AttributeName::value);
  const ElementKind kind = type.kind();
  const auto count = static_cast<std::size_t>(product(type.shape));
  const bool one_value = is_splat(constant, kind, count);
  if (kind == ElementKind::i1) {
    if (!one_value) return "cst_i1";
    return element_bits(constant, kind, 0) != 0 ? "true" : "false";
  }
  const std::string value =
      one_value ? value_suffix(kind, element_bits(constant, kind, 0)) : std::string();
  return fmt::format("cst{}_{}", value, info(kind).name);
}

/// Names values scope by scope.
class Namer {
 public:
  Namer(const Function& function, std::span<const std::string> given,
        std::vector<std::string>& uses)
      : function_(function),
        given_(given),
        uses_(uses),
        definitions_(function.types.size()),
        used_(given.begin(), given.end()) {}

  /// The counters go on in nested blocks, but not from one sibling to the next.
  struct Counters {
    unsigned number = 0;
    unsigned argument = 0;
    unsigned conflict = 0;
  };

  void name_block(const Op* parent, const Block& block, Counters counters) {
    std::vector<std::string> added;
    std::swap(added, scope_);
    for (std::size_t i = 0; i < block.arguments.size(); ++i) {
      if (keep_name(block.arguments[i])) continue;
      std::string name = argument_name(parent, i, block.arguments.size());
      if (name.empty()) name = fmt::format("arg{}", counters.argument++);
      set(block.arguments[i], unique(name, counters));
    }
    for (const Op& op : block.ops) name_results(op, counters);
    for (const Op& op : block.ops) {
      for (const Block& region : op.regions) name_block(&op, region, counters);
    }
    std::swap(added, scope_);
    for (const std::string& name : added) used_.erase(name);
  }

 private:
  static std::string argument_name(const Op* parent, std::size_t index, std::size_t count) {
    if (parent != nullptr && parent->code == Opcode::for_) {
      return index == 0 ? "loopIdx" : fmt::format("iterArg{}", index - 1);
    }
    if (parent != nullptr && parent->code == Opcode::reduce) {
      const std::string_view side = index % 2 == 0 ? "reduce_lhs" : "reduce_rhs";
      return count > 2 ? fmt::format("{}{}", side, index / 2) : std::string(side);
    }
    return {};
  }

  /// The name that result `index` of an op asks for; empty for a number, nothing if ops of its kind
  /// never ask.
  std::optional<std::string> hint(const Op& op, std::size_t index) const {
    if (op.code == Opcode::constant) return constant_name(op, function_.type(op.result()).tile());
    if (op.code == Opcode::assume) return assume_name(op);
    const auto row = std::ranges::find(result_names, op.code, &ResultNames::code);
    if (row == std::end(result_names)) return std::nullopt;
    return std::string(index < row->names.size() ? row->names[index] : std::string_view());
  }

  std::string assume_name(const Op& op) const {
    const Value value = op.operands.front();
    const Op* producer = definitions_[value.index];
    if (producer == nullptr) return "assume";
    const auto index = std::ranges::find(producer->results, value) - producer->results.begin();
    const auto name = hint(*producer, static_cast<std::size_t>(index));
    return name ? "assume_" + *name : "assume";
  }

  void name_results(const Op& op, Counters& counters) {
    std::string group;
    for (std::size_t i = 0; i < op.results.size(); ++i) {
      definitions_[op.results[i].index] = &op;
      if (keep_name(op.results[i])) continue;
      const std::string wanted = hint(op, i).value_or("");
      if (!wanted.empty()) {
        set(op.results[i], group = unique(wanted, counters));
      } else if (i == 0) {
        set(op.results[i], group = next_number(counters));
      } else {
        set(op.results[i], fmt::format("{}#{}", group, i));
      }
    }
    const bool grouped = op.results.size() > 1 && uses_[op.results[1].index].ends_with("#1");
    if (grouped) uses_[op.results[0].index] += "#0";
  }

  bool keep_name(Value value) {
    const bool has_name = value.index < given_.size() && !given_[value.index].empty();
    if (has_name) set(value, given_[value.index]);
    return has_name;
  }

  std::string next_number(Counters& counters) const {
    std::string number;
    do number = std::to_string(counters.number++);
    while (used_.contains(number));
    return number;
  }

  std::string unique(const std::string& wanted, Counters& counters) {
    std::string name = wanted;
    while (!used_.insert(name).second) name = fmt::format("{}_{}", wanted, counters.conflict++);
    scope_.push_back(name);
    return name;
  }

  void set(Value value, const std::string& name) { uses_[value.index] = "%" + name; }

  const Function& function_;
  std::span<const std::string> given_;
  std::vector<std::string>& uses_;
  std::vector<const Op*> definitions_;
  std::unordered_set<std::string> used_;
  std::vector<std::string> scope_;  ///< names that leave `used_` with the block
};

}  // namespace

ValueNames::ValueNames(const Function& function, std::span<const std::string> given)
    : uses_(function.types.size()) {
  Namer(function, given, uses_).name_block(nullptr, function.body, {});
  for (std::size_t i = 0; i < uses_.size(); ++i) {
    if (uses_[i].empty()) uses_[i] = fmt::format("%?{}", i);
  }
}

const std::string& ValueNames::use(Value value) const {
  static const std::string none = "%?";
  return value.index < uses_.size() ? uses_[value.index] : none;
}

std::string ValueNames::definition(const Op& op) const {
  const std::string& first = use(op.results.front());
  if (first.ends_with("#0")) {
    return fmt::format("{}:{}", first.substr(0, first.size() - 2), op.results.size());
  }
  std::vector<std::string_view> names;
  for (const Value each : op.results) names.push_back(use(each));
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace tw::inline v0::ir
