// SPDX-License-Identifier: Apache-2.0
// Statements of random programs that launch, copy and await.
#include <iterator>
#include <memory>
#include <type_traits>

#include "tests/runtime/launch_kernels.hpp"
#include "tests/runtime/random_program.hpp"
#include "tests/runtime/started.hpp"

namespace tw::tests {

/// z = x, but the block `bad` reads the tile `at`.
inline void pick_tile(Out<int, dyn> z, In1<int> x, Int bad, Int at) {
  auto block = tw::block<0>(z);
  z.store(x.tiles(dim<0>(z))(where(block == bad, at, block)));
}

using model::Outcome;
using model::Part;
using model::Work;

template <class Output>
AnyLaunch RandomProgram::prepare(Output&& output, const Part& out, int cut) {
  Work work{.kernel = model::kernels[below(std::size(model::kernels))], .out = out, .cut = cut};
  if (work.kernel == model::Kernel::increment) {
    work.number = any_number();
    return {launch<increment>(std::forward<Output>(output), work.number), work};
  }
  const Source x = any_source(out.count);
  work.inputs.push_back(x.part);
  if (work.kernel == model::Kernel::pick) {
    work.number = next_index_++;
    work.bad_block = one_in(2) ? static_cast<int>(below(3)) : -1;
    return {launch<pick_tile>(std::forward<Output>(output), x.view, work.bad_block, work.number),
            work};
  }
  const Source y = any_source(out.count);
  work.inputs.push_back(y.part);
  return {launch<add<int>>(std::forward<Output>(output), x.view, y.view), work};
}

std::optional<AnyLaunch> RandomProgram::any_launch() {
  ++tally_.launches;
  if (Variable<Partition1>* given = any(partitions_); given && one_in(2)) {
    given->taker = {"tw::tests::"};  // the kernel
    return prepare(std::move(given->object), given->part, given->cut);
  }
  if (Variable<Loan1>* loan = any(loans_); loan && one_in(2)) {
    const Location here = Location::current();
    const int cut = any_cut(loan->part.count);
    loan->taker = {"partition()", here.line()};
    return prepare(std::move(loan->object).partition({cut}, here), loan->part, cut);
  }
  Variable<Tensor1>* owner = any(tensors_);
  if (owner == nullptr) return std::nullopt;
  const int cut = any_cut(owner->part.count);
  return prepare(mut(owner->object).partition({cut}), owner->part, cut);
}

/// Runs a launch in the model.
Outcome RandomProgram::simulate(const Work& work, std::size_t index, Location where) {
  Outcome outcome{.problems = work.problems()};
  if (!outcome.problems.empty()) return outcome;
  work.run();
  if (!work.fails()) return outcome;
  outcome.fault = std::make_shared<model::Fault>(model::Fault{work.number, where.line()});
  work.out.memory->faults.push_back(outcome.fault);
  stream(index).faults.push_back(outcome.fault);
  faults_.push_back(outcome.fault);
  return outcome;
}

/// Keeps what a launch or a task gives back.
template <class Call>
void RandomProgram::keep(const Work& work, Call&& call) {
  if constexpr (std::is_void_v<decltype(call())>) {
    call();
  } else {
    partitions_.push_back({call(), work.out, work.cut});
  }
}

void RandomProgram::enqueue(AnyLaunch ready, Location where) {
  const std::size_t index = any_stream();
  const Outcome outcome = simulate(ready.work, index, where);
  std::visit(
      [&](auto& launch) {
        expect({.problems = outcome.problems}, where, [&] {
          keep(ready.work, [&] { return std::move(launch).on(stream(index).stream, where); });
        });
      },
      ready.launch);
}

void RandomProgram::launch_on() {
  if (auto ready = any_launch()) enqueue(std::move(*ready), Location::current());
}

void RandomProgram::launch_sync() {
  auto ready = any_launch();
  if (!ready) return;
  const Location here = Location::current();
  const std::size_t index = any_stream();
  const Outcome outcome = simulate(ready->work, index, here);
  if (outcome.fault) outcome.fault->collected = true;
  open_gates();
  const CurrentStream current(stream(index).stream);
  std::visit(
      [&](auto& launch) {
        expect(outcome, here,
               [&] { keep(ready->work, [&] { return std::move(launch).sync(here); }); });
      },
      ready->launch);
}

void RandomProgram::store_launch() {
  if (auto ready = any_launch()) launches_.push_back(std::move(*ready));
}

void RandomProgram::run_stored() {
  if (!launches_.empty()) enqueue(take_any(launches_), Location::current());
}

void RandomProgram::copy_elements() {
  const Location here = Location::current();
  const auto copy_to = [&](Loan1 loan, const Part& to) {
    const Source from = any_source(to.count);
    Outcome outcome;
    if (to.overlaps(from.part)) {
      outcome.problems = {{"the tensors of a copy have elements in common"}};
    } else if (const unsigned line = to.frozen_at()) {
      outcome.problems = {{"the memory to write is read-only", "shared here", line}};
    }
    const bool copied = expect(outcome, here, [&] {
      copy(std::move(loan), from.view, stream(any_stream()).stream, here);
    });
    for (std::size_t i = 0; copied && i < to.count; ++i) to[i] = from.part[i];
  };
  if (Variable<Loan1>* loan = any(loans_); loan && one_in(2)) {
    loan->taker.emplace();
    copy_to(std::move(loan->object), loan->part);
  } else if (Variable<Tensor1>* owner = any(tensors_)) {
    copy_to(mut(owner->object), owner->part);
  }
}

void RandomProgram::clone_elements() {
  const Source from = any_source(below(8));
  tensors_.push_back({clone(from.view, stream(any_stream()).stream), Part::of(from.part.values())});
}

void RandomProgram::make_task() {
  auto ready = any_launch();
  if (!ready) return;
  const Location here = Location::current();
  const std::size_t index = any_stream();
  std::visit(
      [&](auto& launch) {
        tasks_.push_back({std::move(launch).async(stream(index).stream, here),
                          std::move(ready->work), index, here});
      },
      ready->launch);
}

void RandomProgram::await_task() {
  if (tasks_.empty()) return;
  open_gates();
  AnyTask next = take_any(tasks_);
  const Outcome outcome = simulate(next.work, next.stream, next.where);
  if (outcome.fault) outcome.fault->collected = true;
  std::visit(
      [&](auto& task) {
        expect(outcome, next.where,
               [&] { keep(next.work, [&] { return sync_wait(std::move(task)); }); });
      },
      next.task);
}

void RandomProgram::await_both() {
  if (tasks_.size() < 2) return;
  open_gates();
  AnyTask a = take_any(tasks_);
  AnyTask b = take_any(tasks_);
  const Outcome of_a = simulate(a.work, a.stream, a.where);
  const Outcome of_b = simulate(b.work, b.stream, b.where);
  for (const Outcome& each : {of_a, of_b}) {
    if (each.fault) each.fault->collected = true;
  }
  const auto keep_result = [&]<class R>(const Work& work, R& result) {
    if constexpr (!std::is_same_v<R, std::monostate>) keep(work, [&] { return std::move(result); });
  };
  const auto await = [&](auto& first, auto& second) {
    auto [x, y] = sync_wait(when_all(std::move(first), std::move(second)));
    keep_result(a.work, x);
    keep_result(b.work, y);
  };
  // Of two errors the first is thrown.
  expect(of_a.throws() ? of_a : of_b, of_a.throws() ? a.where : b.where,
         [&] { std::visit(await, a.task, b.task); });
}

/// The launch goes on. What the task holds may be let go a little later by another thread: only
/// tasks are given up that take no fault along.
void RandomProgram::drop_started() {
  if (tasks_.empty()) return;
  AnyTask next = take_any(tasks_);
  const model::Memory& out = *next.work.out.memory;
  const bool alone = next.work.out.memory.use_count() == 1;
  const bool gives_back = std::holds_alternative<Task<Partition1>>(next.task);
  if (next.work.fails() || (gives_back && !(alone && out.faults.empty()))) return;
  simulate(next.work, next.stream, next.where);
  std::visit([](auto& task) { testing::start(task); }, next.task);
}

}  // namespace tw::tests
