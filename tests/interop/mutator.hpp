// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tests/ir/op_samples.hpp"
#include "tests/ir/sample_module.hpp"

namespace tw::ir {

/// Changes samples at random. Some stay valid.
class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {}

  /// A sample of one op, with other types and attributes.
  OpSample sample();
  /// A kernel of many ops, with one thing changed: a type, an attribute, an operand, or an op that
  /// is gone.
  Module module();

 private:
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(random_() % count); }
  template <class List>
  auto& any(List& list) {
    return list[below(list.size())];
  }

  std::vector<Type*> types_of(OpSample& sample) {
    std::vector<Type*> types;
    for (auto& group : sample.operands) {
      for (Type& each : group) types.push_back(&each);
    }
    for (Type& each : sample.results) types.push_back(&each);
    return types;
  }

  /// Often every type like the one that changes, so that the op may stay valid.
  void change_types(OpSample& sample) {
    const std::vector<Type*> types = types_of(sample);
    if (types.empty()) return;
    const Type old = *any(types);
    const auto* tile = old.as<TileType>();
    if (tile == nullptr) return change_view(sample, old);
    const bool everywhere = below(4) != 0;
    if (everywhere && below(2) == 0) return change_kind(sample, *tile);
    if (everywhere) return change_shape(sample, tile->shape);
    *any(types) = changed(*tile);
  }

  ElementKind kind() { return static_cast<ElementKind>(below(element_kind_count)); }

  void change_kind(OpSample& sample, const TileType& old) {
    const ElementKind to = kind();
    for (Type* each : types_of(sample)) {
      const auto* tile = each->as<TileType>();
      if (tile == nullptr || tile->kind() != old.kind()) continue;
      *each =
          tile->holds_pointers() ? pointer_tile_type(to, tile->shape) : tile_type(to, tile->shape);
    }
  }

  void change_shape(OpSample& sample, const Shape& old) {
    const Shape to = changed(old);
    for (Type* each : types_of(sample)) {
      const auto* tile = each->as<TileType>();
      if (tile != nullptr && tile->shape == old) *each = Type(TileType{tile->element, to});
    }
  }

  Shape changed(Shape shape) {
    if (shape.empty() || below(4) == 0) {
      shape.insert(below(shape.size() + 1), std::int64_t{1} << below(4));
    } else if (below(4) == 0) {
      shape.erase(below(shape.size()));
    } else {
      shape[below(shape.size())] = std::int64_t{1} << below(6);
    }
    return shape;
  }

  Type changed(const TileType& type) {
    if (below(8) == 0) return token_type();
    if (below(2) == 0) return Type(TileType{type.element, changed(type.shape)});
    return below(4) == 0 ? pointer_tile_type(kind(), type.shape) : tile_type(kind(), type.shape);
  }

  /// Another view, and the tiles that go through it, if they fitted, with it.
  void change_view(OpSample& sample, const Type& old) {
    Type to = old;
    if (const auto* view = old.as<PartitionViewType>()) {
      to = Type(changed_view(*view));
    } else if (const auto* strided = old.as<StridedViewType>()) {
      to = Type(changed_view(*strided));
    } else if (const auto* sparse = old.as<GatherScatterViewType>()) {
      to = Type(changed_view(*sparse));
    } else {
      return;
    }
    const bool fits = below(4) != 0;
    for (Type* each : types_of(sample)) {
      if (*each == old) {
        *each = to;
      } else if (fits && *each == loaded_type(old)) {
        *each = loaded_type(to);
      }
    }
  }

  template <class View>
  View changed_view(View view) {
    switch (below(4)) {
      case 0:
        view.tensor.element = kind();
        break;
      case 1:
        view.tile[below(view.tile.size())] = std::int64_t{1} << below(6);
        break;
      case 2:
        view.padding = below(2) == 0 ? std::nullopt : std::optional(static_cast<Padding>(below(5)));
        break;
      default:
        any(view.tensor.shape) = static_cast<std::int64_t>(below(3)) * 32 + 1;
    }
    return view;
  }

  void change_attribute(OpSample& sample) {
    const auto rows = row(sample.code).attributes;
    if (rows.empty()) return;
    const AttributeRow& attribute = rows[below(rows.size())];
    const auto held = std::ranges::find(sample.attributes, attribute.name,
                                        &std::pair<AttributeName, Attribute>::first);
    if (held != sample.attributes.end() && attribute.optional && below(4) == 0) {
      sample.attributes.erase(held);
      return;
    }
    const Attribute value =
        any_value(attribute, held == sample.attributes.end() ? Attribute() : held->second);
    if (value.empty()) return;
    if (held != sample.attributes.end()) {
      held->second = value;
    } else {
      sample.attributes.emplace_back(attribute.name, value);
    }
  }

  /// Of the attribute's kind; nothing for kinds that say no more than that they are there.
  Attribute any_value(const AttributeRow& attribute, const Attribute& old) {
    const std::size_t names = value_names(attribute.kind).size();
    if (names != 0) return static_cast<std::int64_t>(below(names));
    switch (attribute.kind) {
      case AttributeKind::unit:
      case AttributeKind::boolean:
        return static_cast<std::int64_t>(below(2));
      case AttributeKind::integer:
        return static_cast<std::int64_t>(below(5));
      case AttributeKind::predicate:
        return any_predicate();
      case AttributeKind::string:
        return any(formats_);
      case AttributeKind::int32_array:
      case AttributeKind::bool_array: {
        const auto* list = old.as<IntArray>();
        IntArray numbers = list != nullptr ? *list : IntArray();
        if (numbers.empty() || below(3) == 0) {
          numbers.push_back(static_cast<std::int64_t>(below(2)));
        } else {
          any(numbers) = static_cast<std::int64_t>(below(2));
        }
        return numbers;
      }
      default:
        return {};
    }
  }

  AssumePredicate any_predicate() {
    const auto number = [&] { return static_cast<std::int64_t>(below(12)) - 2; };
    switch (below(4)) {
      case 0:
        return DivBy{std::uint64_t{1} << below(8)};
      case 1:
        return DivBy{below(9), number(), number()};
      case 2:
        return SameElements{{number()}};
      default:
        return Bounded{number(), number()};
    }
  }

  Attribute changed_attribute(const Op& op, std::size_t index) {
    const AttributeRow& attribute = op.row().attributes[index];
    if (attribute.optional && below(4) == 0) return {};
    const Attribute value = any_value(attribute, op.attributes[index]);
    return value.empty() ? op.attributes[index] : value;
  }

  /// Of one value, or of all that have this type.
  void change_type(Function& function) {
    const std::size_t chosen = below(function.types.size());
    const Type old = function.types[chosen];
    const auto* tile = old.as<TileType>();
    if (tile == nullptr) return;
    const Type to = changed(*tile);
    function.types[chosen] = to;
    if (below(3) != 0) std::ranges::replace(function.types, old, to);
  }

  std::mt19937_64 random_;
  const std::vector<std::string> formats_{"", "%d", "%d %f", "%", "%%", "100%d%", "g", "h"};
};

