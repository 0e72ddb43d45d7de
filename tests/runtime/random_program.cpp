// SPDX-License-Identifier: Apache-2.0
#include "tests/runtime/random_program.hpp"

#include <algorithm>
#include <iterator>
#include <memory>

namespace tw::tests {
namespace {

using model::Outcome;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Test;

std::string message_of(const model::Fault& fault) {
  return "index " + std::to_string(fault.index) + " is not below";
}

void expect_problem(const Diagnostic& got, const model::Problem& want, Location where) {
  EXPECT_THAT(got.message, HasSubstr(want.text));
  EXPECT_EQ(got.where.line(), where.line());
  EXPECT_STREQ(got.where.file_name(), where.file_name());
  ASSERT_EQ(got.notes.size(), want.note.empty() ? 0u : 1u);
  if (got.notes.empty()) return;
  EXPECT_THAT(got.notes[0].message, HasSubstr(want.note));
  EXPECT_EQ(got.notes[0].where.line(), want.line);
}

}  // namespace

// Launches and what they work on come often, so that variables live to see several of them.
constexpr RandomProgram::Statement RandomProgram::statements[] = {
    {"make", &RandomProgram::make},
    {"make", &RandomProgram::make},
    {"move", &RandomProgram::move},
    {"set again", &RandomProgram::set_again},
    {"partition", &RandomProgram::partition},
    {"partition", &RandomProgram::partition},
    {"join", &RandomProgram::join},
    {"lend", &RandomProgram::lend},
    {"split", &RandomProgram::split},
    {"share", &RandomProgram::share},
    {"view", &RandomProgram::view},
    {"drop", &RandomProgram::drop},
    {"use taken", &RandomProgram::use_taken},
    {"use taken", &RandomProgram::use_taken},
    {"launch", &RandomProgram::launch_on},
    {"launch", &RandomProgram::launch_on},
    {"launch", &RandomProgram::launch_on},
    {"launch", &RandomProgram::launch_on},
    {"launch and wait", &RandomProgram::launch_sync},
    {"store launch", &RandomProgram::store_launch},
    {"run stored", &RandomProgram::run_stored},
    {"copy", &RandomProgram::copy_elements},
    {"clone", &RandomProgram::clone_elements},
    {"make task", &RandomProgram::make_task},
    {"make task", &RandomProgram::make_task},
    {"await", &RandomProgram::await_task},
    {"await both", &RandomProgram::await_both},
    {"drop started", &RandomProgram::drop_started},
    {"close gate", &RandomProgram::close_gate},
    {"order streams", &RandomProgram::order_streams},
    {"sync", &RandomProgram::sync_any},
    {"read", &RandomProgram::read_any},
    {"read", &RandomProgram::read_any},
};

void RandomProgram::run() {
  const std::size_t length = 20 + below(60);
  for (std::size_t i = 0; i < length && !Test::HasFailure(); ++i) step();
  finish();
}

void RandomProgram::step() {
  const Statement& statement = statements[below(std::size(statements))];
  text_ += std::string(statement.name) + "; ";
  (this->*statement.make)();
  const auto trim = [this](auto& variables) {
    while (variables.size() > held) drop_any(variables);
  };
  trim(tensors_);
  trim(partitions_);
  trim(loans_);
  trim(views_);
  trim(launches_);
  trim(tasks_);
}

std::vector<int> RandomProgram::any_values(std::size_t count) {
  std::vector<int> values(count);
  for (int& value : values) value = any_number();
  return values;
}

bool RandomProgram::expect(const Outcome& expected, Location where,
                           const std::function<void()>& statement) {
  try {
    statement();
  } catch (const LaunchError& error) {
    ++tally_.refusals;
    const std::vector<Diagnostic>& got = error.diagnostics();
    EXPECT_EQ(got.size(), expected.problems.size()) << error.what();
    for (std::size_t i = 0; i < std::min(got.size(), expected.problems.size()); ++i)
      expect_problem(got[i], expected.problems[i], where);
    return false;
  } catch (const DeviceFault& fault) {
    ++tally_.faults;
    EXPECT_NE(expected.fault, nullptr) << fault.what();
    if (expected.fault == nullptr) return false;
    EXPECT_THAT(fault.what(), HasSubstr(message_of(*expected.fault)));
    EXPECT_EQ(fault.where().line(), expected.fault->line);
    return false;
  }
  EXPECT_FALSE(expected.throws()) << "nothing was thrown";
  return true;
}

void RandomProgram::close_gate() { gates_.emplace_back().close(stream(any_stream()).stream); }

void RandomProgram::order_streams() {
  stream(any_stream()).stream.wait(stream(any_stream()).stream.record());
}

bool RandomProgram::sync(std::size_t index) {
  open_gates();
  const Location here = Location::current();
  return expect({.fault = model::collect_first(stream(index).faults)}, here,
                [&] { stream(index).stream.sync(here); });
}

void RandomProgram::sync_any() { sync(any_stream()); }

template <class X>
bool RandomProgram::read(const Variable<X>& variable) {
  open_gates();
  const Location here = Location::current();
  return expect({.fault = model::collect_first(variable.part.memory->faults)}, here,
                [&] { EXPECT_EQ(to_host(variable.object, here), variable.part.values()); });
}

void RandomProgram::read_any() {
  if (const auto* tensor = any(tensors_); tensor && one_in(2)) {
    read(*tensor);
  } else if (const auto* view = any(views_)) {
    read(*view);
  }
}

template <class X>
void RandomProgram::read_all(Variables<X>& variables) {
  for (const Variable<X>& each : variables) {
    for (bool done = each.taker.has_value(); !done && !Test::HasFailure();) done = read(each);
  }
  variables.clear();
}

/// Compares all that is left, and finds each fault that nobody collected at its stream or in the
/// log.
void RandomProgram::finish() {
  open_gates();
  while (any(partitions_) != nullptr) join();
  read_all(tensors_);
  read_all(views_);
  partitions_.clear();
  loans_.clear();
  launches_.clear();
  tasks_.clear();
  for (std::size_t i = 0; i < streams_->size(); ++i) {
    for (bool done = one_in(2); !done && !Test::HasFailure();) done = sync(i);
  }
  streams_.reset();
  std::size_t lost = 0;
  const std::vector<std::string> messages = log_.lines();
  for (const model::FaultRef& fault : faults_) {
    if (fault->collected) continue;
    EXPECT_THAT(messages, Contains(HasSubstr(message_of(*fault))));
    ++lost;
  }
  EXPECT_EQ(messages.size(), lost);
}

}  // namespace tw::tests
