// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include <tilewright/cache/cache.hpp>

namespace tw::inline v0::cache {

/// Lets one thread a key make the blob, and the others wait for it.
class Flights {
 public:
  /// What `make` gives, or gave to another thread that was in it for the same key when this one
  /// came; the flag tells whether this one made it. When `make` throws, its own thread gets that,
  /// and one of those that wait tries for itself.
  template <class Make>
  std::pair<Blob, bool> join(Key key, const Make& make) {
    const std::vector<std::byte> name(key.begin(), key.end());
    while (true) {
      const auto [flight, is_mine] = board(name);
      if (is_mine) {
        const Landing landing{*this, name, *flight};
        return {flight->blob = make(), true};
      }
      if (Blob blob = wait_for(*flight)) return {std::move(blob), false};
    }
  }

 private:
  struct Flight {
    Blob blob;  ///< null after a failure
    bool is_over = false;
  };

  /// Ends a flight, whether it came to a blob or not.
  struct Landing {
    Flights& flights;
    const std::vector<std::byte>& name;
    Flight& flight;
    ~Landing() { flights.land(name, flight); }
  };

  std::pair<std::shared_ptr<Flight>, bool> board(const std::vector<std::byte>& name);
  Blob wait_for(const Flight& flight);
  void land(const std::vector<std::byte>& name, Flight& flight);

  std::mutex mutex_;
  std::condition_variable landed_;
  std::map<std::vector<std::byte>, std::shared_ptr<Flight>> flights_;
};

}  // namespace tw::inline v0::cache
