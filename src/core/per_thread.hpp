// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Finds a variable of the thread without a call. A library that is loaded late shares a small
/// reserve of memory for such variables with others, so all that it keeps there must be small.
#define TILEWRIGHT_FOUND_AT_ONCE [[gnu::tls_model("initial-exec")]]

namespace tw::inline v0 {

/// The calling thread's own `T`, made when it is first asked for.
template <class T>
class PerThread {
 public:
  [[nodiscard]] static T* get() { return own_ != nullptr ? own_ : make(); }

 private:
  static_assert(sizeof(T) <= 128, "what is larger keeps its values elsewhere");

  struct Value : T {
    ~Value() {
      own_ = nullptr;
      gone_ = true;
    }
  };

  [[gnu::noinline]] static T* make() {
    if (gone_) return nullptr;
    static thread_local Value value;
    return own_ = &value;
  }

  TILEWRIGHT_FOUND_AT_ONCE static inline thread_local constinit T* own_ = nullptr;
  static inline thread_local constinit bool gone_ = false;
};

/// The calling thread's own `T`; null once it is gone, at the end of the thread, when destructors
/// of other objects may still ask.
template <class T>
[[nodiscard]] T* per_thread() {
  return PerThread<T>::get();
}

}  // namespace tw::inline v0
