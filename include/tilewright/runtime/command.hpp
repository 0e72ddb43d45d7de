// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include <tilewright/core/export.hpp>

namespace tw::inline v0::runtime {

class Execution;

/// A piece of work for a queue: something movable that is called once, with `(Execution&)` or with
/// nothing. Up to `inline_bytes` of it stay in the object, so that enqueuing allocates nothing.
///
/// On a GPU the call only hands work to the driver. What is to be done on the host when that work
/// is over, the member `settle(Execution&)` does, if there is one; on the CPU it follows the call.
///
/// What the work needs while in flight, such as leases on storages, is part of it: it is destroyed
/// when all that is done.
class Command {
 public:
  static constexpr std::size_t inline_bytes = 256;

  /// Does nothing.
  Command() noexcept = default;
  template <class F>
    requires(!std::same_as<std::remove_cvref_t<F>, Command>)
  Command(F&& work) {  // NOLINT(google-explicit-constructor)
    using Work = std::remove_cvref_t<F>;
    if constexpr (fits<Work>) {
      ::new (static_cast<void*>(state_)) Work(std::forward<F>(work));
      operations_ = &operations_of<Work>;
    } else {
      using Boxed = Box<Work>;
      ::new (static_cast<void*>(state_)) Boxed{std::make_unique<Work>(std::forward<F>(work))};
      operations_ = &operations_of<Boxed>;
    }
  }
  Command(Command&& other) noexcept { take(other); }
  Command& operator=(Command&& other) noexcept {
    if (this != &other) {
      clear();
      take(other);
    }
    return *this;
  }
  ~Command() { clear(); }

  void run(Execution& execution) {
    if (operations_ != nullptr) operations_->run(state_, execution);
  }
  void settle(Execution& execution) {
    if (operations_ != nullptr && operations_->settle != nullptr) {
      operations_->settle(state_, execution);
    }
  }
  /// Destroys the work.
  void clear() noexcept {
    if (operations_ != nullptr) std::exchange(operations_, nullptr)->destroy(state_);
  }
  /// Forgets the work without destroying it.
  void leak() noexcept { operations_ = nullptr; }

 private:
  struct Operations {
    void (*run)(void* work, Execution& execution);
    void (*settle)(void* work, Execution& execution);  ///< null: nothing is to be done
    void (*relocate)(void* to, void* from) noexcept;
    void (*destroy)(void* work) noexcept;
  };

  template <class Work>
  static constexpr bool settles =
      requires(Work& work, Execution& execution) { work.settle(execution); };

  template <class Work>
  static constexpr auto settle_of() -> void (*)(void* work, Execution& execution) {
    if constexpr (settles<Work>) {
      return [](void* work, Execution& execution) { static_cast<Work*>(work)->settle(execution); };
    } else {
      return nullptr;
    }
  }

  template <class Work>
  struct Box {
    std::unique_ptr<Work> work;
    void operator()(Execution& execution) { call(*work, execution); }
    void settle(Execution& execution)
      requires settles<Work>
    {
      work->settle(execution);
    }
  };

  template <class Work>
  static constexpr bool fits =
      sizeof(Work) <= inline_bytes && alignof(Work) <= alignof(std::max_align_t) &&
      std::is_nothrow_move_constructible_v<Work>;

  template <class Work>
  static void call(Work& work, Execution& execution) {
    if constexpr (std::invocable<Work&, Execution&>) {
      work(execution);
    } else {
      work();
    }
  }

  template <class Work>
  static constexpr Operations operations_of = {
      [](void* work, Execution& execution) { call(*static_cast<Work*>(work), execution); },
      settle_of<Work>(),
      [](void* to, void* from) noexcept {
        ::new (to) Work(std::move(*static_cast<Work*>(from)));
        static_cast<Work*>(from)->~Work();
      },
      [](void* work) noexcept { static_cast<Work*>(work)->~Work(); },
  };

  void take(Command& other) noexcept {
    operations_ = std::exchange(other.operations_, nullptr);
    if (operations_ != nullptr) operations_->relocate(state_, other.state_);
  }

  const Operations* operations_ = nullptr;
  alignas(std::max_align_t) std::byte state_[inline_bytes];
};

}  // namespace tw::inline v0::runtime
