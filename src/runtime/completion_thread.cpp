// SPDX-License-Identifier: Apache-2.0
#include "runtime/completion_thread.hpp"

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include <tilewright/core/os.hpp>
#include <tilewright/runtime/executor.hpp>

namespace tw::inline v0 {
namespace runtime {
namespace {

thread_local bool is_completion_thread = false;

/// What is to go on, and the thread that does it. Never destroyed, as its thread outlives static
/// objects.
struct Line {
  std::mutex mutex;
  std::condition_variable arrival;
  std::deque<Resumption> waiting;
  bool has_thread = false;
};

Resumption next_of(Line& line) {
  std::unique_lock lock(line.mutex);
  line.arrival.wait(lock, [&] { return !line.waiting.empty(); });
  Resumption resumption = std::move(line.waiting.front());
  line.waiting.pop_front();
  return resumption;
}

[[noreturn]] void work(Line& line) {
  os::name_this_thread("tw completion");
  is_completion_thread = true;
  for (;;) next_of(line)();
}

/// The runtime's own thread, started when it is first needed. It runs what tasks go on with in the
/// order of arrival; a machine that has no thread or memory left runs it on the threads of the
/// streams.
class CompletionThread final : public Executor {
 public:
  void post(Resumption resumption) noexcept override {
    if (!append(resumption)) resumption();
  }

  /// In a forked child: leaves the line to the parent.
  void forget_parent() noexcept { line_ = new Line; }

 private:
  bool append(Resumption& resumption) noexcept try {
    Line& line = *line_;
    const std::scoped_lock lock(line.mutex);
    if (!line.has_thread) {
      std::thread([&line] { work(line); }).detach();
      line.has_thread = true;
    }
    line.waiting.push_back(std::move(resumption));
    line.arrival.notify_one();
    return true;
  } catch (const std::exception&) {
    return false;
  }

  Line* line_ = new Line;
};

CompletionThread& completion_thread() {
  static CompletionThread& thread = *[] {
    os::in_forked_children([]() noexcept { completion_thread().forget_parent(); });
    return new CompletionThread;
  }();
  return thread;
}
const os::MadeBeforeForks<completion_thread> made;

}  // namespace

bool on_completion_thread() noexcept { return is_completion_thread; }

}  // namespace runtime

Executor& completion_executor() { return runtime::completion_thread(); }

}  // namespace tw::inline v0
