// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include <tilewright/backend/tileiras/compile.hpp>

namespace tw::inline v0::backend::tileiras {

/// What lint looks at: an assembly, the op behind each of its values, and what was found so far.
class LintSubject {
 public:
  explicit LintSubject(const Assembly& assembly);

  [[nodiscard]] const ir::Function& entry() const { return assembly_.module.functions.front(); }
  [[nodiscard]] std::int32_t sm() const { return assembly_.target.sm; }
  [[nodiscard]] const ir::Type& type(ir::Value value) const { return entry().type(value); }
  /// The op that gives a value; null for an argument.
  [[nodiscard]] const ir::Op* definition(ir::Value value) const {
    return definitions_[value.index];
  }
  /// What a value was before it was converted or laid out anew.
  [[nodiscard]] ir::Value origin(ir::Value value) const;
  /// The largest power of two that the value of an argument is promised to be a multiple of.
  [[nodiscard]] std::uint64_t divisor(ir::Value value) const;

  /// Notes a message at the line of an op; the same one twice is one.
  void warn(const ir::Op& op, std::string message);
  [[nodiscard]] std::vector<Diagnostic> take() { return std::move(found_); }

 private:
  const Assembly& assembly_;
  std::vector<const ir::Op*> definitions_;
  std::vector<Diagnostic> found_;
  std::set<std::pair<ir::SourcePlace, std::string>> known_;
};

/// Whether the op multiplies matrices.
bool is_product(const ir::Op& op);

/// Tiles that no multiprocessor holds.
void lint_tiles(LintSubject& subject);
/// Products that the tensor cores do not take, or not with their fastest instruction.
void lint_products(LintSubject& subject);
/// Factors of products and stores that the TMA unit does not move.
void lint_transfers(LintSubject& subject);

}  // namespace tw::inline v0::backend::tileiras
