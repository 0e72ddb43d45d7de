// SPDX-License-Identifier: Apache-2.0
// Statements of random programs on tensors, partitions, loans and views.
#include <tilewright/runtime/launch.hpp>

#include "tests/runtime/launch_kernels.hpp"
#include "tests/runtime/random_program.hpp"

namespace tw::tests {
namespace {

using model::Part;

const Device device = Device::cpu();

constexpr Use<Tensor1> uses_of_tensors[] = {
    [](Tensor1& t, Location where) { (void)to_host(t, where); },
    [](Tensor1& t, Location where) { (void)mut(t, where); },
    [](Tensor1& t, Location where) { (void)View1(t, where); },
    [](Tensor1& t, Location where) { (void)clone(t, where); },
    [](Tensor1& t, Location where) { (void)std::move(t).partition({2}, where); },
    [](Tensor1& t, Location where) { (void)std::move(t).share(where); },
    [](Tensor1& t, Location where) { (void)std::move(t).split(0, 0, where); },
    [](Tensor1& t, Location where) {
      (void)launch<add<int>>(empty<int>(device, 2).partition({2}), counting<int>(2), t)
          .on(current_stream(device), where);
    },
};
constexpr Use<Partition1> uses_of_partitions[] = {
    [](Partition1& p, Location where) { (void)p.grid(where); },
    [](Partition1& p, Location where) { (void)std::move(p).join(where); },
    [](Partition1& p, Location where) {
      (void)launch<increment>(std::move(p), 1).on(current_stream(device), where);
    },
};
constexpr Use<Loan1> uses_of_loans[] = {
    [](Loan1& l, Location where) { (void)std::move(l).partition({2}, where); },
    [](Loan1& l, Location where) { copy(std::move(l), counting<int>(1), where); },
};

}  // namespace

void RandomProgram::make() {
  const Part part = Part::of(any_values(any_size()));
  tensors_.push_back({from_host<int>(device, part.values()), part});
}

void RandomProgram::move() {
  Variable<Tensor1>* from = any(tensors_);
  if (from == nullptr) return;
  from->taker.emplace();
  tensors_.push_back({std::move(from->object), from->part});
}

void RandomProgram::set_again() {
  Variable<Tensor1>* from = any(tensors_);
  Variable<Tensor1>* to = any(tensors_, one_in(2));
  if (from == nullptr || to == nullptr || from == to) return;
  to->object = std::move(from->object);
  to->part = from->part;
  to->taker.reset();
  from->taker.emplace();
}

void RandomProgram::partition() {
  Variable<Tensor1>* from = any(tensors_);
  if (from == nullptr) return;
  const Location here = Location::current();
  const int cut = any_cut(from->part.count);
  from->taker = {"partition()", here.line()};
  partitions_.push_back({std::move(from->object).partition({cut}, here), from->part, cut});
}

void RandomProgram::join() {
  Variable<Partition1>* from = any(partitions_);
  if (from == nullptr) return;
  const Location here = Location::current();
  from->taker = {"join()", here.line()};
  tensors_.push_back({std::move(from->object).join(here), from->part});
}

void RandomProgram::lend() {
  if (Variable<Tensor1>* from = any(tensors_)) loans_.push_back({mut(from->object), from->part});
}

void RandomProgram::split() {
  Variable<Tensor1>* from = any(tensors_);
  if (from == nullptr) return;
  const Location here = Location::current();
  const std::size_t count = below(from->part.count + 1);
  from->taker = {"split()", here.line()};
  auto [first, second] = std::move(from->object).split(0, static_cast<std::int64_t>(count), here);
  tensors_.push_back({std::move(first), from->part.slice(0, count)});
  tensors_.push_back({std::move(second), from->part.slice(count, from->part.count - count)});
}

void RandomProgram::share() {
  Variable<Tensor1>* from = any(tensors_);
  if (from == nullptr) return;
  const Location here = Location::current();
  from->taker = {"share()", here.line()};
  from->part.freeze(here.line());
  views_.push_back({std::move(from->object).share(here), from->part});
}

void RandomProgram::view() {
  Source source = any_source(below(8));
  views_.push_back({std::move(source.view), source.part});
}

void RandomProgram::drop() {
  switch (below(6)) {
    case 0:
      return drop_any(tensors_);
    case 1:
      return drop_any(partitions_);
    case 2:
      return drop_any(loans_);
    case 3:
      return drop_any(views_);
    case 4:
      return drop_any(launches_);
    default:
      return drop_any(tasks_);
  }
}

void RandomProgram::use_taken() {
  switch (below(3)) {
    case 0:
      return use_taken(tensors_, uses_of_tensors);
    case 1:
      return use_taken(partitions_, uses_of_partitions);
    default:
      return use_taken(loans_, uses_of_loans);
  }
}

template <class X, std::size_t N>
void RandomProgram::use_taken(Variables<X>& variables, const Use<X> (&uses)[N]) {
  Variable<X>* gone = any(variables, true);
  if (gone == nullptr) return;
  const Location here = Location::current();
  const Use<X> use = uses[below(N)];
  expect({{model::moved_away(*gone->taker)}}, here, [&] { use(gone->object, here); });
}

/// Elements to read: a part of a tensor or of a view, or of a tensor that is dropped at once.
RandomProgram::Source RandomProgram::any_source(std::size_t count) {
  const auto part_of = [&](const auto& variable) -> Source {
    const std::size_t start = below(variable.part.count - count + 1);
    return {variable.object.slice(0, static_cast<std::int64_t>(start),
                                  static_cast<std::int64_t>(count)),
            variable.part.slice(start, count)};
  };
  for (int attempt = 0; attempt < 4; ++attempt) {
    if (const auto* tensor = any(tensors_); one_in(2) && tensor && tensor->part.count >= count)
      return part_of(*tensor);
    if (const auto* view = any(views_); view && view->part.count >= count) return part_of(*view);
  }
  const Part part = Part::of(any_values(count));
  const Tensor1 tensor = from_host<int>(device, part.values());
  return {tensor, part};
}

}  // namespace tw::tests
