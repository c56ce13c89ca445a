# medley_module(NAME SOURCES ... USES ... PRIVATE_USES ...): a library medley_NAME; USES are other modules or libraries seen in its headers.
function(medley_module name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;USES;PRIVATE_USES")
  add_library(medley_${name} STATIC ${arg_SOURCES})
  target_include_directories(medley_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR})
  target_compile_features(medley_${name} PUBLIC cxx_std_20)
  target_link_libraries(medley_${name} PUBLIC ${arg_USES} PRIVATE ${arg_PRIVATE_USES} medley_compile_options)
endfunction()

# medley_test(NAME LABEL ... SOURCES ... USES ... [WHOLE]): one GoogleTest program whose cases are ctest tests under the label.
# WHOLE: the program is one ctest test, where starting it takes longer than most of its cases (Torch: two seconds).
function(medley_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "WHOLE" "LABEL" "SOURCES;USES")
  add_executable(${name} ${arg_SOURCES})
  set_target_properties(${name} PROPERTIES UNITY_BUILD ${MEDLEY_UNITY_TESTS})
  target_link_libraries(${name} PRIVATE ${arg_USES} medley_source_folder GTest::gmock_main medley_compile_options)
  # Optimizing the tests themselves takes longer than it saves.
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  if(arg_WHOLE)
    add_test(NAME ${name} COMMAND ${name})
    set_tests_properties(${name} PROPERTIES LABELS ${arg_LABEL})
  else()
    gtest_discover_tests(${name} PROPERTIES LABELS ${arg_LABEL} DISCOVERY_TIMEOUT 60)
  endif()
endfunction()

# medley_plugin(NAME SOURCES ... USES ...): a module medley_NAME.so beside the program, opened with dlopen when asked for.
function(medley_plugin name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;USES")
  add_library(medley_${name} MODULE ${arg_SOURCES} ${PROJECT_SOURCE_DIR}/executor/plugins/plugin_version.cc)
  set_target_properties(medley_${name} PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
  target_include_directories(medley_${name} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR})
  target_compile_definitions(medley_${name} PRIVATE MEDLEY_PLUGIN_VERSION="${MEDLEY_PLUGIN_VERSION}")
  target_link_libraries(medley_${name} PRIVATE ${arg_USES} medley_compile_options)
endfunction()
