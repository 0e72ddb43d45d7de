// SPDX-License-Identifier: Apache-2.0
#include "tests/verify/cases.hpp"

namespace tw::ir {
namespace {

using enum ElementKind;

/// @g: tile<4xi32>, @k(p: ptr<f32>, n: i32) { t = n + n; return }
Module small() {
  Module module;
  module.globals.push_back({"g", tile_type(i32, {4}), dense(i32, {1, 2, 3, 4}), 16});
  Function function{.name = "k"};
  function.hints = {{"sm_90", {{"num_cta_in_cga", std::int64_t{2}}}},
                    {"default", {{"occupancy", std::int64_t{32}}}}};
  Builder builder(function);
  add_parameter(function, pointer_tile_type(f32));
  const Value n = add_parameter(function, tile_type(i32));
  builder.simple(Opcode::addi, tile_type(i32), {n, n});
  builder.append(OpDraft(Opcode::return_), {});
  module.functions.push_back(std::move(function));
  return module;
}

/// @k { check true at 0 of 4 in its site, print 0 in its site; return }
Module reporting() {
  Module module;
  module.sites = {{.kind = "check"}};
  Function function{.name = "k"};
  Builder b(function);
  const Value ok = b.constant(i1, 1, {8});
  const Value index = b.constant(i32, 0, {8});
  const Value bound = b.integer(i32, 4);
  OpDraft print(Opcode::print);
  b.append(print.group({index}).set(AttributeName::site, Attribute(std::int64_t{0})), {});
  OpDraft check(Opcode::check);
  check.operand(ok).operand(index).operand(bound);
  b.append(check.set(AttributeName::site, Attribute(std::int64_t{0})), {});
  b.append(OpDraft(Opcode::return_), {});
  module.functions.push_back(std::move(function));
  return module;
}

Module after(Module module, const std::function<void(Module&)>& change) {
  change(module);
  return module;
}

/// `small` with the hint `key` on the entry.
Module hinted(const std::string& architecture, const std::string& key, HintValue value) {
  return after(small(),
               [&](Module& m) { m.functions[0].hints = {{architecture, {{key, value}}}}; });
}

Module accessed(Opcode code, const std::string& key, HintValue value) {
  OpSample each = sample(code);
  each.attributes.emplace_back(AttributeName::optimization_hints,
                               Hints{{"sm_100", {{key, value}}}});
  return each.module();
}

void add_symbols(std::vector<VerifyCase>& cases) {
  const auto small_after = [&](std::string_view constraint, auto change,
                               const VerifyOptions& options = {}) {
    cases.push_back({constraint, small(), after(small(), change), options});
  };
  small_after("module_c1", [](Module& m) { m.globals[0].name = "k"; });
  small_after("module_c2", [](Module& m) { m.functions[0].name = "k-x y"; });
  small_after("module_c2", [](Module& m) { m.globals[0].name = "0"; });
  small_after("module_c2", [](Module& m) { m.globals[0].name = ""; });
  cases.push_back({"module_c3", small(), small(), {.architecture = 91}});
  cases.push_back({"module_c3", small(), small(), {.tool = {13, 3}, .architecture = 107}});
  small_after("global_c1", [](Module& m) { m.globals[0].type = tile_type(i32, {2, 2}); });
  small_after("global_c1", [](Module& m) { m.globals[0].type = tile_type(i32, {8}); });
  small_after("global_c2", [](Module& m) { m.globals[0].alignment = 12; });
  small_after("entry_c1", [](Module& m) { m.functions[0].entry = false; });
  small_after("entry_c2", [](Module& m) { add_parameter(m.functions[0], tile_type(i32, {4})); });
  small_after("entry_c2", [](Module& m) { add_parameter(m.functions[0], token_type()); });
}

void add_values(std::vector<VerifyCase>& cases) {
  const auto small_after = [&](std::string_view constraint, auto change) {
    cases.push_back({constraint, small(), after(small(), change)});
  };
  small_after("value_c1", [](Module& m) { subject(m).operands[0] = subject(m).results[0]; });
  small_after("value_c1", [](Module& m) { subject(m).operands[0] = {}; });
  small_after("value_c2", [](Module& m) { m.functions[0].types.back() = {}; });
  small_after("value_c2", [](Module& m) { m.globals[0].type = {}; });
  small_after("value_c2", [](Module& m) { subject(m).results[0] = subject(m).operands[0]; });
  small_after("block_c1", [](Module& m) { m.functions[0].body.ops.pop_back(); });
  small_after("block_c1", [](Module& m) {
    auto& ops = m.functions[0].body.ops;
    ops.insert(ops.begin(), ops.back());
  });
  small_after("block_c1", [](Module& m) { m.functions[0].body.ops.clear(); });
}

void add_hints(std::vector<VerifyCase>& cases) {
  const auto n = [](std::int64_t value) { return HintValue(value); };
  // Refused by tools before 13.3, and ignored by later ones.
  const auto add = [&](std::string_view constraint, const Module& good, const Module& bad) {
    cases.push_back({constraint, good, bad, {.tool = {13, 2}}});
    cases.push_back({constraint, good, bad, {}, true});
  };
  const Module good = hinted("sm_90", "num_cta_in_cga", n(16));
  add("hints_c1", good, hinted("sm_91", "occupancy", n(2)));
  cases.push_back({"hints_c1", good, hinted("default", "occupancy", n(2)), {.tool = {13, 2}}});
  cases.push_back({"hints_c1", good, hinted("sm_107", "occupancy", n(2)), {.tool = {13, 3}}, true});
  add("hints_c2", good, hinted("sm_100", "latency", n(2)));
  cases.push_back(
      {"hints_c2", good, hinted("sm_80", "num_worker_warps_per_cta", n(4)), {.tool = {13, 2}}});
  add("hints_c2", accessed(Opcode::load_view_tko, "allow_tma", true),
      accessed(Opcode::store_ptr_tko, "allow_tma", true));
  add("hints_c3", good, hinted("sm_100", "num_cta_in_cga", n(3)));
  add("hints_c3", good, hinted("sm_100", "num_cta_in_cga", n(32)));
  add("hints_c3", good, hinted("sm_89", "num_cta_in_cga", n(2)));
  add("hints_c3", good, hinted("sm_100", "occupancy", n(0)));
  add("hints_c3", good, hinted("sm_100", "occupancy", true));
  add("hints_c3", good, hinted("sm_100", "num_cta_in_cga", "a"));
  const Module warps = hinted("sm_90", "num_worker_warps_per_cta", n(16));
  cases.push_back({"hints_c3", warps, warps, {.tool = {13, 4}}, true});
  add("hints_c3", accessed(Opcode::store_ptr_tko, "latency", n(10)),
      accessed(Opcode::store_ptr_tko, "latency", n(11)));
  add("hints_c3", accessed(Opcode::load_view_tko, "allow_tma", false),
      accessed(Opcode::load_view_tko, "allow_tma", n(1)));
  add("hints_c3", accessed(Opcode::load_view_tko, "allow_tma", false),
      accessed(Opcode::load_view_tko, "allow_tma", "true"));
}

void add_own_ops(std::vector<VerifyCase>& cases) {
  const auto reporting_after = [&](std::string_view constraint, auto change) {
    cases.push_back({constraint, reporting(), after(reporting(), change)});
  };
  const auto print = [](Module& m) -> Op& { return m.functions[0].body.ops[3]; };
  reporting_after("check_c1", [](Module& m) { subject(m).operands[0] = subject(m).operands[1]; });
  reporting_after("check_c2", [](Module& m) { subject(m).operands[1] = subject(m).operands[2]; });
  reporting_after("check_c3", [](Module& m) { subject(m).operands[2] = subject(m).operands[1]; });
  reporting_after("site_c1",
                  [](Module& m) { subject(m).set(AttributeName::site, std::int64_t{1}); });
  reporting_after("site_c1",
                  [](Module& m) { subject(m).set(AttributeName::site, std::int64_t{-1}); });
  reporting_after("site_c1",
                  [&](Module& m) { print(m).set(AttributeName::site, std::int64_t{1}); });
  reporting_after("print_c1", [&](Module& m) {
    print(m).operands = {add_parameter(m.functions[0], pointer_tile_type(f32))};
  });
  Module printing = reporting();
  printing.functions[0].body.ops.erase(printing.functions[0].body.ops.end() - 2);
  cases.push_back({"op_c6", printing, printing, {.allow_own_ops = false}});
}

}  // namespace

std::vector<VerifyCase> module_cases() {
  std::vector<VerifyCase> cases;
  for (const auto add : {add_symbols, add_values, add_hints, add_own_ops}) add(cases);
  return cases;
}

}  // namespace tw::ir
