// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

#include <tilewright/core/attributes.hpp>

// Inner loops are compiled once for each level of instruction set, and a kernel is prepared with
// the best the machine has. All levels give the same bits: fused operations are written as
// std::fma, and nothing else may be contracted or reassociated.

namespace tw::inline v0::interp {

enum class Isa : std::uint8_t { baseline, avx2, avx512 };

/// The best level of this machine.
TILEWRIGHT_API Isa machine_isa();
/// The level of kernels prepared from now on; `machine_isa()` unless a test compares levels.
TILEWRIGHT_API std::atomic<Isa>& isa_in_use();

#if defined(__x86_64__)
#define TILEWRIGHT_TARGET_AVX2 [[gnu::target("arch=x86-64-v3")]]
#define TILEWRIGHT_TARGET_AVX512 [[gnu::target("arch=x86-64-v4")]]
#else
#define TILEWRIGHT_TARGET_AVX2
#define TILEWRIGHT_TARGET_AVX512
#endif
/// On a loop whose steps do not depend on each other, although its arrays may be the same.
#if defined(__clang__)
#define TILEWRIGHT_INDEPENDENT_STEPS
#else
#define TILEWRIGHT_INDEPENDENT_STEPS _Pragma("GCC ivdep")
#endif
/// On what inner loops call, so that it takes on the caller's instruction set.
#define TILEWRIGHT_INLINE [[gnu::always_inline]] inline

/// `Loop::run` at each level. It must be TILEWRIGHT_INLINE.
template <class Loop, class... Arguments>
struct Versions {
  using Function = void (*)(Arguments...);

  static void baseline(Arguments... arguments) { Loop::run(arguments...); }
  TILEWRIGHT_TARGET_AVX2 static void avx2(Arguments... arguments) { Loop::run(arguments...); }
  TILEWRIGHT_TARGET_AVX512 static void avx512(Arguments... arguments) { Loop::run(arguments...); }

  static Function choose(Isa isa) {
    switch (isa) {
      case Isa::avx512:
        return &avx512;
      case Isa::avx2:
        return &avx2;
      default:
        return &baseline;
    }
  }
};

template <class Loop, class... Arguments>
auto choose_version(void (*)(Arguments...)) {
  return Versions<Loop, Arguments...>::choose(isa_in_use().load(std::memory_order_relaxed));
}

/// A pointer to `Loop::run` as compiled for the level in use.
template <class Loop>
auto best_version() {
  return choose_version<Loop>(&Loop::run);
}

}  // namespace tw::inline v0::interp
