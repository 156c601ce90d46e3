# Language standard, warnings, sanitizers and ccache for every target of the project.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)

option(UNMASK_STUDIO "Build the Qt studio" ON)
option(UNMASK_TESTS "Build the tests" ON)
option(UNMASK_WERROR "Treat warnings as errors" OFF)
set(UNMASK_SANITIZE "" CACHE STRING "Sanitizers to build with: empty, address or thread")

add_library(unmask_options INTERFACE)
target_include_directories(unmask_options INTERFACE ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}/generated)
target_compile_options(unmask_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
  -Woverloaded-virtual -Wno-missing-field-initializers)
if(UNMASK_WERROR)
  target_compile_options(unmask_options INTERFACE -Werror)
endif()
if(UNMASK_SANITIZE STREQUAL "address")
  set(_sanitize -fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
elseif(UNMASK_SANITIZE STREQUAL "thread")
  set(_sanitize -fsanitize=thread -fno-omit-frame-pointer)
endif()
if(_sanitize)
  target_compile_options(unmask_options INTERFACE ${_sanitize})
  target_link_options(unmask_options INTERFACE ${_sanitize})
endif()

find_program(UNMASK_CCACHE ccache)
if(UNMASK_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Precompiled headers need the sloppiness, a second clone elsewhere needs the base folder.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
    CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
    ${UNMASK_CCACHE})
endif()
