// SPDX-License-Identifier: Apache-2.0
#include "cache/flights.hpp"

namespace tw::inline v0::cache {

std::pair<std::shared_ptr<Flights::Flight>, bool> Flights::board(
    const std::vector<std::byte>& name) {
  const std::scoped_lock lock(mutex_);
  const auto [entry, is_mine] = flights_.try_emplace(name);
  if (is_mine) entry->second = std::make_shared<Flight>();
  return {entry->second, is_mine};
}

Blob Flights::wait_for(const Flight& flight) {
  std::unique_lock lock(mutex_);
  landed_.wait(lock, [&] { return flight.is_over; });
  return flight.blob;
}

void Flights::land(const std::vector<std::byte>& name, Flight& flight) {
  const std::scoped_lock lock(mutex_);
  flight.is_over = true;
  flights_.erase(name);
  landed_.notify_all();
}

}  // namespace tw::inline v0::cache
