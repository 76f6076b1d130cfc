# SPDX-License-Identifier: Apache-2.0
# Options, build types, warnings.
option(HD_STRESS "Make everything small and hostile (tiny pages, constant \
hashes, seeded yields, vectors of 4 lanes)" OFF)
option(HD_COMPILER "Build the compiler and the command; OFF: the runtime only, \
which needs neither LLVM nor isl nor Z3" ON)
option(HD_WITH_ISL "Use isl in the checker, if it is there" ON)
option(HD_WITH_Z3 "Use Z3 in the checker, if it is there" ON)
option(HD_WERROR "Treat warnings as errors" ON)
option(BUILD_TESTING "Build the tests, which need more than Heddle itself" ON)
option(HD_FUZZ "Build libFuzzer executables (needs clang)" OFF)
option(HD_COVERAGE "Instrument for gcov" OFF)
set(HD_DEBUG_INFO 1 CACHE STRING "Level of -g in Debug builds: 1 has the lines, \
2 the variables, too")
set(HD_SANITIZE "" CACHE STRING "Value of -fsanitize=, such as address,undefined")

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug or Release" FORCE)
endif()
set(CMAKE_C_FLAGS_DEBUG "-O1 -g${HD_DEBUG_INFO}")
set(CMAKE_C_FLAGS_RELEASE "-O2 -DNDEBUG")
set(CMAKE_CXX_FLAGS_DEBUG "${CMAKE_C_FLAGS_DEBUG}")
set(CMAKE_CXX_FLAGS_RELEASE "${CMAKE_C_FLAGS_RELEASE}")

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
# The few lines that only C++ can say: src/base/catch.cc.
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_C_COMPILER_LAUNCHER)
  # Paths relative to the tree, so that worktrees share the cache.
  set(CMAKE_C_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}
      CCACHE_NOHASHDIR=1 ${CCACHE_PROGRAM})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_C_COMPILER_LAUNCHER})
endif()
# No path of the build machine in messages (__FILE__) or debug information.
add_compile_options(-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=)

set(HD_WARNINGS
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wcast-qual -Wwrite-strings
    -Wundef -Wvla -Wformat=2 -Wswitch-enum
    $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes>
    $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes>)
if(HD_WERROR)
  list(APPEND HD_WARNINGS -Werror)
endif()

set(HD_INCLUDE_DIRS ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)

# _GNU_SOURCE: C17 without extensions hides POSIX and the affinity calls.
add_compile_definitions(_GNU_SOURCE HD_VERSION="${PROJECT_VERSION}")
if(HD_STRESS)
  add_compile_definitions(HD_STRESS=1)
endif()

# How many times as long as the preset dev this build takes: limits of time, of the
# checker and of tests, are so many times as long.
set(HD_SLOWER 1)
if(HD_SANITIZE MATCHES "thread" OR HD_STRESS)
  set(HD_SLOWER 12)
elseif(HD_SANITIZE OR HD_COVERAGE)
  set(HD_SLOWER 5)
endif()
add_compile_definitions(HD_SLOWER=${HD_SLOWER})
if(HD_SANITIZE)
  add_compile_options(-fsanitize=${HD_SANITIZE} -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${HD_SANITIZE})
endif()
if(HD_FUZZ)
  if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "HD_FUZZ needs clang: use the preset 'fuzz'")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
  add_link_options(-fsanitize=fuzzer-no-link)
endif()
if(HD_COVERAGE)
  add_compile_options(--coverage -fprofile-update=atomic)
  add_link_options(--coverage)
endif()
# A hundred tests have all of Heddle in them, which takes GNU ld four times as long.
if(BUILD_TESTING OR HD_FUZZ)
  find_program(HD_LLD ld.lld)
  if(HD_LLD)
    add_link_options(-fuse-ld=lld)
  endif()
endif()
