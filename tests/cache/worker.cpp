// SPDX-License-Identifier: Apache-2.0
//
// A process of a test: it uses a cache's folder beside others, and may be killed at any time.
//
//   cache_worker share FOLDER LOGS
//     Eight threads get 6 keys; a blob made leaves a byte in LOGS/KEY.
//   cache_worker churn FOLDER SEED
//     Says that it has begun, then gets, erases and evicts for ever.
//   cache_worker hang FOLDER
//     Starts to make the blob of key 0, says so, and never ends.
//   cache_worker visit FOLDER USER
//     As USER, gets keys 0 and 1 in two caches; prints what it made and what went to the log.
//   cache_worker crowd FOLDER
//     The same, where not a byte can be written.
//
// Its status is 0 when every blob was the right one.
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <sys/resource.h>
#include <unistd.h>

#include <tilewright/cache/cache.hpp>
#include <tilewright/core/log.hpp>

#include "tests/cache/known_blobs.hpp"

namespace {

using namespace std::chrono_literals;
using tw::cache::Cache;
using tw::tests::is_known;
using tw::tests::known_blob;
using tw::tests::known_key;

constexpr int wrong = 1;

/// Lets the test read a line now.
void say(const char* line) {
  std::puts(line);
  std::fflush(stdout);
}

int share(const std::string& folder, const std::string& logs) {
  constexpr std::uint64_t keys = 6;
  Cache cache({.folder = folder});
  std::atomic<int> status = 0;
  std::vector<std::thread> threads;
  for (std::uint64_t first = 0; first < 8; ++first) {
    threads.emplace_back([&, first] {
      for (std::uint64_t step = 0; step < keys; ++step) {
        const std::uint64_t number = (first + step) % keys;
        const auto blob = cache.get(known_key(number), [&] {
          std::ofstream(logs + "/" + std::to_string(number), std::ios::app) << 'x';
          std::this_thread::sleep_for(5ms);
          return known_blob(number);
        });
        if (!is_known(blob, number)) status = wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  return status;
}

int churn(const std::string& folder, const std::string& seed) {
  std::minstd_rand random(static_cast<unsigned>(std::stoul(seed)) + 1);
  for (bool has_begun = false;; has_begun = true) {
    Cache cache({.folder = folder, .memory_limit = 32 << 10, .disk_limit = 200 << 10});
    for (int step = 0; step < 50; ++step) {
      const std::uint64_t number = random() % 40;
      const auto blob = cache.get(known_key(number), [&] { return known_blob(number); });
      if (!is_known(blob, number)) return wrong;
      if (!has_begun && step == 0) say("begun");
      if (random() % 8 == 0) cache.erase(known_key(random() % 40));
    }
  }
}

int hang(const std::string& folder) {
  Cache cache({.folder = folder});
  (void)cache.get(known_key(0), []() -> std::vector<std::byte> {
    say("compiling");
    while (true) std::this_thread::sleep_for(1h);
  });
  return wrong;
}

int visit(const std::string& folder) {
  tw::set_log_sink([](tw::LogLevel, std::string_view text) {
    std::printf("log: %.*s\n", static_cast<int>(text.size()), text.data());
  });
  int status = 0;
  for (int round = 0; round < 2; ++round) {
    Cache cache({.folder = folder});
    for (std::uint64_t number = 0; number < 2; ++number) {
      const auto blob = cache.get(known_key(number), [&] {
        std::printf("made %d\n", static_cast<int>(number));
        return known_blob(number);
      });
      if (!is_known(blob, number)) status = wrong;
    }
  }
  return status;
}

int visit_as(const std::string& folder, const std::string& user) {
  if (setuid(static_cast<uid_t>(std::stoul(user))) != 0) return wrong;
  return visit(folder);
}

int visit_with_full_disk(const std::string& folder) {
  const rlimit nothing{0, 0};
  std::signal(SIGXFSZ, SIG_IGN);
  if (setrlimit(RLIMIT_FSIZE, &nothing) != 0) return wrong;
  return visit(folder);
}

}  // namespace

int main(int count, char** arguments) {
  const std::string task = count > 2 ? arguments[1] : "";
  const std::string folder = count > 2 ? arguments[2] : "";
  const std::string more = count > 3 ? arguments[3] : "";
  if (task == "share") return share(folder, more);
  if (task == "churn") return churn(folder, more);
  if (task == "hang") return hang(folder);
  if (task == "visit") return visit_as(folder, more);
  if (task == "crowd") return visit_with_full_disk(folder);
  return 2;
}
