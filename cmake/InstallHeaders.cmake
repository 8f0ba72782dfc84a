# Run by `cmake --install`: driftless/driftless.hpp, and of all other headers those that it needs.
# Given: SOURCE_DIR (src), HEADERS_DIR (where they go, below the prefix).

cmake_policy(SET CMP0057 NEW) # IN_LIST: scripts of an installation begin with none
set(todo driftless/driftless.hpp)
set(public)
while(todo)
  list(POP_FRONT todo header)
  if(header IN_LIST public OR NOT EXISTS "${SOURCE_DIR}/${header}") # version.hpp is made by the build and installed with it
    continue()
  endif()
  list(APPEND public "${header}")
  file(STRINGS "${SOURCE_DIR}/${header}" includes REGEX "^#include \"driftless/")
  foreach(line IN LISTS includes)
    string(REGEX REPLACE "^#include \"([^\"]+)\".*$" "\\1" included "${line}")
    list(APPEND todo "${included}")
  endforeach()
endwhile()
foreach(header IN LISTS public)
  cmake_path(GET header PARENT_PATH folder)
  file(INSTALL "${SOURCE_DIR}/${header}" DESTINATION "${CMAKE_INSTALL_PREFIX}/${HEADERS_DIR}/${folder}")
endforeach()
