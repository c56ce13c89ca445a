# Options and compiler settings that hold for every target.
option(MEDLEY_BUILD_TESTS "Build the tests" ON)
option(MEDLEY_BUILD_BENCHMARKS "Build the benchmarks (tests/bench)" ON)
option(MEDLEY_BUILD_FUZZERS "Build the libFuzzer targets (needs clang); without it the corpora still run as ordinary tests" OFF)
option(MEDLEY_UNITY_TESTS "Compile the files of a test program together, eight at a time: half the time; their names must not clash" ON)
option(MEDLEY_WERROR "Treat warnings as errors" OFF)
option(MEDLEY_PLUGINS_ONLY "Build the Torch and NCCL plug-ins alone, for a program that was built elsewhere" OFF)
set(MEDLEY_SANITIZE "" CACHE STRING "Sanitizers, as -fsanitize= takes them: address,undefined or thread")

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
# Modules are linked into plug-ins too.
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
# A plug-in and the program exchange C++ objects: both must come from one build, or be said to fit by whoever builds the plug-in.
if(NOT MEDLEY_PLUGIN_VERSION)
  set(MEDLEY_PLUGIN_VERSION "${PROJECT_VERSION}-${CMAKE_CXX_COMPILER_ID}-${CMAKE_CXX_COMPILER_VERSION}")
endif()

add_library(medley_compile_options INTERFACE)
# -ffp-contract=off: a fused multiply-add rounds differently, and results must not depend on the compiler's choice.
# -Wrestrict of GCC 12 misfires on `"text" + std::string` (GCC bug 105651).
target_compile_options(medley_compile_options INTERFACE
  -ffp-contract=off -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wno-missing-field-initializers
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  $<$<BOOL:${MEDLEY_WERROR}>:-Werror>)
if(MEDLEY_SANITIZE)
  target_compile_options(medley_compile_options INTERFACE -fsanitize=${MEDLEY_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(medley_compile_options INTERFACE -fsanitize=${MEDLEY_SANITIZE})
endif()
if(MEDLEY_BUILD_FUZZERS)
  # Coverage for every module, so that libFuzzer sees where an input leads; the engine itself is linked into the fuzz targets alone.
  target_compile_options(medley_compile_options INTERFACE -fsanitize=fuzzer-no-link)
  target_link_options(medley_compile_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

find_program(MEDLEY_CCACHE ccache)
if(MEDLEY_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${MEDLEY_CCACHE})
endif()
