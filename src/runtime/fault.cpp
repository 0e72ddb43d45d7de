// SPDX-License-Identifier: Apache-2.0
#include "runtime/fault.hpp"

#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <tilewright/core/log.hpp>
#include <tilewright/core/os.hpp>
#include <tilewright/runtime/fault_list.hpp>

namespace tw::inline v0::runtime {
namespace {

/// Guards all lists: faults are rare.
os::ProcessMutex& fault_mutex() {
  static os::ProcessMutex& mutex = *new os::ProcessMutex;
  return mutex;
}
const os::MadeBeforeForks<fault_mutex> made;

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

struct FaultList::Entries {
  std::vector<std::shared_ptr<Fault>> faults;
};

// A fault that is let go reaches the log sink: not while the lock is held.
void FaultList::add(Fault& fault) {
  std::shared_ptr<Fault> let_go;
  const std::scoped_lock lock(fault_mutex());
  if (entries_ == nullptr) entries_ = new Entries;
  auto& faults = entries_->faults;
  std::erase_if(faults, [](const auto& each) { return each->collected(); });
  if (faults.size() == capacity) {
    let_go = std::move(faults.front());
    faults.erase(faults.begin());
  }
  faults.push_back(fault.shared_from_this());
}

std::exception_ptr FaultList::collect_first() {
  const std::scoped_lock lock(fault_mutex());
  if (entries_ == nullptr) return nullptr;
  for (const auto& fault : entries_->faults) {
    if (auto error = fault->collect()) return error;
  }
  return nullptr;
}

std::exception_ptr FaultList::collect(Mark command) {
  const std::scoped_lock lock(fault_mutex());
  if (entries_ == nullptr) return nullptr;
  for (const auto& fault : entries_->faults) {
    if (fault->command() != command) continue;
    if (auto error = fault->collect()) return error;
  }
  return nullptr;
}

void FaultList::let_go() noexcept {
  std::unique_ptr<Entries> entries;
  const std::scoped_lock lock(fault_mutex());
  entries.reset(std::exchange(entries_, nullptr));
}

}  // namespace tw::inline v0::runtime
