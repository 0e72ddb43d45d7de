// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <ranges>
#include <vector>

#include <pthread.h>

#include <tilewright/core/os.hpp>

namespace tw::inline v0::os {
namespace {

/// What has to happen around a fork. Never destroyed, since threads outlive static objects.
struct ForkState {
  std::mutex guard;
  std::vector<ProcessMutex*> mutexes;
  std::vector<void (*)() noexcept> child_handlers;
};

ForkState& fork_state();

void before_fork() {
  fork_state().guard.lock();
  for (ProcessMutex* mutex : fork_state().mutexes) mutex->lock();
}

void after_fork() {
  for (ProcessMutex* mutex : fork_state().mutexes | std::views::reverse) mutex->unlock();
  fork_state().guard.unlock();
}

void after_fork_in_child() {
  after_fork();
  for (auto* handler : fork_state().child_handlers) handler();
}

ForkState& fork_state() {
  static ForkState& state = *[] {
    pthread_atfork(before_fork, after_fork, after_fork_in_child);
    return new ForkState;
  }();
  return state;
}

}  // namespace

std::optional<std::string> environment(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

void name_this_thread(const char* name) noexcept { pthread_setname_np(pthread_self(), name); }

void in_forked_children(void (*handler)() noexcept) {
  const std::scoped_lock lock(fork_state().guard);
  fork_state().child_handlers.push_back(handler);
}

ProcessMutex::ProcessMutex() {
  const std::scoped_lock lock(fork_state().guard);
  fork_state().mutexes.push_back(this);
}

}  // namespace tw::inline v0::os