inline OpSample Mutator::sample() {
  OpSample sample = any(samples::all());
  while (sample.code >= Opcode::check) sample = any(samples::all());
  for (std::size_t left = 1 + below(2); left != 0; --left) {
    if (below(3) == 0) {
      change_attribute(sample);
    } else {
      change_types(sample);
    }
  }
  return sample;
}

inline Module Mutator::module() {
  Module module = SampleModule::build();
  Function& function = module.functions.front();
  std::vector<Block*> blocks{&function.body};
  walk(function.body, [&](Op& op) {
    for (Block& each : op.regions) blocks.push_back(&each);
  });
  std::erase_if(blocks, [](Block* each) { return each->ops.empty(); });
  std::vector<Op>& ops = any(blocks)->ops;
  const std::size_t chosen = below(ops.size());
  Op& op = ops[chosen];
  switch (below(4)) {
    case 0:
      change_type(function);
      break;
    case 1:
      if (op.attributes.empty()) break;
      {
        const std::size_t index = below(op.attributes.size());
        op.attributes[index] = changed_attribute(op, index);
      }
      break;
    case 2:
      if (op.operands.empty()) break;
      any(op.operands).index = static_cast<std::uint32_t>(below(function.types.size()));
      break;
    default:
      ops.erase(ops.begin() + static_cast<std::ptrdiff_t>(chosen));
  }
  return module;
}

}  // namespace tw::ir
