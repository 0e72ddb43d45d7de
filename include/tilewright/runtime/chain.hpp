// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <coroutine>
#include <cstdint>
#include <utility>

#include <tilewright/core/export.hpp>

namespace tw::inline v0::runtime {

/// A task that was started together with all tasks it awaits: the frames that run one after the
/// other, of which one at most runs at a time. It decides who may resume or destroy them when a
/// completion and the destruction of the outermost Task meet on two threads.
///
/// A frame suspends by `suspend`, after which it belongs to whoever succeeds with `resume` (a
/// completion) or `abandon` (the destructor of the Task). A chain abandoned while it runs elsewhere
/// is destroyed there, when it next suspends or finishes.
class Chain {
 public:
  Chain() noexcept = default;
  Chain(const Chain&) = delete;
  Chain& operator=(const Chain&) = delete;

  /// Notes the outermost frame; before the chain is started.
  void set_frame(std::coroutine_handle<> outermost) noexcept { frame_ = outermost; }

  /// Lets go of the frames while something is awaited. False when the chain was abandoned: the
  /// caller must then call `destroy_frames` and return.
  [[nodiscard]] bool suspend() noexcept { return step(State::running, State::suspended); }
  /// Takes the frames to run them. False when the chain was abandoned.
  [[nodiscard]] bool resume() noexcept { return step(State::suspended, State::running); }
  /// Says that the outermost frame has its result. False when the chain was abandoned, as for
  /// `suspend`.
  [[nodiscard]] bool finish() noexcept { return step(State::running, State::finished); }
  /// Gives the chain up. True when the caller is to destroy the frames; else they run elsewhere.
  [[nodiscard]] bool abandon() noexcept {
    return state_.exchange(State::abandoned, std::memory_order_acq_rel) != State::running;
  }
  void destroy_frames() noexcept { frame_.destroy(); }

  /// What to run after the chain has finished.
  [[nodiscard]] virtual std::coroutine_handle<> on_finish() noexcept = 0;

  void hold() noexcept { holds_.fetch_add(1, std::memory_order_relaxed); }
  void release() noexcept {
    if (holds_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

 protected:
  virtual ~Chain() = default;

 private:
  enum class State : std::uint8_t { running, suspended, finished, abandoned };

  [[nodiscard]] bool step(State from, State to) noexcept {
    return state_.compare_exchange_strong(from, to, std::memory_order_acq_rel,
                                          std::memory_order_acquire);
  }

  std::atomic<State> state_ = State::running;
  std::atomic<std::uint32_t> holds_ = 0;
  std::coroutine_handle<> frame_;
};

/// A counted reference to a chain.
class ChainRef {
 public:
  ChainRef() noexcept = default;
  explicit ChainRef(Chain* chain) noexcept : chain_(chain) {
    if (chain_ != nullptr) chain_->hold();
  }
  ChainRef(const ChainRef& other) noexcept : ChainRef(other.chain_) {}
  ChainRef(ChainRef&& other) noexcept : chain_(std::exchange(other.chain_, nullptr)) {}
  ChainRef& operator=(ChainRef other) noexcept {
    std::swap(chain_, other.chain_);
    return *this;
  }
  ~ChainRef() {
    if (chain_ != nullptr) chain_->release();
  }

  Chain* operator->() const noexcept { return chain_; }
  explicit operator bool() const noexcept { return chain_ != nullptr; }

 private:
  Chain* chain_ = nullptr;
};

}  // namespace tw::inline v0::runtime
