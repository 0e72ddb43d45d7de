// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "interp/rules.hpp"

// Ops without steps: a result that is its operand under another type, and tokens, which order
// memory operations that the interpreter runs in program order anyway.

namespace tw::inline v0::interp {
namespace {

using enum ir::Opcode;

constexpr std::array rules{
    OpRule{assume, nullptr, Sharing::alias},
    OpRule{bitcast, nullptr, Sharing::alias},
    OpRule{gdc_launch_dependents_tko, nullptr},
    OpRule{gdc_wait_tko, nullptr},
    OpRule{int_to_ptr, nullptr, Sharing::alias},
    OpRule{join_tokens, nullptr},
    OpRule{make_gather_scatter_view, nullptr, Sharing::alias},
    OpRule{make_partition_view, nullptr, Sharing::alias},
    OpRule{make_strided_view, nullptr, Sharing::alias},
    OpRule{make_token, nullptr},
    OpRule{memory_fence_alias_tko, nullptr},
    OpRule{ptr_to_int, nullptr, Sharing::alias},
    OpRule{ptr_to_ptr, nullptr, Sharing::alias},
    OpRule{reshape, nullptr, Sharing::alias},
};

}  // namespace

std::span<const OpRule> alias_rules() { return rules; }

}  // namespace tw::inline v0::interp
