// SPDX-License-Identifier: Apache-2.0
#include "tests/verify/cases.hpp"

namespace tw::ir {
namespace {

using enum ElementKind;
using enum AttributeName;

void end(Builder& builder, Opcode code, std::initializer_list<Value> values = {}) {
  builder.append(OpDraft(code).group(values), {});
}

/// Builds blocks with arguments.
class Body {
 public:
  Body(Builder& builder, std::initializer_list<Type> arguments) : builder_(builder) {
    for (const Type& type : arguments) {
      block_.arguments.push_back(builder.function().fresh(type));
    }
    builder_.enter(block_);
  }
  [[nodiscard]] Value operator[](std::size_t index) const { return block_.arguments[index]; }
  /// Ends the block.
  Block take(Opcode code, std::initializer_list<Value> values = {}) {
    end(builder_, code, values);
    builder_.leave();
    return std::move(block_);
  }

 private:
  Builder& builder_;
  Block block_;
};

Module finish(Builder& builder) {
  end(builder, Opcode::return_);
  Module module;
  module.functions.push_back(std::move(builder.function()));
  return module;
}

const Type n = tile_type(i32);
const Type x = tile_type(f32);
const Type x8 = tile_type(f32, {8});

/// for i in (p to p, step p) iter(x = q) { continue x }
Module counted() {
  Function function{.name = "k"};
  Builder b(function);
  const Value p = add_parameter(function, n);
  const Value q = add_parameter(function, x);
  Body body(b, {n, x});
  OpDraft draft(Opcode::for_);
  draft.operand(p).operand(p).operand(p).group({q});
  b.append(draft.region(body.take(Opcode::continue_, {body[1]})), {x});
  return finish(b);
}

/// loop iter(i = p) -> f32 { if c { break q } continue i }
Module searched() {
  Function function{.name = "k"};
  Builder b(function);
  const Value p = add_parameter(function, n);
  const Value q = add_parameter(function, x);
  const Value c = add_parameter(function, tile_type(i1));
  Body body(b, {n});
  Body found(b, {});
  b.append(OpDraft(Opcode::if_).operand(c).region(found.take(Opcode::break_, {q})), {});
  OpDraft draft(Opcode::loop);
  b.append(draft.group({p}).region(body.take(Opcode::continue_, {body[0]})), {x});
  return finish(b);
}

/// if c -> f32 { yield q } else { yield q }
Module branched() {
  Function function{.name = "k"};
  Builder b(function);
  const Value c = add_parameter(function, tile_type(i1));
  const Value q = add_parameter(function, x);
  Block then = Body(b, {}).take(Opcode::yield, {q});
  Block otherwise = Body(b, {}).take(Opcode::yield, {q});
  OpDraft draft(Opcode::if_);
  draft.operand(c).region(std::move(then)).region(std::move(otherwise));
  b.append(draft, {x});
  return finish(b);
}

/// reduce x8 dim 0 { (element, sum) yield element + sum }
Module summed() {
  Function function{.name = "k"};
  Builder b(function);
  const Value tile = b.constant(f32, 0, {8});
  Body body(b, {x, x});
  const Value sum = b.simple(Opcode::addf, x, {body[0], body[1]});
  OpDraft draft(Opcode::reduce);
  draft.group({tile}).set(dim, Attribute(std::int64_t{0}));
  draft.set(identities, ScalarArray{{f32, 0}}).region(body.take(Opcode::yield, {sum}));
  b.append(draft, {x});
  return finish(b);
}

/// scan x8 and h8 together, which gives the second of each.
Module scanned() {
  Function function{.name = "k"};
  Builder b(function);
  const Type half = tile_type(f16);
  const Value first = b.constant(f32, 0, {8});
  const Value second = b.constant(f16, 0, {8});
  Body body(b, {x, x, half, half});
  OpDraft draft(Opcode::scan);
  draft.group({first, second}).set(dim, Attribute(std::int64_t{0})).set(reverse, Attribute(false));
  draft.set(identities, ScalarArray{{f32, 0}, {bf16, 0}});
  draft.region(body.take(Opcode::yield, {body[1], body[3]}));
  b.append(draft, {x8, tile_type(f16, {8})});
  return finish(b);
}

/// loop { body }, where body ends with `code`, an if around it if `nested`.
Module ended(Opcode outer, Opcode code, bool nested) {
  Function function{.name = "k"};
  Builder b(function);
  const Value p = add_parameter(function, n);
  const Value c = add_parameter(function, tile_type(i1));
  const auto exit = [&](auto arguments) {
    Body body(b, arguments);
    if (!nested) return body.take(code);
    Block inner = Body(b, {}).take(code);
    b.append(OpDraft(Opcode::if_).operand(c).region(std::move(inner)), {});
    return body.take(Opcode::continue_);
  };
  if (outer == Opcode::for_) {
    OpDraft draft(Opcode::for_);
    draft.operand(p).operand(p).operand(p).group({});
    b.append(draft.region(exit(std::initializer_list<Type>{n})), {});
  } else {
    b.append(OpDraft(Opcode::loop).group({}).region(exit(std::initializer_list<Type>{})), {});
  }
  return finish(b);
}

/// reduce n8 dim 0 { (element, kept) yield if element < kept { element / kept } else { kept } }
Module divided() {
  Function function{.name = "k"};
  Builder b(function);
  const Value tile = b.constant(i32, 1, {8});
  Body body(b, {n, n});
  const Value less =
      b.compare_int(ComparisonPredicate::less_than, body[0], body[1], Signedness::signed_);
  Body then(b, {});
  OpDraft quotient(Opcode::divi);
  quotient.operand(body[0]).operand(body[1]).set(signedness, Signedness::signed_);
  const Value divided = b.append(quotient, {n});
  OpDraft branch(Opcode::if_);
  branch.operand(less).region(then.take(Opcode::yield, {divided}));
  branch.region(Body(b, {}).take(Opcode::yield, {body[1]}));
  const Value chosen = b.append(branch, {n});
  OpDraft draft(Opcode::reduce);
  draft.group({tile}).set(dim, Attribute(std::int64_t{0}));
  draft.set(identities, ScalarArray{{i32, 0}}).region(body.take(Opcode::yield, {chosen}));
  b.append(draft, {n});
  return finish(b);
}

/// The same module after a change.
Module after(Module module, const std::function<void(Function&, Op&)>& change) {
  change(module.functions[0], subject(module));
  return module;
}

void add_loops(std::vector<VerifyCase>& cases) {
  const auto counted_after = [&](std::string_view constraint, auto change) {
    cases.push_back({constraint, counted(), after(counted(), change)});
  };
  counted_after("for_c1", [](Function& f, Op& op) { f.types[op.operands[0].index] = x; });
  counted_after("for_c1", [](Function& f, Op& op) {
    f.types[op.regions[0].arguments[0].index] = tile_type(i64);
  });
  counted_after("carried_c1", [](Function& f, Op& op) { op.results = {f.fresh(n)}; });
  counted_after("carried_c1", [](Function& f, Op& op) { op.results.push_back(f.fresh(x)); });
  counted_after("carried_c1",
                [](Function& f, Op& op) { op.regions[0].arguments.push_back(f.fresh(x)); });
  counted_after("continue_c2",
                [](Function&, Op& op) { op.regions[0].ops.back().operands = {op.operands[0]}; });
  counted_after("continue_c2", [](Function&, Op& op) {
    Op& last = op.regions[0].ops.back();
    last.operands.clear();
    last.group_sizes = {0};
  });
  const auto searched_after = [&](std::string_view constraint, auto change) {
    cases.push_back({constraint, searched(), after(searched(), change)});
  };
  searched_after("carried_c1",
                 [](Function& f, Op& op) { op.regions[0].arguments.push_back(f.fresh(x)); });
  searched_after("continue_c2", [](Function&, Op& op) {
    op.regions[0].ops.back().operands = {op.regions[0].ops[0].operands[0]};
  });
  searched_after("break_c2", [](Function& f, Op& op) { op.results = {f.fresh(n)}; });
}

/// A loop that would carry a tensor view.
Module carrying_a_view() {
  Function function{.name = "k"};
  Builder b(function);
  const Type view(samples::tensor);
  const Value whole = make_value(b, view);
  Body body(b, {view});
  OpDraft draft(Opcode::loop);
  b.append(draft.group({whole}).region(body.take(Opcode::continue_, {body[0]})), {});
  return finish(b);
}

void add_exits(std::vector<VerifyCase>& cases) {
  using enum Opcode;
  cases.push_back({"carried_c2", searched(), carrying_a_view()});
  cases.push_back({"break_c1", ended(loop, break_, true), ended(for_, break_, true)});
  cases.push_back({"continue_c1", ended(loop, continue_, true), [] {
                     Function function{.name = "k"};
                     Builder b(function);
                     const Value c = add_parameter(function, tile_type(i1));
                     Block inner = Body(b, {}).take(continue_);
                     b.append(OpDraft(if_).operand(c).region(std::move(inner)), {});
                     return finish(b);
                   }()});
  cases.push_back({"return_c1", ended(loop, return_, true), ended(for_, return_, true)});
  cases.push_back(
      {"return_c1", ended(loop, return_, true), ended(loop, return_, false), {.tool = {13, 3}}});
  cases.push_back({"return_c2", branched(), [] {
                     Module module = branched();
                     Block& body = module.functions[0].body;
                     body.ops.back().operands = {body.arguments[0]};
                     body.ops.back().group_sizes = {1};
                     return module;
                   }()});
  cases.push_back({"block_c2", ended(for_, continue_, false), ended(for_, break_, false)});
  cases.push_back({"block_c2", ended(loop, break_, false), ended(loop, yield, false)});
}

void add_branches(std::vector<VerifyCase>& cases) {
  const auto branched_after = [&](std::string_view constraint, auto change) {
    cases.push_back({constraint, branched(), after(branched(), change)});
  };
  branched_after("if_c1",
                 [](Function&, Op& op) { op.operands = {op.regions[0].ops.back().operands[0]}; });
  branched_after("if_c2", [](Function&, Op& op) { op.regions[1] = {}; });
  branched_after("if_c2", [](Function& f, Op& op) { op.regions[1].arguments = {f.fresh(x)}; });
  branched_after("yield_c1",
                 [](Function&, Op& op) { op.regions[1].ops.back().operands = {op.operands[0]}; });
}

void add_reductions(std::vector<VerifyCase>& cases) {
  const auto summed_after = [&](std::string_view constraint, auto change) {
    cases.push_back({constraint, summed(), after(summed(), change)});
  };
  summed_after("reduce_c1", [](Function&, Op& op) {
    op.operands.clear();
    op.group_sizes = {0};
  });
  summed_after("reduce_c2", [](Function&, Op& op) { op.set(dim, std::int64_t{1}); });
  summed_after("reduce_c3", [](Function&, Op& op) { op.set(identities, ScalarArray{}); });
  summed_after("reduce_c3", [](Function&, Op& op) { op.set(identities, ScalarArray{{i32, 0}}); });
  summed_after("reduce_c4", [](Function& f, Op& op) { f.types[op.results[0].index] = x8; });
  summed_after("reduce_c4", [](Function&, Op& op) { op.results.clear(); });
  summed_after("reduce_c5",
               [](Function& f, Op& op) { op.regions[0].arguments.push_back(f.fresh(x)); });
  summed_after("reduce_c6", [](Function&, Op& op) {
    op.regions[0].ops.back().operands.clear();
    op.regions[0].ops.back().group_sizes = {0};
  });
  summed_after("block_c2",
               [](Function&, Op& op) { op.regions[0].ops.back().code = Opcode::return_; });
  summed_after("reduce_c7", [](Function& f, Op& op) {
    OpDraft memory(Opcode::alloca_);
    memory.set(num_elem, Attribute(std::int64_t{1})).set(alignment, Attribute(std::int64_t{4}));
    auto& ops = op.regions[0].ops;
    ops.insert(ops.begin(), memory.finish(f, {pointer_tile_type(f32)}));
  });
  cases.push_back({"reduce_c7", divided(), divided(), {.tool = {13, 3}}});
  cases.push_back({"reduce_c7", divided(), after(divided(), [](Function& f, Op& op) {
                     OpDraft promise(Opcode::assume);
                     promise.operand(op.regions[0].arguments[0]);
                     promise.set(predicate, AssumePredicate(DivBy{1}));
                     auto& ops = op.regions[0].ops[1].regions[0].ops;
                     ops.insert(ops.begin(), promise.finish(f, {n}));
                   })});
  const auto scanned_after = [&](std::string_view constraint, auto change) {
    cases.push_back({constraint, scanned(), after(scanned(), change)});
  };
  scanned_after("reduce_c1", [](Function& f, Op& op) {
    Op& second = f.body.ops[1];
    f.types[op.operands[1].index] = tile_type(f16, {4});
    second.set(value, splat(f16, 0));
  });
  scanned_after("reduce_c3",
                [](Function&, Op& op) { op.set(identities, ScalarArray{{f32, 0}, {f32, 0}}); });
  scanned_after("reduce_c4", [](Function& f, Op& op) { f.types[op.results[1].index] = x8; });
  scanned_after("reduce_c5",
                [](Function& f, Op& op) { f.types[op.regions[0].arguments[2].index] = x; });
  scanned_after("reduce_c6", [](Function&, Op& op) {
    auto& yielded = op.regions[0].ops.back().operands;
    std::swap(yielded[0], yielded[1]);
  });
}

}  // namespace

std::vector<VerifyCase> control_cases() {
  std::vector<VerifyCase> cases;
  for (const auto add : {add_loops, add_exits, add_branches, add_reductions}) add(cases);
  return cases;
}

}  // namespace tw::ir
