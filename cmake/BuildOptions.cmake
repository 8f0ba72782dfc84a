# How things are compiled: build type, warnings, sanitizers, instruction set.

include(CheckCXXCompilerFlag)
include(CheckCXXSourceRuns)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# A build without a type would run Eigen unoptimised, 50 times slower.
get_property(is_multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
if(NOT is_multi_config AND NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug, RelWithDebInfo" FORCE)
endif()

# ---- warnings: driftless_set_warnings(target) -----------------------------------------------------------

option(DRIFTLESS_WERROR "Warnings are errors (on in the presets)" OFF)

function(driftless_set_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual)
  # Records name the fields that differ from the defaults: {.name = "rk4", .order = 4}.
  target_compile_options(${target} PRIVATE -Wno-missing-field-initializers)
  if(DRIFTLESS_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Flow analysis of g++ 12 sees ghosts in inlined Eigen and std::string code (a four-wide load of a Vector2d
    # in a loop that never runs; GCC bug 105651). Real overruns are for the sanitizers, which in turn confuse
    # the analysis of uninitialised variables.
    target_compile_options(${target} PRIVATE -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread
                                             -Wno-restrict -Wno-error=maybe-uninitialized)
    if(DRIFTLESS_SANITIZE)
      target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized)
    endif()
  endif()
endfunction()

# ---- sanitizers: everything in the build, or nothing ----------------------------------------------------

set(DRIFTLESS_SANITIZE "" CACHE STRING "Sanitizers for the whole build, for example address,undefined")
if(DRIFTLESS_SANITIZE)
  add_compile_options(-fsanitize=${DRIFTLESS_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${DRIFTLESS_SANITIZE})
  # A check at every access through a pointer, which the address sanitizer (null) and the processor (aligned loads) make
  # anyway, would take a third of all compile time; that of the type of an object at every virtual call 7 %.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND DRIFTLESS_SANITIZE MATCHES "undefined" AND DRIFTLESS_SANITIZE MATCHES "address")
    add_compile_options(-fno-sanitize=null,alignment,object-size,pointer-overflow,nonnull-attribute,returns-nonnull-attribute,vptr)
  endif()
endif()

# ---- instruction set: driftless_set_instruction_set(library) --------------------------------------------
#
# AVX2 and FMA (x86-64-v3, any PC since about 2015) make the element kernels several times faster.
# The flag changes how Eigen aligns its types, so every translation unit of a program must have the same one:
# it is a PUBLIC option of the library and travels with the exported package.
# An older processor is told so at start (src/driftless/core/cpu_guard.cpp, compiled for any x86-64).

set(DRIFTLESS_NATIVE_V3 AUTO CACHE STRING "Compile for x86-64-v3 (AVX2, FMA): ON, OFF, or AUTO (if this machine can run it)")
set_property(CACHE DRIFTLESS_NATIVE_V3 PROPERTY STRINGS AUTO ON OFF)

if(DRIFTLESS_NATIVE_V3 STREQUAL "AUTO")
  set(DRIFTLESS_USE_V3 OFF)
  if(NOT CMAKE_CROSSCOMPILING)
    set(CMAKE_REQUIRED_FLAGS -march=x86-64-v3)
    check_cxx_source_runs(
      "int main() {
         __builtin_cpu_init();
         return __builtin_cpu_supports(\"avx2\") && __builtin_cpu_supports(\"fma\") && __builtin_cpu_supports(\"bmi2\") ? 0 : 1;
       }"
      DRIFTLESS_V3_RUNS)
    unset(CMAKE_REQUIRED_FLAGS)
    set(DRIFTLESS_USE_V3 ${DRIFTLESS_V3_RUNS})
  endif()
elseif(DRIFTLESS_NATIVE_V3)
  check_cxx_compiler_flag(-march=x86-64-v3 DRIFTLESS_V3_COMPILES)
  if(NOT DRIFTLESS_V3_COMPILES)
    message(FATAL_ERROR "DRIFTLESS_NATIVE_V3=ON, but ${CMAKE_CXX_COMPILER} does not accept -march=x86-64-v3")
  endif()
  set(DRIFTLESS_USE_V3 ON)
else()
  set(DRIFTLESS_USE_V3 OFF)
endif()

function(driftless_set_instruction_set library)
  if(DRIFTLESS_USE_V3)
    target_compile_options(${library} PUBLIC -march=x86-64-v3)
    # The last -march wins: the guard itself must run anywhere.
    set_source_files_properties(
      "${PROJECT_SOURCE_DIR}/src/driftless/core/cpu_guard.cpp"
      PROPERTIES COMPILE_OPTIONS -march=x86-64 COMPILE_DEFINITIONS DRIFTLESS_NEEDS_X86_64_V3
                 SKIP_PRECOMPILE_HEADERS ON)
  endif()
endfunction()

# ---- optimisation: driftless_set_cold(target) -------------------------------------------------------------

# Code that runs once a run, and tests: what takes their time is in the library.
function(driftless_set_cold target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# ---- the same code everywhere: driftless_link_first(target) -----------------------------------------------
#
# Templates of Eigen are compiled in every file that uses them, and the linker keeps the first copy it meets: that of the program's
# own files (-O1) in the program, another in the Python module. They round differently (fused multiplications), and the two would
# differ in the last digits. So the library comes first, all of it, and every program has its copies.

function(driftless_link_first target)
  if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
    target_link_options(${target} PRIVATE
                        "LINKER:--whole-archive,$<TARGET_FILE:driftless_lib>,--no-whole-archive")
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS "$<TARGET_FILE:driftless_lib>")
  endif()
endfunction()

# ---- precompiled headers: driftless_precompile(target [headers]), driftless_precompile_as(target other) -----
#
# Headers of the standard library and of Eigen are most of what the compiler reads: read once a target, or once for several
# that are compiled with the same options. Not with a compiler cache, which would miss every time.

function(driftless_precompile_as target other)
  if(NOT CMAKE_CXX_COMPILER_LAUNCHER)
    target_precompile_headers(${target} REUSE_FROM ${other})
  endif()
endfunction()

function(driftless_precompile target)
  if(NOT CMAKE_CXX_COMPILER_LAUNCHER)
    target_precompile_headers(
      ${target}
      PRIVATE
      <algorithm>
      <array>
      <cmath>
      <functional>
      <map>
      <memory>
      <optional>
      <span>
      <string>
      <tuple>
      <variant>
      <vector>
      <Eigen/Core>
      <Eigen/SparseCore>
      <fmt/format.h>
      ${ARGN})
  endif()
endfunction()

# ---- unity builds: driftless_batch(target [ALIKE]) ----------------------------------------------------------
#
# Most of the time of the compiler goes into headers and into templates of Eigen, the same ones in every file: the files of a
# folder are compiled many at a time, as one (20 problems so take 30 s instead of 100). Developers who change one file at a
# time turn it off, DRIFTLESS_UNITY=OFF, as the preset `dev` does, or take fewer files at a time, DRIFTLESS_BATCH.
#
# Names in unnamed namespaces must then differ within a folder; problems and tables of the literature are in namespaces of
# their own. Files that all use the same short names for their own data (tests; ALIKE) say `namespace DRIFTLESS_FILE {`
# instead of `namespace {`: a namespace for each file where they are compiled together, the unnamed one where they are not.

option(DRIFTLESS_UNITY "Compile several files of a folder at once" ON)
set(DRIFTLESS_BATCH 14 CACHE STRING "About so many files at a time")

function(driftless_batch target)
  set(alike OFF)
  if("${ARGN}" STREQUAL "ALIKE")
    set(alike ON)
    target_compile_definitions(${target} PRIVATE DRIFTLESS_FILE=)
    set_target_properties(${target} PROPERTIES UNITY_BUILD_UNIQUE_ID DRIFTLESS_FILE)
  endif()
  if(NOT DRIFTLESS_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources EXCLUDE REGEX "TARGET_OBJECTS")
  set(folders)
  if(NOT alike) # small rooms are compiled with the room they are in
    foreach(source IN LISTS sources)
      get_filename_component(folder "${source}" DIRECTORY)
      list(APPEND files_in_${folder} "${source}")
    endforeach()
  endif()
  foreach(source IN LISTS sources)
    if(alike) # folders do not matter
      set(name all)
    else()
      get_filename_component(folder "${source}" DIRECTORY)
      list(LENGTH files_in_${folder} files)
      string(REGEX REPLACE "^.*/src/driftless/?(.*)$" "\\1" name "${folder}")
      if(files LESS 6 AND name MATCHES "/")
        get_filename_component(name "${name}" DIRECTORY)
      endif()
      string(REPLACE "/" "_" name "top_${name}") # io/model is not model
    endif()
    list(APPEND folders ${name})
    list(APPEND sources_${name} "${source}")
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(name IN LISTS folders) # in batches of about the same size
    list(LENGTH sources_${name} files)
    math(EXPR batches "(${files} + ${DRIFTLESS_BATCH} / 2) / ${DRIFTLESS_BATCH}")
    if(batches EQUAL 0)
      set(batches 1)
    endif()
    set(count 0)
    foreach(source IN LISTS sources_${name})
      math(EXPR batch "${count} * ${batches} / ${files}")
      math(EXPR count "${count} + 1")
      set_source_files_properties("${source}" TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP "${name}_${batch}")
    endforeach()
  endforeach()
endfunction()
