// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <new>
#include <utility>

/// Finds a variable of the thread without a call. A library that is loaded late shares a small
/// reserve of memory for such variables with others, so all that the library keeps for a thread
/// must be a few words.
#define TILEWRIGHT_FOUND_AT_ONCE [[gnu::tls_model("initial-exec")]]

namespace tw::inline v0 {

/// The calling thread's own `T`, made when it is first asked for.
template <class T>
class PerThread {
 public:
  [[nodiscard]] static T* get() noexcept { return own_ != nullptr ? own_ : make(); }

 private:
  struct Owner {
    ~Owner() {
      gone_ = true;
      delete std::exchange(own_, nullptr);
    }
  };

  [[gnu::noinline]] static T* make() noexcept {
    if (gone_) return nullptr;
    static thread_local Owner owner;
    static_cast<void>(owner);
    return own_ = new (std::nothrow) T;
  }

  TILEWRIGHT_FOUND_AT_ONCE static inline thread_local constinit T* own_ = nullptr;
  static inline thread_local constinit bool gone_ = false;
};

/// The calling thread's own `T`. Null where there is no memory for it, and once it is gone, at the
/// end of the thread, when destructors of other objects may still ask.
template <class T>
[[nodiscard]] T* per_thread() noexcept {
  return PerThread<T>::get();
}

}  // namespace tw::inline v0
