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

# For what catches C++'s exceptions: LLVM and Z3 bring it anyway.
set(HD_CXX_LIBRARY stdc++)
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
add_library(heddle_llvm INTERFACE)
target_include_directories(heddle_llvm SYSTEM INTERFACE ${HD_LLVM_INCLUDE_DIR})
target_link_libraries(heddle_llvm INTERFACE ${HD_LLVM_LIBRARY})

# Optional: without them the checker says `unknown` more often.
add_library(heddle_solvers INTERFACE)
set(HD_SOLVER_LIBRARIES)
function(hd_optional_solver name header library)
  if(NOT HD_WITH_${name})
    message(STATUS "${name}: off")
    return()
  endif()
  find_path(HD_${name}_INCLUDE_DIR ${header})
  find_library(HD_${name}_LIBRARY ${library})
  if(NOT HD_${name}_INCLUDE_DIR OR NOT HD_${name}_LIBRARY)
    message(STATUS "${name}: not found")
    return()
  endif()
  message(STATUS "${name}: ${HD_${name}_LIBRARY}")
  target_compile_definitions(heddle_solvers INTERFACE HD_HAVE_${name}=1)
  target_include_directories(heddle_solvers SYSTEM
                             INTERFACE ${HD_${name}_INCLUDE_DIR})
  set(HD_SOLVER_LIBRARIES ${HD_SOLVER_LIBRARIES} ${HD_${name}_LIBRARY}
      PARENT_SCOPE)
endfunction()
hd_optional_solver(ISL isl/ctx.h isl)
hd_optional_solver(Z3 z3.h z3)

set(HD_COMPILER_LIBRARIES heddle_llvm PkgConfig::XXHASH ZLIB::ZLIB
                          ${HD_SOLVER_LIBRARIES} ${HD_RUNTIME_LIBRARIES}
                          ${HD_CXX_LIBRARY})
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
