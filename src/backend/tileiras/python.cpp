// SPDX-License-Identifier: Apache-2.0
#include "backend/tileiras/python.hpp"

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <system_error>
#include <utility>

#include <tilewright/core/os.hpp>
#include <tilewright/core/os_library.hpp>
#include <tilewright/core/os_process.hpp>

namespace tw::inline v0::backend::tileiras {
namespace {

std::vector<std::string> ask_python() {
  const std::optional<std::string> python = os::program_on_path("python3");
  if (!python) return {};
  try {
    const os::Ending ending = os::run(
        {{*python, "-c", "import sys; print('\\n'.join(sys.path))"}, os::environment_without({})},
        {.time = std::chrono::seconds(10)});
    std::vector<std::string> folders;
    for (std::size_t begin = 0; begin < ending.output.size();) {
      const std::size_t end = std::min(ending.output.find('\n', begin), ending.output.size());
      if (ending.output[begin] == '/') {
        folders.push_back(ending.output.substr(begin, end - begin));
      }
      begin = end + 1;
    }
    return folders;
  } catch (const std::system_error&) {
    return {};
  }
}

/// What the first python3 said, once somebody has asked.
struct Answer {
  os::ProcessMutex mutex;
  std::optional<std::vector<std::string>> folders;
};
Answer& answer() {
  static Answer& only = *new Answer;
  return only;
}
const os::MadeBeforeForks<answer> made;

}  // namespace

std::optional<std::string> prefix_of_loaded_python() {
  // The path of the running interpreter: in an environment, of the link that leads to it.
  void* const function = os::global_symbol("Py_GetProgramFullPath");
  if (function == nullptr) return std::nullopt;
  const wchar_t* program = reinterpret_cast<const wchar_t* (*)()>(function)();
  if (program == nullptr || *program == L'\0') return std::nullopt;
  return std::filesystem::path(program).parent_path().parent_path().string();
}

std::vector<std::string> folders_of_first_python() {
  {
    const std::scoped_lock lock(answer().mutex);
    if (answer().folders) return *answer().folders;
  }
  // Outside the lock, since a fork would wait for it.
  std::vector<std::string> folders = ask_python();
  const std::scoped_lock lock(answer().mutex);
  return answer().folders.emplace(std::move(folders));
}

}  // namespace tw::inline v0::backend::tileiras
