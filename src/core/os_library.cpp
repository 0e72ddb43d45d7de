// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>

#include <tilewright/core/os_library.hpp>

namespace tw::inline v0::os {

void* Library::find(const std::string& name) const noexcept { return dlsym(handle_, name.c_str()); }

LoadedLibrary load_library(const std::string& name) {
  void* handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* problem = dlerror();
    return {std::nullopt, problem == nullptr ? "unknown error" : problem};
  }
  return {Library(handle), {}};
}

void* global_symbol(const char* name) noexcept { return dlsym(RTLD_DEFAULT, name); }

}  // namespace tw::inline v0::os
