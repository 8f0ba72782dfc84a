# Installs the build into a scratch prefix, moves that prefix, and uses it as a stranger would: runs the program,
# then configures, builds and runs examples/own-dae, which knows nothing but find_package(driftless), and the program in the README.
# Given: BUILD_DIR, EXAMPLE_DIR, GENERATOR, CXX_COMPILER, VERSION.

set(scratch "${BUILD_DIR}/install-test")
set(prefix "${scratch}/moved")

function(run what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  message("---- ${what}\n${output}")
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${what}: failed (${status})")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE "${scratch}")
run("install" "${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix "${scratch}/first")
file(RENAME "${scratch}/first" "${prefix}")

file(GLOB_RECURSE installed RELATIVE "${prefix}" "${prefix}/*")
set(headers "${installed}")
list(FILTER headers INCLUDE REGEX "^include/driftless/")
list(LENGTH headers count)
message("---- ${count} headers")
cmake_policy(SET CMP0057 NEW)
if(count GREATER 47 OR NOT "include/driftless/driftless.hpp" IN_LIST headers)
  message(FATAL_ERROR "${count} headers: driftless/driftless.hpp and what it needs are wanted")
endif()
foreach(unwanted paths.hpp cli/ problems/andrews)
  if(installed MATCHES "include/driftless/${unwanted}")
    message(FATAL_ERROR "include/driftless/${unwanted} must not be installed")
  endif()
endforeach()
if(NOT installed MATCHES "share/driftless/models/[^;]*\\.json")
  message(FATAL_ERROR "no models in share/driftless/models")
endif()

run("driftless --version" "${prefix}/bin/driftless" --version)
if(NOT output MATCHES "${VERSION}")
  message(FATAL_ERROR "driftless --version does not say ${VERSION}")
endif()

run("configure the example" "${CMAKE_COMMAND}" -S "${EXAMPLE_DIR}" -B "${scratch}/own-dae" -G "${GENERATOR}"
    "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}" "-DCMAKE_PREFIX_PATH=${prefix}" -DCMAKE_BUILD_TYPE=Release)
file(STRINGS "${scratch}/own-dae/CMakeCache.txt" found REGEX "^driftless_DIR:")
if(NOT found MATCHES "${prefix}")
  message(FATAL_ERROR "the example found another driftless: ${found}")
endif()
run("build the example" "${CMAKE_COMMAND}" --build "${scratch}/own-dae")
run("run the example" "${scratch}/own-dae/own-dae")

# A mechanism described in code, with the one header: the triangle rule says how far the rocker swings.
run("configure the mechanism in code" "${CMAKE_COMMAND}" -S "${EXAMPLE_DIR}/../model-in-code" -B "${scratch}/model-in-code" -G
    "${GENERATOR}" "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}" "-DCMAKE_PREFIX_PATH=${prefix}" -DCMAKE_BUILD_TYPE=Release)
run("build the mechanism in code" "${CMAKE_COMMAND}" --build "${scratch}/model-in-code")
run("run the mechanism in code" "${scratch}/model-in-code/model-in-code")
if(NOT output MATCHES "swings by 0\\.886.*swings by 0\\.903.*swings by 0\\.93[89]")
  message(FATAL_ERROR "the rocker swings by 0.8867, 0.9036 and 0.9390 rad, not: ${output}")
endif()

# The program in the README: what it prints is what the README says it does, but for the last digits.
cmake_path(SET root NORMALIZE "${EXAMPLE_DIR}/../..")
file(READ "${root}/README.md" readme)
string(REGEX MATCH "```cpp\n([^`]*)```\n\n +([^\n]*crank at [0-9]+\\.[0-9][0-9][0-9])" found "${readme}")
set(program "${CMAKE_MATCH_1}")
set(says "${CMAKE_MATCH_2}")
if(NOT program)
  message(FATAL_ERROR "README.md has no program, or does not say what it prints")
endif()
string(REGEX MATCH "crank at .*" says "${says}")
file(WRITE "${scratch}/readme/main.cpp" "${program}")
file(WRITE "${scratch}/readme/CMakeLists.txt"
     "cmake_minimum_required(VERSION 3.22)\nproject(readme CXX)\nfind_package(driftless REQUIRED)\n"
     "add_executable(readme main.cpp)\ntarget_link_libraries(readme PRIVATE driftless::driftless)\n")
run("configure the program of the README" "${CMAKE_COMMAND}" -S "${scratch}/readme" -B "${scratch}/readme/build" -G
    "${GENERATOR}" "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}" "-DCMAKE_PREFIX_PATH=${prefix}" -DCMAKE_BUILD_TYPE=Release)
run("build the program of the README" "${CMAKE_COMMAND}" --build "${scratch}/readme/build")
run("run the program of the README" "${CMAKE_COMMAND}" -E chdir "${root}" "${scratch}/readme/build/readme")
if(NOT output MATCHES "${says}")
  message(FATAL_ERROR "README.md says '${says}', the program '${output}'")
endif()
file(REMOVE_RECURSE "${scratch}")
