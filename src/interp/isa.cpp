// SPDX-License-Identifier: Apache-2.0
#include "interp/isa.hpp"

#include <tilewright/core/os.hpp>

namespace tw::inline v0::interp {

Isa machine_isa() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("x86-64-v4")) return Isa::avx512;
  if (__builtin_cpu_supports("x86-64-v3")) return Isa::avx2;
#endif
  return Isa::baseline;
}

std::atomic<Isa>& isa_in_use() {
  static std::atomic<Isa> isa{machine_isa()};
  return isa;
}
static const os::MadeBeforeForks<isa_in_use> isa_made;

}  // namespace tw::inline v0::interp
