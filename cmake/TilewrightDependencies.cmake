# SPDX-License-Identifier: Apache-2.0
# Third-party libraries, all from the system. Layers name the imported targets they need.
include_guard()

find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(fmt 9 REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(SQLite3 REQUIRED)
pkg_check_modules(xxhash REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(zstd REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(utf8proc REQUIRED IMPORTED_TARGET libutf8proc)

if(TILEWRIGHT_BUILD_TOOLS OR TILEWRIGHT_BUILD_EXAMPLES)
  find_package(CLI11 2.1 REQUIRED)
endif()
if(TILEWRIGHT_BUILD_TESTS)
  find_package(GTest 1.12 REQUIRED)
  find_package(rapidcheck REQUIRED)
  find_package(Python3 3.11 REQUIRED COMPONENTS Interpreter)
endif()
if(TILEWRIGHT_BUILD_BENCH)
  find_package(benchmark 1.7 REQUIRED)
endif()
