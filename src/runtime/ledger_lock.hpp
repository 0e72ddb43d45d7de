// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include <tilewright/core/location.hpp>
#include <tilewright/core/os.hpp>
#include <tilewright/runtime/submit.hpp>

#include "runtime/wait_list.hpp"

namespace tw::inline v0::runtime {

/// One lock for all ledgers, as a command records all its uses at once, and for what decides
/// whether a use is allowed. It is held for some nanoseconds.
os::ProcessMutex& ledger_mutex();

/// Records all uses of the command at `mark` and returns what it must await. Throws LaunchError,
/// and records nothing, when a storage is written that is read-only or was frozen meanwhile, or
/// used though its borrowing has ended.
WaitList record_uses(Mark mark, std::span<const Use> uses, Location where);

/// The same for one read by the calling thread itself, which is going to wait. Throws LaunchError
/// also when that would be for a command that the thread is running.
WaitList record_host_read(Mark mark, Storage& storage, Location where);

}  // namespace tw::inline v0::runtime
