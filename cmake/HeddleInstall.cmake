# SPDX-License-Identifier: Apache-2.0
# `make install`: command, libraries, headers, manual, package files.
include(CMakePackageConfigHelpers)

# The package files find the prefix from where they lie, so that an installed
# tree can be moved.
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY
           ${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/pkgconfig
           OUTPUT_VARIABLE HD_PC_PREFIX)
set(HD_PC_RUNTIME "-lm -lpthread -ldl")
set(HD_RUNTIME_LINK_NAMES "m;Threads::Threads;dl")
if(HD_MVEC_LIBRARY)
  string(PREPEND HD_PC_RUNTIME "-lmvec ")
  list(PREPEND HD_RUNTIME_LINK_NAMES mvec)
endif()
if(HD_COMPILER)
  set(HD_PC_SOLVERS)
  foreach(library ${HD_SOLVER_LIBRARIES})
    cmake_path(GET library STEM name)
    string(REGEX REPLACE "^lib" "-l" name ${name})
    string(APPEND HD_PC_SOLVERS "${name} ")
  endforeach()
  set(HD_PC_PRIVATE "-L${HD_LLVM_LIBRARY_DIR} -lLLVM-22 -lxxhash -lz \
-l${HD_CXX_LIBRARY} \
${HD_PC_SOLVERS}${HD_PC_RUNTIME}")
endif()

foreach(name heddle heddle-rt)
  configure_file(cmake/${name}.pc.in ${CMAKE_BINARY_DIR}/${name}.pc @ONLY)
endforeach()
configure_package_config_file(
  cmake/heddleConfig.cmake.in ${CMAKE_BINARY_DIR}/heddleConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/heddle
  PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(
  ${CMAKE_BINARY_DIR}/heddleConfigVersion.cmake COMPATIBILITY SameMinorVersion)

if(TARGET heddle)
  install(TARGETS heddle LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(FILES ${CMAKE_BINARY_DIR}/libheddle.a
          DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
if(TARGET heddle_rt)
  install(FILES ${CMAKE_BINARY_DIR}/libheddle_rt.a
          DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
if(TARGET heddle_command)
  install(TARGETS heddle_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(DIRECTORY include/heddle DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.h")
install(DIRECTORY include/heddle/cuda # some without an ending
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/heddle)
install(FILES ${CMAKE_BINARY_DIR}/heddle-rt.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES ${CMAKE_BINARY_DIR}/heddleConfig.cmake
              ${CMAKE_BINARY_DIR}/heddleConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/heddle)
if(NOT HD_COMPILER)
  return()
endif()
install(FILES ${CMAKE_BINARY_DIR}/heddle.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES docs/man/heddle.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES README.md CHANGELOG.md LICENSE
        DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}
        FILES_MATCHING PATTERN "*.md" PATTERN "*.ebnf"
        PATTERN "internals" EXCLUDE PATTERN "man" EXCLUDE)
install(DIRECTORY examples/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples
        OPTIONAL)
