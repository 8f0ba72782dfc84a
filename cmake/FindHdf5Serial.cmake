# Finds the serial HDF5 C library and defines hdf5_serial::hdf5.
#
# CMake's own FindHDF5 takes whichever h5cc comes first and needs the C language; Debian keeps the serial and
# the MPI flavour side by side in hdf5/serial and hdf5/openmpi. We want the serial one or none.
# This file is installed with the package: the static library makes its users link HDF5, too.

find_path(Hdf5Serial_INCLUDE_DIR hdf5.h PATH_SUFFIXES hdf5/serial)
find_library(Hdf5Serial_LIBRARY NAMES hdf5_serial hdf5 PATH_SUFFIXES hdf5/serial)
mark_as_advanced(Hdf5Serial_INCLUDE_DIR Hdf5Serial_LIBRARY)

if(Hdf5Serial_INCLUDE_DIR)
  # The settings are in H5pubconf.h, or in H5pubconf-64.h where 32 and 64 bits are installed together.
  file(GLOB _hdf5_settings "${Hdf5Serial_INCLUDE_DIR}/H5pubconf*.h")
  foreach(_file IN LISTS _hdf5_settings)
    file(STRINGS "${_file}" _hdf5_parallel REGEX "^#define H5_HAVE_PARALLEL")
    if(_hdf5_parallel)
      set(_hdf5_reason "${Hdf5Serial_INCLUDE_DIR}/hdf5.h belongs to an MPI build of HDF5")
      set(Hdf5Serial_INCLUDE_DIR "Hdf5Serial_INCLUDE_DIR-NOTFOUND" CACHE PATH "" FORCE)
    endif()
  endforeach()
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
  Hdf5Serial
  REQUIRED_VARS Hdf5Serial_LIBRARY Hdf5Serial_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "${_hdf5_reason}")

if(Hdf5Serial_FOUND AND NOT TARGET hdf5_serial::hdf5)
  add_library(hdf5_serial::hdf5 UNKNOWN IMPORTED)
  set_target_properties(
    hdf5_serial::hdf5 PROPERTIES IMPORTED_LOCATION "${Hdf5Serial_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES
                                                                           "${Hdf5Serial_INCLUDE_DIR}")
endif()
