// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <gmock/gmock.h>

#include <tilewright/ir/op.hpp>
#include <tilewright/ir/verifier.hpp>

#include "tests/support/ops.hpp"
#include "tests/support/trace.hpp"

namespace tw::tests {

/// A kernel as it was recorded, with looks into it.
class Recorded {
 public:
  explicit Recorded(ir::Kernel kernel) : kernel_(std::move(kernel)) {
    for (const Diagnostic& broken : ir::verify(kernel_.module)) ADD_FAILURE() << to_string(broken);
  }

  [[nodiscard]] const ir::Module& module() const { return kernel_.module; }
  /// The ops of one kind, in the order of the text.
  [[nodiscard]] std::vector<const ir::Op*> ops(ir::Opcode code) const {
    return ops_of(kernel_, code);
  }
  [[nodiscard]] std::size_t count(ir::Opcode code) const { return ops(code).size(); }
  /// The only op of one kind.
  [[nodiscard]] const ir::Op& only(ir::Opcode code) const {
    EXPECT_EQ(count(code), 1u);
    return *ops(code).front();
  }
  [[nodiscard]] const ir::Type& type(ir::Value value) const { return kernel_.entry().type(value); }
  /// The op that makes a value; nullptr for arguments.
  [[nodiscard]] const ir::Op* maker(ir::Value value) const {
    const ir::Op* found = nullptr;
    ir::walk(kernel_.entry().body, [&](const ir::Op& op) {
      for (const ir::Value result : op.results) {
        if (result == value) found = &op;
      }
    });
    return found;
  }

 private:
  ir::Kernel kernel_;
};

/// Traces a kernel and looks at it.
template <auto Kernel, class... C>
Recorded record(const std::vector<Cuts>& outputs, const C&... constants) {
  return Recorded(trace<Kernel>(specialise<Kernel>(outputs), constants...));
}

}  // namespace tw::tests
