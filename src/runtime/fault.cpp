// SPDX-License-Identifier: Apache-2.0
#include <mutex>
#include <string>
#include <utility>

#include <tilewright/core/log.hpp>
#include <tilewright/core/os.hpp>
#include <tilewright/runtime/fault.hpp>

namespace tw::inline v0::runtime {
namespace {

/// Guards all lists: faults are rare.
os::ProcessMutex& fault_mutex() {
  static os::ProcessMutex& mutex = *new os::ProcessMutex;
  return mutex;
}

std::string message_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& exception) {
    return exception.what();
  } catch (...) {
    return "an exception that is no std::exception";
  }
}

}  // namespace

Fault::Fault(std::exception_ptr error, Mark command) noexcept
    : error_(std::move(error)), command_(command) {}

Fault::~Fault() {
  if (!collected()) write_log(LogLevel::error, message_of(error_));
}

std::exception_ptr Fault::collect() noexcept {
  if (collected_.exchange(true, std::memory_order_acq_rel)) return nullptr;
  return error_;
}

// A fault that is let go reaches the log sink: not while the lock is held.
void FaultList::add(std::shared_ptr<Fault> fault) {
  std::shared_ptr<Fault> let_go;
  const std::scoped_lock lock(fault_mutex());
  std::erase_if(faults_, [](const auto& each) { return each->collected(); });
  if (faults_.size() == capacity) {
    let_go = std::move(faults_.front());
    faults_.erase(faults_.begin());
  }
  faults_.push_back(std::move(fault));
}

std::exception_ptr FaultList::collect_first() {
  const std::scoped_lock lock(fault_mutex());
  for (const auto& fault : faults_) {
    if (auto error = fault->collect()) return error;
  }
  return nullptr;
}

std::exception_ptr FaultList::collect(Mark command) {
  const std::scoped_lock lock(fault_mutex());
  for (const auto& fault : faults_) {
    if (fault->command() != command) continue;
    if (auto error = fault->collect()) return error;
  }
  return nullptr;
}

void FaultList::clear() {
  std::vector<std::shared_ptr<Fault>> let_go;
  const std::scoped_lock lock(fault_mutex());
  faults_.swap(let_go);
}

}  // namespace tw::inline v0::runtime
