// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <cstddef>
#include <exception>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include <tilewright/backend/backend.hpp>
#include <tilewright/backend/tileiras/assembler.hpp>
#include <tilewright/core/os.hpp>
#include <tilewright/core/version.hpp>
#include <tilewright/tilewright.hpp>

#include "build.hpp"
#include "command.hpp"
#include "error.hpp"
#include "interp/isa.hpp"
#include "kernels/vadd.hpp"

namespace tw::cli {
namespace {

/// What was found out about one thing, and what to do about it if anything is to be done.
struct Finding {
  std::string text;
  std::string hint = {};
};

Finding look_at_library() {
  const Version version = library_version();
  const Build build = this_build();
  return {fmt::format("tilewright {}.{}.{}, {} by {}", version.major, version.minor, version.patch,
                      build.type, build.compiler)};
}

Finding look_at_processor() {
  const std::string threads = fmt::format("{} threads", std::thread::hardware_concurrency());
  switch (interp::isa_in_use()) {
    case interp::Isa::avx512:
      return {threads + ", inner loops for x86-64-v4 (AVX-512)"};
    case interp::Isa::avx2:
      return {threads + ", inner loops for x86-64-v3 (AVX2)"};
    case interp::Isa::baseline:
      break;
  }
  return {threads + ", inner loops for the baseline of the architecture",
          "kernels run faster on x86-64 processors with AVX2"};
}

Finding look_at_devices() {
  std::string text =
      fmt::format("{}, by the {}", Device::cpu().name(), backend::backend_for({}).name());
  const int gpus = gpu_count();
  for (int i = 0; i < gpus; ++i) {
    const Device gpu = Device::gpu(i);
    text += fmt::format("; {}, sm_{}", gpu.name(), gpu.compute_capability());
  }
  const bool unused = gpus > 0 && default_device().kind() == DeviceKind::cpu;
  return {text, unused ? "the default device is the CPU: set TILEWRIGHT_DEVICE=gpu:0 for the GPU"
                       : std::string()};
}

std::string looked_at(const std::vector<backend::tileiras::Candidate>& candidates) {
  std::string text;
  for (const backend::tileiras::Candidate& each : candidates) {
    text += fmt::format("\n{:<13}{} ({}): {}", "", each.path, each.source, each.problem);
  }
  return text;
}

/// What a variable of the environment would do to programs that heed it.
std::string foreign_toolkit() {
  for (const char* name : {"CUDA_HOME", "CUDA_PATH", "CUDA_ROOT"}) {
    if (const auto value = os::environment(name)) {
      return fmt::format(
          "{} is {}: Tilewright hides it from tileiras, which would run the ptxas "
          "there; unset it where you run tileiras yourself",
          name, *value);
    }
  }
  return {};
}

Finding look_at_assembler() {
  const backend::tileiras::Search search = backend::tileiras::find();
  if (search.assembler) {
    const backend::tileiras::Candidate& found = search.candidates.back();
    return {
        fmt::format("tileiras {} at {} ({}), bytecode to {}", to_string(search.assembler->version),
                    found.path, found.source, to_string(search.assembler->bytecode.back())),
        foreign_toolkit()};
  }
  const std::string install =
      search.candidates.empty()
          ? "pip install nvidia-cuda-tileiras nvidia-cuda-nvcc nvidia-nvvm"
          : "pip install --upgrade nvidia-cuda-tileiras nvidia-cuda-nvcc nvidia-nvvm";
  return {"no tileiras that serves" + looked_at(search.candidates),
          install + ", all of one version, to compile for GPUs; or set TILEWRIGHT_TILEIRAS"};
}

std::filesystem::path cache_directory() {
  if (const auto home = os::environment("XDG_CACHE_HOME")) {
    return std::filesystem::path(*home) / "tilewright";
  }
  return std::filesystem::path(os::environment("HOME").value_or("/tmp")) / ".cache/tilewright";
}

Finding look_at_cache() {
  const std::filesystem::path directory = cache_directory();
  const std::filesystem::path probe = directory / "doctor";
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  const bool writable = std::ofstream(probe).put('\n').flush().good();
  std::filesystem::remove(probe, error);
  if (!writable) {
    return {directory.string() + " cannot be written",
            "set XDG_CACHE_HOME to a directory of yours"};
  }
  return {directory.string() + ", writable; code for GPUs is kept there"};
}

/// Throws when the kernel does not run or its result is wrong.
Finding look_at_kernel() {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  constexpr std::size_t count = 1000;
  std::vector<float> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0.f);
  const auto x = from_host<float>(numbers);
  const auto z =
      launch<kernels::vadd<float>>(empty<float>(count).partition({128}), x, x).sync().join();
  const std::vector<float> sums = to_host(z);
  for (std::size_t i = 0; i < count; ++i) {
    if (sums[i] != 2 * numbers[i]) {
      throw DeviceError(
          fmt::format("element {} of {} + {} came out as {}", i, numbers[i], numbers[i], sums[i]),
          Location::current());
    }
  }
  const std::chrono::duration<double, std::milli> took = Clock::now() - start;
  return {fmt::format("vadd ran on {}, right to the last bit, in {:.1f} ms", z.device().name(),
                      took.count())};
}

struct Probe {
  const char* name;
  Finding (*look)();
};
constexpr Probe probes[] = {
    {"library", look_at_library}, {"processor", look_at_processor},
    {"devices", look_at_devices}, {"assembler", look_at_assembler},
    {"cache", look_at_cache},     {"kernel", look_at_kernel},
};

void examine() {
  bool works = true;
  for (const Probe& probe : probes) {
    try {
      const Finding finding = probe.look();
      fmt::print("{:<11}{}\n", probe.name, finding.text);
      if (!finding.hint.empty()) fmt::print("{:<11}hint: {}\n", "", finding.hint);
    } catch (const std::exception& error) {
      works = false;
      fmt::print("{:<11}failed: {}\n", probe.name, error.what());
    }
  }
  if (!works) throw CLI::RuntimeError(failure);
}

const Registration registration{
    "doctor",
    {"Say what works on this machine, and run a small kernel on the default device; succeeds if "
     "that runs",
     [](CLI::App& parser) { parser.callback(examine); }},
};

}  // namespace
}  // namespace tw::cli
