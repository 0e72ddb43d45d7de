// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <tilewright/ir/op.hpp>

#include "ir/attribute_parser.hpp"
#include "ir/location_parser.hpp"
#include "ir/text_cursor.hpp"
#include "ir/type_parser.hpp"
#include "ir/value_scope.hpp"

namespace tw::inline v0::ir {

/// What the text of an op tells, before the op exists.
struct OpText {
  const OpRow* row = nullptr;
  std::size_t named_results = 0;           ///< in front of the op's name
  std::vector<std::vector<Value>> groups;  ///< of operands
  std::vector<std::pair<AttributeName, Attribute>> attributes;
  std::vector<Type> results;
  /// Of a loop's block; their types follow from what they start as.
  std::vector<Token> arguments;

  [[nodiscard]] std::span<const Value> group(std::string_view name) const;
};

/// Of an op.
inline constexpr std::size_t most_operands = std::numeric_limits<std::uint16_t>::max();

/// Fails if values, whose definitions gave them their types, have not these, which the text
/// repeats.
void check_types(TextCursor& cursor, const Function& function, std::span<const Value> values,
                 std::size_t offset, std::span<const Type> types);

/// What tiles hold; i64 for what is no tile.
std::vector<ElementKind> element_kinds(const Function& function, std::span<const Value> values);

/// Reads what follows an op's name, by its form.
class FormParser {
 public:
  FormParser(TextCursor& cursor, TypeParser& types, LocationParser& locations, ValueScope& scope,
             Module& module, const Function& function)
      : cursor_(cursor),
        types_(types),
        locations_(locations),
        scope_(scope),
        module_(module),
        function_(function) {}

  /// Completes what is known of an op: its row and the number of names for its results.
  void read(OpText& op);

 private:
  void read_form(OpText& op, std::string_view form);
  void expect_literal(std::string_view literal);
  [[nodiscard]] bool at_literal(std::string_view literal) const;
  bool is_present(const OpText& op, std::string_view form);
  [[nodiscard]] bool at_placeholder(const OpText& op, std::string_view name) const;
  bool at_mask();
  void placeholder(OpText& op, std::string_view name);
  void tell_results(OpText& op, std::vector<Type> types);
  void types_of(OpText& op, std::string_view name, bool common);
  static std::vector<Value> typed_operands(const OpText& op, std::size_t count);
  void units(OpText& op);
  void operands(OpText& op, std::size_t group);
  void attribute(OpText& op, const AttributeRow& row);
  Attribute value(const OpText& op, const AttributeRow& row);
  Attribute modifier(const AttributeRow& row, std::string_view keyword);
  std::int64_t enumerator(const AttributeRow& row);
  std::int64_t site();
  std::int32_t position();
  void place_or_text(Site& site);
  void extents(OpText& op, std::string_view name);
  void check_extents(const OpText& op, const TensorViewType& type);
  void iterations(OpText& op);
  std::vector<Type> repeated(const OpText& op, const Type& type);
  void finish(OpText& op);

  TextCursor& cursor_;
  TypeParser& types_;
  LocationParser& locations_;
  ValueScope& scope_;
  Module& module_;
  const Function& function_;
  bool has_result_types_ = false;  ///< the text tells them
  std::optional<ConstantText> constant_;
  std::vector<Shape> extents_;  ///< those that a make_tensor_view tells: of its shape and strides
};

}  // namespace tw::inline v0::ir
