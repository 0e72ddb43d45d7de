# SPDX-License-Identifier: Apache-2.0
# The library and the layers it is made of.
include_guard()

# Adds FOLDER, relative to the project's root, if it has joined the build.
function(tilewright_add_folder folder)
  if(EXISTS "${PROJECT_SOURCE_DIR}/${folder}/CMakeLists.txt")
    add_subdirectory("${PROJECT_SOURCE_DIR}/${folder}" "${PROJECT_BINARY_DIR}/${folder}")
  endif()
endfunction()

add_library(tilewright)
add_library(tilewright::tilewright ALIAS tilewright)
tilewright_compile(tilewright)
target_compile_features(tilewright PUBLIC cxx_std_20)
target_include_directories(tilewright PUBLIC
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
set_target_properties(tilewright PROPERTIES
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
if(NOT BUILD_SHARED_LIBS)
  target_compile_definitions(tilewright PUBLIC TILEWRIGHT_STATIC)
elseif(UNIX AND NOT APPLE)
  # The library calls its own functions directly: nobody is to replace them.
  target_link_options(tilewright PRIVATE LINKER:-Bsymbolic-functions)
endif()

# tilewright_layer(NAME SOURCES file... [DEPENDS layer...] [PRIVATE_LIBS target...])
#
# Compiles one layer and links it into libtilewright. DEPENDS names the layers it uses: they must
# come earlier in the root's list. PRIVATE_LIBS are third-party targets that only its .cpp files see;
# fmt is always there.
function(tilewright_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 layer "" "" "SOURCES;DEPENDS;PRIVATE_LIBS")
  if(layer_UNPARSED_ARGUMENTS OR NOT layer_SOURCES)
    message(FATAL_ERROR "tilewright_layer(${name} SOURCES file... [DEPENDS ...] [PRIVATE_LIBS ...])")
  endif()
  foreach(dependency IN LISTS layer_DEPENDS)
    if(NOT TARGET tilewright_${dependency})
      message(FATAL_ERROR "layer '${name}' depends on '${dependency}', which is not a layer before it")
    endif()
  endforeach()

  set(target tilewright_${name})
  add_library(${target} OBJECT ${layer_SOURCES})
  tilewright_compile(${target})
  target_compile_options(${target} PRIVATE -fno-semantic-interposition)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_include_directories(${target} PRIVATE
    "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/src")
  target_compile_definitions(${target} PRIVATE
    $<IF:$<BOOL:${BUILD_SHARED_LIBS}>,TILEWRIGHT_BUILDING,TILEWRIGHT_STATIC>)
  target_link_libraries(${target} PRIVATE fmt::fmt ${layer_PRIVATE_LIBS})

  target_sources(tilewright PRIVATE $<TARGET_OBJECTS:${target}>)
  target_link_libraries(tilewright PRIVATE fmt::fmt ${layer_PRIVATE_LIBS})
endfunction()
