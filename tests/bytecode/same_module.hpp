// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <span>

#include <gtest/gtest.h>

#include <tilewright/ir/op.hpp>

namespace tw::bytecode {

/// Compares two functions op by op; values correspond by where they are defined.
class FunctionComparison {
 public:
  FunctionComparison(const ir::Module& left_module, const ir::Function& left,
                     const ir::Module& right_module, const ir::Function& right)
      : left_module_(left_module), left_(left), right_module_(right_module), right_(right) {}

  void run() {
    EXPECT_EQ(left_.name, right_.name);
    EXPECT_EQ(left_.hints, right_.hints);
    EXPECT_EQ(left_.entry, right_.entry);
    EXPECT_EQ(left_.visibility, right_.visibility);
    same_place(left_.location, right_.location);
    same_block(left_.body, right_.body);
  }

 private:
  void same_block(const ir::Block& left, const ir::Block& right) {
    match(left.arguments, right.arguments);
    ASSERT_EQ(left.ops.size(), right.ops.size());
    for (std::size_t i = 0; i < left.ops.size(); ++i) {
      SCOPED_TRACE(left.ops[i].row().name);
      same_op(left.ops[i], right.ops[i]);
      if (testing::Test::HasFailure()) return;
    }
  }

  void same_op(const ir::Op& left, const ir::Op& right) {
    ASSERT_EQ(left.code, right.code);
    EXPECT_EQ(left.attributes, right.attributes);
    EXPECT_EQ(left.group_sizes, right.group_sizes);
    ASSERT_EQ(left.operands.size(), right.operands.size());
    for (std::size_t i = 0; i < left.operands.size(); ++i) {
      EXPECT_EQ(partner_.at(left.operands[i].index), right.operands[i].index);
    }
    same_place(left.location, right.location);
    ASSERT_EQ(left.regions.size(), right.regions.size());
    for (std::size_t i = 0; i < left.regions.size(); ++i) {
      same_block(left.regions[i], right.regions[i]);
    }
    match(left.results, right.results);
  }

  void match(std::span<const ir::Value> left, std::span<const ir::Value> right) {
    ASSERT_EQ(left.size(), right.size());
    for (std::size_t i = 0; i < left.size(); ++i) {
      EXPECT_EQ(left_.type(left[i]), right_.type(right[i]));
      partner_[left[i].index] = right[i].index;
    }
  }

  /// The scope may have been made up by the writer.
  void same_place(ir::LocationId left, ir::LocationId right) {
    const ir::SourcePlace& a = left_module_.locations[left];
    const ir::SourcePlace& b = right_module_.locations[right];
    EXPECT_EQ(a.file, b.file);
    EXPECT_EQ(a.line, b.line);
    EXPECT_EQ(a.column, b.column);
    if (a.scope != ir::ScopeId::none) same_scope(a.scope, b.scope);
    EXPECT_EQ(a.caller == ir::LocationId::unknown, b.caller == ir::LocationId::unknown);
    if (a.caller != ir::LocationId::unknown) same_place(a.caller, b.caller);
  }

  void same_scope(ir::ScopeId left, ir::ScopeId right) {
    ir::SourceScope a = left_module_.locations[left];
    ir::SourceScope b = right_module_.locations[right];
    EXPECT_EQ(a.parent == ir::ScopeId::none, b.parent == ir::ScopeId::none);
    if (a.parent != ir::ScopeId::none) same_scope(a.parent, b.parent);
    a.parent = b.parent = ir::ScopeId::none;
    EXPECT_EQ(a, b);
  }

  const ir::Module& left_module_;
  const ir::Function& left_;
  const ir::Module& right_module_;
  const ir::Function& right_;
  std::map<std::uint32_t, std::uint32_t> partner_;  ///< values of the right by those of the left
};

/// Expects all that bytecode holds of a module to be equal, except the scopes of places without.
inline void expect_same(const ir::Module& left, const ir::Module& right) {
  EXPECT_EQ(left.producer, right.producer);
  ASSERT_EQ(left.globals.size(), right.globals.size());
  for (std::size_t i = 0; i < left.globals.size(); ++i) {
    const ir::Global& a = left.globals[i];
    const ir::Global& b = right.globals[i];
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.type, b.type);
    EXPECT_EQ(a.value, b.value);
    EXPECT_EQ(a.alignment, b.alignment);
    EXPECT_EQ(a.constant, b.constant);
    EXPECT_EQ(a.visibility, b.visibility);
  }
  ASSERT_EQ(left.functions.size(), right.functions.size());
  for (std::size_t i = 0; i < left.functions.size(); ++i) {
    SCOPED_TRACE(left.functions[i].name);
    FunctionComparison(left, left.functions[i], right, right.functions[i]).run();
  }
}

}  // namespace tw::bytecode
