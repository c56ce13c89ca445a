# medley_module(NAME SOURCES ... USES ... PRIVATE_USES ...): a library medley_NAME; USES are other modules or libraries seen in its headers.
function(medley_module name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;USES;PRIVATE_USES")
  add_library(medley_${name} STATIC ${arg_SOURCES})
  target_include_directories(medley_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR})
  target_compile_features(medley_${name} PUBLIC cxx_std_20)
  target_link_libraries(medley_${name} PUBLIC ${arg_USES} PRIVATE ${arg_PRIVATE_USES} medley_compile_options)
endfunction()

# medley_test(NAME LABEL ... SOURCES ... USES ...): one GoogleTest program whose cases are ctest tests under the label.
function(medley_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "LABEL" "SOURCES;USES")
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_USES} GTest::gmock_main medley_compile_options)
  target_compile_definitions(${name} PRIVATE MEDLEY_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  gtest_discover_tests(${name} PROPERTIES LABELS ${arg_LABEL} DISCOVERY_TIMEOUT 60)
endfunction()
