# SPDX-License-Identifier: Apache-2.0
# One test binary a folder under tests/, named and labelled after the folder.
include_guard()

if(NOT TILEWRIGHT_BUILD_TESTS)
  return()
endif()
include(GoogleTest)

# Owns the precompiled header that all test binaries share.
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/test_pch.cpp" CONTENT "")
add_library(tilewright_test_pch OBJECT "${PROJECT_BINARY_DIR}/test_pch.cpp")
tilewright_compile(tilewright_test_pch)
target_link_libraries(tilewright_test_pch PRIVATE GTest::gmock)
target_precompile_headers(tilewright_test_pch PRIVATE <gmock/gmock.h> <gtest/gtest.h>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # Clang writes absolute paths and times into the header. For ccache to serve every checkout, its
  # users must name it by a path that ccache understands (CMake hides it behind -Xclang) and be
  # keyed by what it holds, which are the headers of one GoogleTest.
  set(CMAKE_CXX_COMPILE_OPTIONS_USE_PCH -include-pch <PCH_FILE>)
  target_compile_options(tilewright_test_pch PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  file(CONFIGURE
       OUTPUT "${PROJECT_BINARY_DIR}/CMakeFiles/tilewright_test_pch.dir/cmake_pch.hxx.pch.sum"
       CONTENT "GoogleTest ${GTest_VERSION}\n")
endif()

# tilewright_test(LABEL file... [LIBS target...])
#
# Adds test files to the binary test_LABEL; each GoogleTest case becomes a CTest test with the
# label LABEL. Tests may include the private headers under src/.
function(tilewright_test label)
  cmake_parse_arguments(PARSE_ARGV 1 test "" "" "LIBS")
  set(target test_${label})
  if(NOT TARGET ${target})
    add_executable(${target})
    tilewright_compile(${target})
    target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}")
    target_link_libraries(${target} PRIVATE
      tilewright::tilewright GTest::gmock_main rapidcheck fmt::fmt)
    target_precompile_headers(${target} REUSE_FROM tilewright_test_pch)
    gtest_discover_tests(${target}
      DISCOVERY_MODE PRE_TEST TEST_PREFIX "${label}/" PROPERTIES LABELS ${label})
  endif()
  list(TRANSFORM test_UNPARSED_ARGUMENTS PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/"
       REGEX "^[^/]" OUTPUT_VARIABLE sources)
  target_sources(${target} PRIVATE ${sources})
  target_link_libraries(${target} PRIVATE ${test_LIBS})
endfunction()

# tilewright_test_folder([LIBS target...]): every *_test.cpp of this folder, labelled with its name.
function(tilewright_test_folder)
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME label)
  file(GLOB files CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*_test.cpp")
  tilewright_test(${label} ${files} ${ARGN})
endfunction()

# tilewright_fuzzer(NAME file... [LIBS target...]): a libFuzzer program, in builds with
# TILEWRIGHT_FUZZ. The test fuzz/NAME starts from the files in corpus/NAME beside it.
function(tilewright_fuzzer name)
  if(NOT TILEWRIGHT_FUZZ)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 fuzzer "" "" "LIBS")
  set(target fuzz_${name})
  add_executable(${target} ${fuzzer_UNPARSED_ARGUMENTS})
  tilewright_compile(${target})
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}")
  target_link_libraries(${target} PRIVATE tilewright::tilewright ${fuzzer_LIBS})
  target_link_options(${target} PRIVATE -fsanitize=fuzzer)
  set(findings "${CMAKE_CURRENT_BINARY_DIR}/${name}")
  file(MAKE_DIRECTORY "${findings}")
  add_test(NAME fuzz/${name} COMMAND ${target} -runs=100000 -max_total_time=60
    "${findings}" "${CMAKE_CURRENT_SOURCE_DIR}/corpus/${name}")
  set_tests_properties(fuzz/${name} PROPERTIES LABELS fuzz)
endfunction()
