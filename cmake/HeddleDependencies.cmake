# SPDX-License-Identifier: Apache-2.0
# What Heddle links with. tools/install-deps.sh installs all of it on Debian.
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)

# Vector math of glibc; absent on some architectures.
find_library(HD_MVEC_LIBRARY mvec)
if(NOT HD_MVEC_LIBRARY)
  set(HD_MVEC_LIBRARY "")
endif()
set(HD_RUNTIME_LIBRARIES ${HD_MVEC_LIBRARY} m Threads::Threads
                         ${CMAKE_DL_LIBS})
if(NOT HD_COMPILER)
  return()
endif()

find_package(ZLIB REQUIRED)
find_package(PNG REQUIRED)

# LLVM through llvm-config: its CMake package would look for many libraries
# that users of the shared library don't need.
find_program(LLVM_CONFIG NAMES llvm-config-22 llvm-config
             HINTS /usr/lib/llvm-22/bin)
if(NOT LLVM_CONFIG)
  message(FATAL_ERROR "LLVM 22 was not found: run tools/install-deps.sh")
endif()
function(hd_llvm_config out)
  execute_process(COMMAND ${LLVM_CONFIG} ${ARGN} OUTPUT_VARIABLE text
                  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  set(${out} "${text}" PARENT_SCOPE)
endfunction()
hd_llvm_config(HD_LLVM_VERSION --version)
if(NOT HD_LLVM_VERSION MATCHES "^22\\.")
  message(FATAL_ERROR "LLVM 22 is needed, ${LLVM_CONFIG} is ${HD_LLVM_VERSION}")
endif()
hd_llvm_config(HD_LLVM_INCLUDE_DIR --includedir)
hd_llvm_config(HD_LLVM_LIBRARY_DIR --libdir)
find_library(HD_LLVM_LIBRARY NAMES LLVM-22 LLVM HINTS ${HD_LLVM_LIBRARY_DIR}
             NO_DEFAULT_PATH REQUIRED)
find_program(FILECHECK NAMES FileCheck-22 HINTS /usr/lib/llvm-22/bin)
add_library(heddle_llvm INTERFACE)
target_include_directories(heddle_llvm SYSTEM INTERFACE ${HD_LLVM_INCLUDE_DIR})
target_link_libraries(heddle_llvm INTERFACE ${HD_LLVM_LIBRARY})

# Optional: without them the checker says `unknown` more often.
find_path(HD_ISL_INCLUDE_DIR isl/ctx.h)
find_library(HD_ISL_LIBRARY isl)
find_path(HD_Z3_INCLUDE_DIR z3.h)
find_library(HD_Z3_LIBRARY z3)

set(HD_COMPILER_LIBRARIES heddle_llvm PkgConfig::XXHASH ZLIB::ZLIB
                          ${HD_RUNTIME_LIBRARIES})
set(HD_CHECK_DEFINITIONS)
if(HD_ISL_INCLUDE_DIR AND HD_ISL_LIBRARY)
  list(APPEND HD_CHECK_DEFINITIONS HD_HAVE_ISL=1)
  list(APPEND HD_COMPILER_LIBRARIES ${HD_ISL_LIBRARY})
endif()
if(HD_Z3_INCLUDE_DIR AND HD_Z3_LIBRARY)
  list(APPEND HD_CHECK_DEFINITIONS HD_HAVE_Z3=1)
  list(APPEND HD_COMPILER_LIBRARIES ${HD_Z3_LIBRARY})
endif()
set(HD_CLI_LIBRARIES PNG::PNG ZLIB::ZLIB PkgConfig::XXHASH m)
message(STATUS "LLVM ${HD_LLVM_VERSION}: ${HD_LLVM_LIBRARY}")
