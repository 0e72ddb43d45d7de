// SPDX-License-Identifier: Apache-2.0
#include "interp/pool.hpp"

#include <condition_variable>
#include <exception>
#include <mutex>
#include <new>
#include <thread>
#include <vector>

#include <tilewright/core/os.hpp>

namespace tw::inline v0::interp {
namespace {

/// One call of `share`.
struct Job {
  Chunks chunks;
  const std::function<void(Chunks&)>& work;
  unsigned helpers_wanted;
  unsigned helpers_inside = 0;
  std::exception_ptr failure;
};

class Pool {
 public:
  /// Never destroyed: its threads may outlive every static object.
  static Pool& instance() {
    static Pool& pool = *[] {
      // The child has none of the threads, and others may have held the lock.
      os::in_forked_children([]() noexcept { ::new (static_cast<void*>(&instance())) Pool; });
      return new Pool;
    }();
    return pool;
  }

  void run(Job& job) {
    const unsigned helpers = job.helpers_wanted;
    {
      const std::lock_guard lock(mutex_);
      for (; threads_ < helpers; ++threads_) std::thread(&Pool::help, this).detach();
      jobs_.push_back(&job);
    }
    wake_.notify_all();
    take_part(job);
    std::unique_lock lock(mutex_);
    std::erase(jobs_, &job);
    done_.wait(lock, [&] { return job.helpers_inside == 0; });
  }

 private:
  void take_part(Job& job) {
    try {
      job.work(job.chunks);
    } catch (...) {
      job.chunks.stop();
      const std::lock_guard lock(mutex_);
      if (!job.failure) job.failure = std::current_exception();
    }
  }

  [[noreturn]] void help() {
    std::unique_lock lock(mutex_);
    for (;;) {
      Job* job = nullptr;
      wake_.wait(lock, [&] { return (job = open_job()) != nullptr; });
      --job->helpers_wanted;
      ++job->helpers_inside;
      lock.unlock();
      take_part(*job);
      lock.lock();
      if (--job->helpers_inside == 0) done_.notify_all();
    }
  }

  Job* open_job() {
    for (Job* job : jobs_) {
      if (job->helpers_wanted > 0) return job;
    }
    return nullptr;
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable done_;
  std::vector<Job*> jobs_;  ///< oldest first
  unsigned threads_ = 0;
};

const os::MadeBeforeForks<Pool::instance> made;

}  // namespace

void share(std::uint64_t count, unsigned threads, const std::function<void(Chunks&)>& work) {
  if (threads <= 1) {
    Chunks chunks(count, 1);
    work(chunks);
    return;
  }
  Job job{Chunks(count, threads), work, threads - 1};
  Pool::instance().run(job);
  if (job.failure) std::rethrow_exception(job.failure);
}

}  // namespace tw::inline v0::interp
