# Finds CVODE, ARKODE and IDA of SUNDIALS 6 with serial vectors and KLU, and defines sundials_serial::sundials, to link,
# and SundialsSerial_INCLUDE_DIRS, for the few files that call it.
#
# SUNDIALS brings a CMake package, but that of Debian looks for OpenMP and MPI as well, which nobody here needs.
# This file is installed with the package: the static library makes its users link SUNDIALS, too.

find_path(SundialsSerial_INCLUDE_DIR sundials/sundials_context.h)
find_path(SundialsSerial_KLU_INCLUDE_DIR klu.h PATH_SUFFIXES suitesparse)
mark_as_advanced(SundialsSerial_INCLUDE_DIR SundialsSerial_KLU_INCLUDE_DIR)

set(_sundials_libraries)
foreach(_name cvode arkode ida nvecserial sunlinsolklu)
  find_library(SundialsSerial_${_name}_LIBRARY sundials_${_name})
  mark_as_advanced(SundialsSerial_${_name}_LIBRARY)
  list(APPEND _sundials_libraries SundialsSerial_${_name}_LIBRARY)
endforeach()

if(SundialsSerial_INCLUDE_DIR)
  file(STRINGS "${SundialsSerial_INCLUDE_DIR}/sundials/sundials_config.h" _sundials_version
       REGEX "^#define SUNDIALS_VERSION ")
  string(REGEX MATCH "[0-9]+\\.[0-9]+\\.[0-9]+" SundialsSerial_VERSION "${_sundials_version}")
  if(SundialsSerial_VERSION AND NOT SundialsSerial_VERSION VERSION_LESS 7)
    # 7 counts in other types and reports errors in another way.
    set(_sundials_reason "SUNDIALS ${SundialsSerial_VERSION} is there, but 6 is wanted")
    set(SundialsSerial_INCLUDE_DIR "SundialsSerial_INCLUDE_DIR-NOTFOUND" CACHE PATH "" FORCE)
  endif()
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
  SundialsSerial
  REQUIRED_VARS SundialsSerial_INCLUDE_DIR SundialsSerial_KLU_INCLUDE_DIR ${_sundials_libraries}
  VERSION_VAR SundialsSerial_VERSION
  REASON_FAILURE_MESSAGE "${_sundials_reason}")

if(SundialsSerial_FOUND AND NOT TARGET sundials_serial::sundials)
  add_library(sundials_serial::sundials INTERFACE IMPORTED)
  foreach(_library IN LISTS _sundials_libraries)
    target_link_libraries(sundials_serial::sundials INTERFACE "${${_library}}")
  endforeach()
endif()
set(SundialsSerial_INCLUDE_DIRS "${SundialsSerial_INCLUDE_DIR}" "${SundialsSerial_KLU_INCLUDE_DIR}")
list(REMOVE_ITEM SundialsSerial_INCLUDE_DIRS ${CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES}) # /usr/include has its place
