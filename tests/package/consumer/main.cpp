// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include <tilewright/core/export.hpp>

int main() {
  const tw::Version version = tw::library_version();
  std::printf("built and run with tilewright %d.%d.%d\n", version.major, version.minor,
              version.patch);
}
