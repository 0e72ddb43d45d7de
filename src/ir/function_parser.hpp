// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/form_parser.hpp"
#include "ir/generic_parser.hpp"

namespace tw::inline v0::ir {

/// A name without the dialect's in front.
std::string_view without_dialect(std::string_view name);
/// Whether a global or a function begins here.
bool at_item(const TextCursor& cursor);

/// Reads one function.
class FunctionParser {
 public:
  FunctionParser(TextCursor& cursor, TypeParser& types, LocationParser& locations, Module& module)
      : cursor_(cursor),
        types_(types),
        locations_(locations),
        scope_(cursor),
        forms_(cursor, types, locations, scope_, module, function_),
        generic_(cursor, types, scope_, function_) {}

  /// Behind `entry`. The results of a function of the official tests are not held.
  Function take(bool is_entry);
  /// Behind `"cuda_tile.entry"`.
  Function take_generic(bool is_entry);
  /// What the values of the function that was read are called.
  std::vector<std::string> take_names() { return std::move(names_); }

 private:
  /// The name of one result, or of several: `%0:2`.
  struct ResultName {
    Token name;
    std::size_t count = 1;
  };
  using ResultNames = std::vector<ResultName>;

  void declared_arguments(Block& block);
  void result_types();
  void discardable_attributes();
  void argument(Block& block, const Token& name, const Type& type);

  void block(Block& block, std::optional<Opcode> implied);
  void generic_block(Block& block);
  void open_block();
  void ops(Block& block);
  [[nodiscard]] bool at_end_of_function() const;
  void end(Block& block, std::optional<Opcode> implied);
  void recovering_op(Block& block);
  void skip_op(std::size_t begin);

  ResultNames result_names();
  void define_unknown(const ResultName& name);
  void define(const Op& op, const ResultNames& names);
  void name(Value value, std::string name);
  void check_result_count(const OpText& text, std::size_t offset);

  void op(Block& block, const ResultNames& names);
  void custom_op(OpText& text, std::vector<Block>& regions, std::size_t offset);
  void generic_op(OpText& text, std::vector<Block>& regions, std::size_t offset);
  void loop_arguments(const OpText& text, Block& block);
  void generic_attribute(std::string_view name, std::optional<FunctionType>& type);

  TextCursor& cursor_;
  TypeParser& types_;
  LocationParser& locations_;
  Function function_;
  ValueScope scope_;
  FormParser forms_;
  GenericParser generic_;
  std::size_t depth_ = 0;           ///< of blocks
  std::vector<std::string> names_;  ///< by value
};

}  // namespace tw::inline v0::ir
