# cmake --install: the program, the library with its headers and CMake package, and the example models.

include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/driftless")

install(TARGETS driftless RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(TARGETS driftless_lib EXPORT driftlessTargets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(
  DIRECTORY src/driftless/
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/driftless"
  FILES_MATCHING
  PATTERN "*.hpp"
  PATTERN "*.def"
  PATTERN "cli" EXCLUDE
  PATTERN "python" EXCLUDE
  PATTERN "integrator/sundials" EXCLUDE # internal
  PATTERN "hdf5_*.hpp" EXCLUDE) # internal to io, see tools/check-includes
install(FILES "${DRIFTLESS_GENERATED_DIR}/driftless/version.hpp"
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/driftless")
install(
  DIRECTORY models schema
  DESTINATION "${CMAKE_INSTALL_DATADIR}/driftless"
  OPTIONAL)
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}")

install(
  EXPORT driftlessTargets
  NAMESPACE driftless::
  DESTINATION "${package_dir}")
configure_package_config_file(cmake/driftlessConfig.cmake.in "${PROJECT_BINARY_DIR}/driftlessConfig.cmake"
                              INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/driftlessConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/driftlessConfig.cmake" "${PROJECT_BINARY_DIR}/driftlessConfigVersion.cmake"
              cmake/FindHdf5Serial.cmake cmake/FindSundialsSerial.cmake DESTINATION "${package_dir}")
