// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/watch.hpp"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <tilewright/core/os.hpp>

#include "runtime/queue.hpp"

namespace tw::inline v0::runtime::cuda {
namespace {

/// How often commands are asked after: about what it takes to wake a thread.
constexpr std::chrono::microseconds interval(20);

struct Watched {
  Mark mark;
  Executor* executor;
  Resumption resumption;

  [[nodiscard]] bool reached() const noexcept {
    return Queue::find(mark.queue())->has_completed(mark.ticket());
  }
  void post() noexcept { executor->post(std::move(resumption)); }
};

/// What is watched, and the thread that does it. Never destroyed, as its thread outlives static
/// objects.
class Watch {
 public:
  /// Whether there was room for it.
  bool add(Watched& watched) noexcept try {
    const std::scoped_lock lock(mutex_);
    if (!has_thread_) {
      std::thread([this] { work(); }).detach();
      has_thread_ = true;
    }
    arrived_.push_back(std::move(watched));
    arrival_.notify_one();
    return true;
  } catch (const std::exception&) {
    return false;
  }

 private:
  [[noreturn]] void work() {
    os::name_this_thread("tw gpu watch");
    for (std::vector<Watched> watched;;) {
      take_arrived(watched);
      std::erase_if(watched, [](Watched& each) {
        const bool reached = each.reached();
        if (reached) each.post();
        return reached;
      });
    }
  }

  void take_arrived(std::vector<Watched>& watched) {
    std::unique_lock lock(mutex_);
    const auto any = [&] { return !arrived_.empty(); };
    if (watched.empty()) {
      arrival_.wait(lock, any);
    } else {
      arrival_.wait_for(lock, interval, any);
    }
    for (Watched& each : arrived_) watched.push_back(std::move(each));
    arrived_.clear();
  }

  std::mutex mutex_;
  std::condition_variable arrival_;
  std::vector<Watched> arrived_;
  bool has_thread_ = false;
};

// A forked child watches nothing.
Watch& watch() {
  static Watch& only = *new Watch;
  return only;
}
const os::MadeBeforeForks<watch> made;

}  // namespace

void post_when_reached(Mark mark, Executor& executor, Resumption resumption) noexcept {
  Watched watched{mark, &executor, std::move(resumption)};
  if (watch().add(watched)) return;
  Queue::find(mark.queue())->wait(mark.ticket());
  watched.post();
}

}  // namespace tw::inline v0::runtime::cuda
