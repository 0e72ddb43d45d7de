// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tw::inline v0 {

/// The calling thread's own `T`, made when it is first asked for; null once it is gone, at the end
/// of the thread, when destructors of other objects may still ask.
template <class T>
[[nodiscard]] T* per_thread() {
  static thread_local bool gone = false;
  struct Value : T {
    ~Value() { gone = true; }
  };
  static thread_local Value value;
  return gone ? nullptr : &value;
}

}  // namespace tw::inline v0
