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
  std::vector<void (*)() noexcept> first_handlers;
  std::vector<void (*)() noexcept> child_handlers;
  std::atomic<std::uint32_t> process = 1;  ///< counts the forks that led to this process
};

ForkState& fork_state();

void before_fork() {
  ForkState& state = fork_state();
  state.guard.lock();
  // Handlers may make mutexes, and more of them may arrive meanwhile.
  for (std::size_t i = 0; i < state.first_handlers.size(); ++i) {
    auto* handler = state.first_handlers[i];
    state.guard.unlock();
    handler();
    state.guard.lock();
  }
  for (ProcessMutex* mutex : state.mutexes) mutex->lock();
}

void after_fork() {
  for (ProcessMutex* mutex : fork_state().mutexes | std::views::reverse) mutex->unlock();
  fork_state().guard.unlock();
}

void after_fork_in_child() {
  after_fork();
  fork_state().process.fetch_add(1, std::memory_order_relaxed);
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

void before_forks(void (*handler)() noexcept) {
  const std::scoped_lock lock(fork_state().guard);
  fork_state().first_handlers.push_back(handler);
}

void ForkableMutex::lock() noexcept {
  const std::uint32_t mine = fork_state().process.load(std::memory_order_relaxed);
  std::uint32_t seen = 0;
  // A holder of another process is a thread that this one does not have.
  while (!holder_.compare_exchange_weak(seen, mine, std::memory_order_acquire)) {
    if (seen != mine) continue;
    holder_.wait(mine, std::memory_order_relaxed);
    seen = 0;
  }
}

void ForkableMutex::unlock() noexcept {
  holder_.store(0, std::memory_order_release);
  holder_.notify_one();
}

ProcessMutex::ProcessMutex() {
  const std::scoped_lock lock(fork_state().guard);
  fork_state().mutexes.push_back(this);
}

}  // namespace tw::inline v0::os
