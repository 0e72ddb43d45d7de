// SPDX-License-Identifier: Apache-2.0
#include <list>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <tilewright/cache/memory_cache.hpp>

namespace tw::inline v0::cache::detail {
namespace {

std::string_view text_of(Key key) {
  return {reinterpret_cast<const char*>(key.data()), key.size()};
}

}  // namespace

struct LruMap::State {
  struct Entry {
    std::vector<std::byte> key;
    std::shared_ptr<const void> value;
    std::uint64_t bytes;
  };
  using Entries = std::list<Entry>;

  explicit State(std::uint64_t limit_bytes) : limit(limit_bytes) {}

  /// Takes an entry out of the map and hands it over: values are destroyed when the lock is free,
  /// since what they own may call anything.
  void move_out(Entries::iterator entry, Entries& out) {
    bytes -= entry->bytes;
    by_key.erase(text_of(entry->key));
    out.splice(out.end(), entries, entry);
  }

  const std::uint64_t limit;
  mutable std::mutex mutex;
  std::uint64_t bytes = 0;
  Entries entries;  ///< the one that was asked for last comes first
  std::unordered_map<std::string_view, Entries::iterator> by_key;
};

LruMap::LruMap(std::uint64_t limit) : state_(std::make_unique<State>(limit)) {}
LruMap::~LruMap() = default;

std::shared_ptr<const void> LruMap::find(Key key) {
  const std::scoped_lock lock(state_->mutex);
  const auto found = state_->by_key.find(text_of(key));
  if (found == state_->by_key.end()) return nullptr;
  state_->entries.splice(state_->entries.begin(), state_->entries, found->second);
  return found->second->value;
}

void LruMap::put(Key key, std::shared_ptr<const void> value, std::uint64_t bytes) {
  const std::uint64_t whole = bytes + key.size();
  State::Entries removed;
  State::Entries added;
  added.push_back({{key.begin(), key.end()}, std::move(value), whole});
  const std::scoped_lock lock(state_->mutex);
  const auto old = state_->by_key.find(text_of(key));
  if (old != state_->by_key.end()) state_->move_out(old->second, removed);
  if (whole > state_->limit) return;
  while (state_->bytes + whole > state_->limit) {
    state_->move_out(std::prev(state_->entries.end()), removed);
  }
  state_->bytes += whole;
  state_->by_key.emplace(text_of(added.front().key), added.begin());
  state_->entries.splice(state_->entries.begin(), added);
}

void LruMap::erase(Key key) {
  State::Entries removed;
  const std::scoped_lock lock(state_->mutex);
  const auto found = state_->by_key.find(text_of(key));
  if (found != state_->by_key.end()) state_->move_out(found->second, removed);
}

void LruMap::retain(std::span<const Key> keys) {
  std::unordered_set<std::string_view> kept;
  for (const Key key : keys) kept.insert(text_of(key));
  State::Entries removed;
  const std::scoped_lock lock(state_->mutex);
  for (auto entry = state_->entries.begin(); entry != state_->entries.end();) {
    const auto next = std::next(entry);
    if (!kept.contains(text_of(entry->key))) state_->move_out(entry, removed);
    entry = next;
  }
}

void LruMap::clear() { retain({}); }

std::uint64_t LruMap::bytes() const {
  const std::scoped_lock lock(state_->mutex);
  return state_->bytes;
}

std::size_t LruMap::count() const {
  const std::scoped_lock lock(state_->mutex);
  return state_->entries.size();
}

}  // namespace tw::inline v0::cache::detail
