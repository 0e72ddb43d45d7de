# SPDX-License-Identifier: Apache-2.0
# How every target of the project is compiled and linked.
include_guard()

set(TILEWRIGHT_SANITIZE "" CACHE STRING "Sanitizers, as a list for -fsanitize: address;undefined")
option(TILEWRIGHT_FUZZ "Instrument for libFuzzer and build the fuzzers (clang)" OFF)
option(TILEWRIGHT_COVERAGE "Instrument for coverage" OFF)
option(TILEWRIGHT_CCACHE "Compile through ccache when it is installed" ${PROJECT_IS_TOP_LEVEL})
option(TILEWRIGHT_LLD "Link with lld when it is installed" ${PROJECT_IS_TOP_LEVEL})

if(TILEWRIGHT_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(TILEWRIGHT_CCACHE_PROGRAM ccache)
  if(TILEWRIGHT_CCACHE_PROGRAM)
    # Paths relative to the checkout, so that every checkout shares one cache; the sloppiness is
    # what ccache asks for before it caches users of a precompiled header.
    set(CMAKE_CXX_COMPILER_LAUNCHER
        ${CMAKE_COMMAND} -E env
        CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 CCACHE_PCH_EXTSUM=1
        CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
        ${TILEWRIGHT_CCACHE_PROGRAM})
  endif()
endif()

if(TILEWRIGHT_LLD)
  find_program(TILEWRIGHT_LLD_PROGRAM NAMES ld.lld HINTS /usr/lib/llvm-22/bin)
  if(TILEWRIGHT_LLD_PROGRAM)
    cmake_path(GET TILEWRIGHT_LLD_PROGRAM PARENT_PATH lld_folder)
    add_link_options(-fuse-ld=lld -B${lld_folder})
  endif()
endif()

if(TILEWRIGHT_SANITIZE)
  list(JOIN TILEWRIGHT_SANITIZE "," sanitizers)
  add_compile_options(-fsanitize=${sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${sanitizers})
endif()
if(TILEWRIGHT_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
if(TILEWRIGHT_COVERAGE)
  add_compile_options(--coverage)
  add_link_options(--coverage)
endif()

# The language level, visibility and warnings of one of our own targets.
function(tilewright_compile target)
  set_target_properties(${target} PROPERTIES
    CXX_STANDARD 20
    CXX_STANDARD_REQUIRED ON
    CXX_EXTENSIONS OFF
    CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Woverloaded-virtual
    -Wold-style-cast
    # A product and a sum round twice, also where the target has a fused operation.
    -ffp-contract=off
    # Nobody replaces one of our functions under a program, so that g++ may inline them as clang does.
    $<$<AND:$<CXX_COMPILER_ID:GNU>,$<CONFIG:Release>>:-fno-semantic-interposition>
    # Aggregates with defaults are initialised by the members that matter.
    -Wno-missing-field-initializers
    # What -Wconversion means for g++, in both compilers.
    $<$<CXX_COMPILER_ID:Clang>:-Wno-sign-conversion>
    $<$<CXX_COMPILER_ID:Clang>:-Wthread-safety -Wconsumed -Wdangling -Wunreachable-code>)
endfunction()
