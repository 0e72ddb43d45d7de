# SPDX-License-Identifier: Apache-2.0
# Tests of what the compilers accept, refuse and warn about; see tests/compile_cases.
include_guard()

find_program(TILEWRIGHT_CASES_GCC NAMES g++-12 g++)
find_program(TILEWRIGHT_CASES_CLANG NAMES clang++-22)
set(TILEWRIGHT_CASES_STAMPS "$ENV{TILEWRIGHT_CASES_STAMPS}" CACHE PATH
    "Where checks that succeeded are remembered; a folder can serve several build trees")
if(NOT TILEWRIGHT_CASES_STAMPS)
  set(TILEWRIGHT_CASES_STAMPS "${PROJECT_BINARY_DIR}/compile_cases")
endif()

set(tilewright_case_compilers "")
if(TILEWRIGHT_CASES_GCC)
  list(APPEND tilewright_case_compilers --gcc "${TILEWRIGHT_CASES_GCC}")
endif()
if(TILEWRIGHT_CASES_CLANG)
  list(APPEND tilewright_case_compilers --clang "${TILEWRIGHT_CASES_CLANG}")
else()
  message(STATUS "clang++-22 not found: ownership misuse that only clang sees is not tested")
endif()

# tilewright_compile_cases(RULE file...): one test with the folder's name that judges all the files.
# RULE is rejected, warned or accepted. Instrumented builds would only repeat the same checks.
function(tilewright_compile_cases rule)
  if(NOT ARGN OR TILEWRIGHT_SANITIZE OR TILEWRIGHT_COVERAGE)
    return()
  endif()
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME label)
  add_test(NAME ${label}
    COMMAND Python3::Interpreter "${PROJECT_SOURCE_DIR}/tests/compile_cases/compile_cases.py"
      ${rule} ${ARGN}
      --root "${PROJECT_SOURCE_DIR}" --stamps "${TILEWRIGHT_CASES_STAMPS}"
      ${tilewright_case_compilers} --jobs 2)
  set_tests_properties(${label} PROPERTIES LABELS ${label} PROCESSORS 2 TIMEOUT 1200)
endfunction()
