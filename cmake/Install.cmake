# cmake --install: the program with its manual page and completions, the example models, the library with its headers and CMake
# package; the Python package is installed by python/CMakeLists.txt. Components: program, development, python.

include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/driftless")

# ---- the program: component program -------------------------------------------------------------------------

install(TARGETS driftless RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT program)
install(
  DIRECTORY models schema
  DESTINATION "${CMAKE_INSTALL_DATADIR}/driftless"
  COMPONENT program)
install(FILES LICENSE CITATION.cff DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT program)

# The program writes its own page and completions.
if(NOT CMAKE_CROSSCOMPILING AND NOT DRIFTLESS_SANITIZE)
  set(written "${PROJECT_BINARY_DIR}/share")
  add_custom_command(
    OUTPUT "${written}/driftless.1" "${written}/driftless.bash" "${written}/_driftless" "${written}/driftless.fish"
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${written}"
    COMMAND driftless man >"${written}/driftless.1"
    COMMAND driftless completion bash >"${written}/driftless.bash"
    COMMAND driftless completion zsh >"${written}/_driftless"
    COMMAND driftless completion fish >"${written}/driftless.fish"
    DEPENDS driftless)
  add_custom_target(driftless_share ALL DEPENDS "${written}/driftless.1")
  install(FILES "${written}/driftless.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT program)
  install(FILES "${written}/driftless.bash" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions"
          RENAME driftless COMPONENT program)
  install(FILES "${written}/_driftless" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions" COMPONENT program)
  install(FILES "${written}/driftless.fish" DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d"
          COMPONENT program)
endif()

# ---- the library: component development -----------------------------------------------------------------------

install(TARGETS driftless_lib EXPORT driftlessTargets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT development)
# Those of driftless/driftless.hpp; the others are nobody's business and may change.
install(CODE "set(SOURCE_DIR \"${PROJECT_SOURCE_DIR}/src\")
set(HEADERS_DIR \"${CMAKE_INSTALL_INCLUDEDIR}\")" COMPONENT development)
install(SCRIPT cmake/InstallHeaders.cmake COMPONENT development)
install(FILES "${DRIFTLESS_GENERATED_DIR}/driftless/version.hpp"
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/driftless" COMPONENT development)
install(
  EXPORT driftlessTargets
  NAMESPACE driftless::
  DESTINATION "${package_dir}"
  COMPONENT development)
configure_package_config_file(cmake/driftlessConfig.cmake.in "${PROJECT_BINARY_DIR}/driftlessConfig.cmake"
                              INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/driftlessConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/driftlessConfig.cmake" "${PROJECT_BINARY_DIR}/driftlessConfigVersion.cmake"
              cmake/FindHdf5Serial.cmake cmake/FindSundialsSerial.cmake DESTINATION "${package_dir}"
        COMPONENT development)

# ---- Debian packages: tools/build-deb --------------------------------------------------------------------------

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME driftless)
set(CPACK_PACKAGE_CONTACT "The driftless authors <driftless@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL program development)
if(DRIFTLESS_USE_PYTHON)
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME driftless)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_DESCRIPTION "${PROJECT_DESCRIPTION}
 Mechanisms given as JSON files, simulated with a choice of coordinates,
 formulation, integrator and stabilization.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libdriftless-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libeigen3-dev, libfmt-dev, libhdf5-dev, zlib1g-dev")
if(DRIFTLESS_USE_SUNDIALS)
  string(APPEND CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS ", libsundials-dev")
endif()
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "${PROJECT_DESCRIPTION}
 The C++ library: headers, archive, CMake package.")
if(DRIFTLESS_USE_PYTHON)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-driftless)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  # The compiled part is for one version of Python. Models by name come with the program.
  math(EXPR next_python "${Python_VERSION_MINOR} + 1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
      "python3 (>= ${Python_VERSION_MAJOR}.${Python_VERSION_MINOR}), python3 (<< ${Python_VERSION_MAJOR}.${next_python}), python3-numpy")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "driftless, python3-pandas, python3-xarray")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA "${PROJECT_SOURCE_DIR}/cmake/debian/prerm")
  set(CPACK_DEBIAN_PYTHON_DESCRIPTION "${PROJECT_DESCRIPTION}
 The Python module.")
endif()
include(CPack)
