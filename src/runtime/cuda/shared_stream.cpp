// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/shared_stream.hpp"

#include <map>
#include <mutex>

#include <tilewright/core/os.hpp>

#include "runtime/cuda/gpu.hpp"

namespace tw::inline v0::runtime::cuda {
namespace {

/// By the number of the device. Never destroyed, since threads outlive static objects.
struct SharedStreams {
  std::mutex mutex;
  std::map<int, Stream> streams;
};

SharedStreams& shared_streams() {
  static SharedStreams& all = *new SharedStreams;
  return all;
}
const os::MadeBeforeForks<shared_streams> made;

}  // namespace

StreamRef shared_stream(Device device, Location where) {
  refuse_in_forked_child(where);
  SharedStreams& all = shared_streams();
  const std::scoped_lock lock(all.mutex);
  const auto found = all.streams.find(device.index());
  if (found != all.streams.end()) return found->second;
  return all.streams.emplace(device.index(), Stream(device, where)).first->second;
}

void release_shared_streams() noexcept { shared_streams().streams.clear(); }

}  // namespace tw::inline v0::runtime::cuda
