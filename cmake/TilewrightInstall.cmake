# SPDX-License-Identifier: Apache-2.0
# The installed tree: library, headers and the files behind find_package(tilewright).
include_guard()
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/tilewright")

install(TARGETS tilewright EXPORT tilewright-targets)
install(EXPORT tilewright-targets NAMESPACE tilewright:: DESTINATION ${package_folder})
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/NOTICE"
        DESTINATION ${CMAKE_INSTALL_DOCDIR})

configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/tilewright-config.cmake.in"
  "${PROJECT_BINARY_DIR}/tilewright-config.cmake"
  INSTALL_DESTINATION ${package_folder})
# Before 1.0 a minor release may break its users.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/tilewright-config-version.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/tilewright-config.cmake"
  "${PROJECT_BINARY_DIR}/tilewright-config-version.cmake"
  DESTINATION ${package_folder})
