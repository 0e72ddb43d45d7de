// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

#include <tilewright/core/export.hpp>

/// The library's way to the operating system; private to it.
namespace tw::inline v0::os {

/// The value of an environment variable; nothing when it is unset or empty.
[[nodiscard]] TILEWRIGHT_API std::optional<std::string> environment(const char* name);

/// Names the calling thread, for debuggers and profilers: at most 15 characters.
TILEWRIGHT_API void name_this_thread(const char* name) noexcept;

/// Has `handler` called in the child of every fork from now on, where no other thread is left.
TILEWRIGHT_API void in_forked_children(void (*handler)() noexcept);

/// Has `handler` called before every fork from now on.
TILEWRIGHT_API void before_forks(void (*handler)() noexcept);

/// Has the object that `Make` makes at its first call made before a fork: the child would wait for
/// ever for one that another thread was about to make. To stand beside `Make`, in its namespace.
template <auto Make>
struct MadeBeforeForks {
  MadeBeforeForks() {
    before_forks([]() noexcept {
      try {
        static_cast<void>(Make());
      } catch (...) {  // then nobody has begun to make it
      }
    });
  }
};

/// A mutex for state of the whole process that a fork may interrupt: it is free in the child, and
/// what it guards is whole there. It lasts until the process ends. Holding one, a thread must not
/// lock another, nor fork.
class TILEWRIGHT_API ProcessMutex {
 public:
  ProcessMutex();
  ProcessMutex(const ProcessMutex&) = delete;
  ProcessMutex& operator=(const ProcessMutex&) = delete;

  void lock() { mutex_.lock(); }
  void unlock() { mutex_.unlock(); }

 private:
  std::mutex mutex_;
};

/// A mutex that may be held while a fork happens, also by other threads: it is free in the child.
/// What it guards must be whole at any time.
class TILEWRIGHT_API ForkableMutex {
 public:
  void lock() noexcept;
  void unlock() noexcept;

 private:
  std::atomic<std::uint32_t> holder_ = 0;  ///< the process of the thread that holds it; 0 if free
};

}  // namespace tw::inline v0::os
