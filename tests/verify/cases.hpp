// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include <tilewright/ir/verifier.hpp>

#include "tests/ir/op_samples.hpp"

namespace tw::ir {

/// A valid module and a change that breaks exactly one constraint.
struct VerifyCase {
  std::string_view constraint;
  Module good;
  Module bad;
  VerifyOptions options = {};  ///< for the bad module; the good one is verified by the newest tool
  bool is_warning = false;     ///< the constraint is only warned of
};

// Each file gives those of some constraints.
std::vector<VerifyCase> op_cases();
std::vector<VerifyCase> type_cases();
std::vector<VerifyCase> control_cases();
std::vector<VerifyCase> module_cases();

/// The `index`-th sample of an op.
inline const OpSample& sample(Opcode code, std::size_t index = 0) {
  for (const OpSample& each : samples::all()) {
    if (each.code == code && index-- == 0) return each;
  }
  throw BugError("no such sample", Location::current());
}

/// The op that a sample's module is about: the last before the return.
inline Op& subject(Module& module) {
  std::vector<Op>& ops = module.functions.at(0).body.ops;
  return ops.at(ops.size() - 2);
}

}  // namespace tw::ir
