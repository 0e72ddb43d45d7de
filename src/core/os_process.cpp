// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <tilewright/core/os.hpp>
#include <tilewright/core/os_file.hpp>
#include <tilewright/core/os_process.hpp>

extern char** environ;

namespace tw::inline v0::os {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

void require(int error, const std::string& what) {
  if (error != 0) throw std::system_error(error, std::generic_category(), what);
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (const std::string& text : texts) result.push_back(const_cast<char*>(text.c_str()));
  result.push_back(nullptr);
  return result;
}

/// The two ends of a pipe that no other child inherits.
struct Pipe {
  Pipe() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) require(errno, "pipe");
    reader = Descriptor(ends[0]);
    writer = Descriptor(ends[1]);
  }
  Descriptor reader;
  Descriptor writer;
};

/// Where a child starts, and what it has open: nothing to read, and the pipe for all that it says.
class Files {
 public:
  Files(const Descriptor& output, const std::string& folder) {
    require(posix_spawn_file_actions_init(&actions_), "posix_spawn_file_actions_init");
    if (!folder.empty()) posix_spawn_file_actions_addchdir_np(&actions_, folder.c_str());
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions_, output.number(), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, output.number(), STDERR_FILENO);
    posix_spawn_file_actions_addclosefrom_np(&actions_, STDERR_FILENO + 1);
  }
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;
  ~Files() { posix_spawn_file_actions_destroy(&actions_); }
  [[nodiscard]] const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

/// A group of its own and the signals of a fresh process, whatever this one does with its own.
class Attributes {
 public:
  Attributes() {
    require(posix_spawnattr_init(&attributes_), "posix_spawnattr_init");
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setflags(
        &attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  ~Attributes() { posix_spawnattr_destroy(&attributes_); }
  [[nodiscard]] const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

pid_t spawn(const Command& command, const Descriptor& output) {
  const Files files(output, command.folder);
  const Attributes attributes;
  pid_t child = 0;
  require(posix_spawn(&child, command.words.front().c_str(), files.get(), attributes.get(),
                      pointers(command.words).data(), pointers(command.environment).data()),
          command.words.front());
  return child;
}

/// From outside, since a limit that this process gave itself would hold for its own threads, too.
void limit_memory(pid_t child, std::uint64_t bytes) {
  const rlimit limit{.rlim_cur = bytes, .rlim_max = bytes};
  prlimit(child, RLIMIT_AS, &limit, nullptr);
  const rlimit no_core{.rlim_cur = 0, .rlim_max = 0};
  prlimit(child, RLIMIT_CORE, &no_core, nullptr);
}

/// Reads until all writers are gone; false when they are not at `end`. Keeps `limit` bytes.
bool drain(const Descriptor& reader, std::string& output, std::size_t limit,
           Clock::time_point end) {
  for (;;) {
    const auto left = std::chrono::ceil<milliseconds>(end - Clock::now());
    if (left <= milliseconds::zero()) return false;
    pollfd file{.fd = reader.number(), .events = POLLIN, .revents = 0};
    if (poll(&file, 1, static_cast<int>(left.count())) <= 0) continue;
    std::array<char, 4096> bytes{};
    const ssize_t count = read(reader.number(), bytes.data(), bytes.size());
    if (count == 0) return true;
    if (count < 0) continue;
    output.append(bytes.data(), std::min(static_cast<std::size_t>(count),
                                         limit - std::min(limit, output.size())));
  }
}

/// Whether the child has ended before `end`, or is not ours to wait for. It stays a zombie, so that
/// its number is not given to others.
bool await(pid_t child, Clock::time_point end) {
  constexpr milliseconds longest_pause{10};
  for (milliseconds pause{1};; pause = std::min(2 * pause, longest_pause)) {
    siginfo_t info{};
    const int failed = waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT | WNOHANG);
    if (info.si_pid == child || (failed != 0 && errno != EINTR)) return true;
    if (Clock::now() > end) return false;
    std::this_thread::sleep_for(pause);
  }
}

Ending reap(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) != child) {
    if (errno != EINTR) return {};
  }
  if (WIFSIGNALED(status)) return {Ending::Kind::killed, WTERMSIG(status), {}};
  return {Ending::Kind::exited, WEXITSTATUS(status), {}};
}

}  // namespace

std::string to_string(const Ending& ending) {
  switch (ending.kind) {
    case Ending::Kind::exited:
      return fmt::format("exited with status {}", ending.code);
    case Ending::Kind::killed:
      return fmt::format("was killed by signal {} ({})", ending.code, strsignal(ending.code));
    case Ending::Kind::timed_out:
      return "did not end in time";
    case Ending::Kind::unknown:
      break;
  }
  return "ended without a status";
}

Ending run(const Command& command, const ProcessLimits& limits) {
  const Clock::time_point end = Clock::now() + limits.time;
  Pipe pipe;
  const pid_t child = spawn(command, pipe.writer);
  limit_memory(child, limits.memory_bytes);
  pipe.writer = Descriptor();
  std::string output;
  const bool in_time = drain(pipe.reader, output, limits.output_bytes, end) && await(child, end);
  // What it started may have outlived it, or does not end either.
  kill(-child, SIGKILL);
  Ending ending = reap(child);
  if (!in_time) ending = {Ending::Kind::timed_out, 0, {}};
  ending.output = std::move(output);
  return ending;
}

std::vector<std::string> environment_without(std::initializer_list<std::string_view> names) {
  std::vector<std::string> result;
  for (char** each = environ; each != nullptr && *each != nullptr; ++each) {
    const std::string_view text = *each;
    const std::string_view name = text.substr(0, text.find('='));
    if (std::ranges::find(names, name) == names.end()) result.emplace_back(text);
  }
  return result;
}

bool is_program(const std::string& path) noexcept {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}

std::optional<std::string> program_on_path(std::string_view name) {
  const std::string folders = environment("PATH").value_or("");
  for (std::size_t begin = 0; begin <= folders.size();) {
    const std::size_t end = std::min(folders.find(':', begin), folders.size());
    std::string path = fmt::format("{}/{}", folders.substr(begin, end - begin), name);
    // An empty folder would be the current one, which is nobody's to trust.
    if (end > begin && is_program(path)) return path;
    begin = end + 1;
  }
  return std::nullopt;
}

TemporaryFolder::TemporaryFolder(std::string_view prefix)
    : path_(fmt::format("{}/{}XXXXXX", environment("TMPDIR").value_or("/tmp"), prefix)) {
  if (mkdtemp(path_.data()) == nullptr) require(errno, path_);
}

TemporaryFolder::~TemporaryFolder() {
  if (kept_) return;
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace tw::inline v0::os
