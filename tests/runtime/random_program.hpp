// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <gmock/gmock.h>

#include <tilewright/core/error.hpp>
#include <tilewright/runtime/async.hpp>
#include <tilewright/runtime/create.hpp>
#include <tilewright/runtime/mut.hpp>
#include <tilewright/runtime/partition.hpp>
#include <tilewright/runtime/transfer.hpp>

#include "tests/runtime/gate.hpp"
#include "tests/runtime/program_model.hpp"
#include "tests/support/log_capture.hpp"

namespace tw::tests {

using Tensor1 = Tensor<int, 1>;
using Partition1 = Partition<int, 1>;
using Loan1 = Mut<int, 1>;
using View1 = View<int, 1>;

/// Something that a program holds, the elements that the model knows of it, and who took it.
template <class X>
struct Variable {
  X object;
  model::Part part;
  int cut = 1;  ///< of a partition
  std::optional<model::Taker> taker = {};
};
// Growing a deque keeps references to its elements.
template <class X>
using Variables = std::deque<Variable<X>>;

struct AnyLaunch {
  std::variant<Launch<void>, Launch<Partition1>> launch;
  model::Work work;
};
struct AnyTask {
  std::variant<Task<void>, Task<Partition1>> task;
  model::Work work;
  std::size_t stream;
  Location where;
};

/// How often programs did what they are made for.
struct Tally {
  int launches = 0;
  int refusals = 0;
  int faults = 0;
};

/// A statement that uses a variable whose object is gone.
template <class X>
using Use = void (*)(X& gone, Location where);

/// A random program on tensors of int and on the model, made statement by statement.
class RandomProgram {
 public:
  RandomProgram(unsigned seed, Tally& tally) : random_(seed), tally_(tally) {}

  /// Makes the statements one after the other until one does not do what the model says.
  void run();
  /// The names of the statements so far.
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  struct Statement {
    std::string_view name;
    void (RandomProgram::*make)();
  };
  struct Source {
    View1 view;
    model::Part part;
  };
  struct StreamState {
    Stream stream{Device::cpu()};
    std::vector<model::FaultRef> faults = {};
  };
  static const Statement statements[];
  static constexpr std::size_t held = 6;  ///< of each kind of variable

  void step();

  // Choices.
  std::size_t below(std::size_t bound) { return random_() % bound; }
  bool one_in(std::size_t count) { return below(count) == 0; }
  int any_number() { return static_cast<int>(below(100)); }
  std::vector<int> any_values(std::size_t count);
  /// Mostly small, now and then too large to be written by the thread of the caller.
  std::size_t any_size() { return one_in(12) ? 4100 + below(900) : below(14); }
  int any_cut(std::size_t count) {
    return static_cast<int>(count > 100 ? 200 + below(1000) : 1 + below(5));
  }
  std::size_t any_stream() { return below(streams_->size()); }
  StreamState& stream(std::size_t index) { return (*streams_)[index]; }
  template <class X>
  Variable<X>* any(Variables<X>& variables, bool taken = false);
  template <class X>
  void drop_any(std::deque<X>& from);
  template <class X>
  X take_any(std::deque<X>& from);

  /// Makes a statement, which must throw what the model says, refusals at `where`. Whether it went
  /// through.
  bool expect(const model::Outcome& expected, Location where,
              const std::function<void()>& statement);
  /// Before the program waits for anything.
  void open_gates() { gates_.clear(); }

  // Tensors and views.
  void make();
  void move();
  void set_again();
  void partition();
  void join();
  void lend();
  void split();
  void share();
  void view();
  void drop();
  void use_taken();
  template <class X, std::size_t N>
  void use_taken(Variables<X>& variables, const Use<X> (&uses)[N]);

  // Launches and copies.
  Source any_source(std::size_t count);
  template <class Output>
  AnyLaunch prepare(Output&& output, const model::Part& out, int cut);
  std::optional<AnyLaunch> any_launch();
  model::Outcome simulate(const model::Work& work, std::size_t stream, Location where);
  template <class Call>
  void keep(const model::Work& work, Call&& call);
  void enqueue(AnyLaunch launch, Location where);
  void launch_on();
  void launch_sync();
  void store_launch();
  void run_stored();
  void copy_elements();
  void clone_elements();

  // Tasks.
  void make_task();
  void await_task();
  void await_both();
  void drop_started();

  // Streams and results.
  void close_gate();
  void order_streams();
  bool sync(std::size_t stream);
  void sync_any();
  template <class X>
  bool read(const Variable<X>& variable);
  template <class X>
  void read_all(Variables<X>& variables);
  void read_any();
  void finish();

  std::mt19937 random_;
  int next_index_ = 10'000;  ///< outside of all tensors; each fault is known by its own
  Tally& tally_;
  std::string text_;
  std::vector<model::FaultRef> faults_;
  LogCapture log_;
  std::optional<std::array<StreamState, 3>> streams_{std::in_place};
  Variables<Tensor1> tensors_;
  Variables<Partition1> partitions_;
  Variables<Loan1> loans_;
  Variables<View1> views_;
  std::deque<AnyLaunch> launches_;
  std::deque<AnyTask> tasks_;
  std::deque<testing::Gate> gates_;
};

// One of the variables that hold something, or of those that do not; null when there is none.
template <class X>
Variable<X>* RandomProgram::any(Variables<X>& variables, bool taken) {
  std::vector<Variable<X>*> found;
  for (Variable<X>& each : variables) {
    if (each.taker.has_value() == taken) found.push_back(&each);
  }
  return found.empty() ? nullptr : found[below(found.size())];
}

template <class X>
void RandomProgram::drop_any(std::deque<X>& from) {
  if (!from.empty()) static_cast<void>(take_any(from));
}

template <class X>
X RandomProgram::take_any(std::deque<X>& from) {
  const auto chosen = from.begin() + static_cast<std::ptrdiff_t>(below(from.size()));
  X taken = std::move(*chosen);
  from.erase(chosen);
  return taken;
}

}  // namespace tw::tests
