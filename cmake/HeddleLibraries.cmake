# SPDX-License-Identifier: Apache-2.0
# Object libraries from folders, and archives whose internals are hidden.

# hd_add_folder(NAME): object library hd_NAME from every .c and .cc under
# src/NAME.
# Only folders that may include a third-party library see its headers.
function(hd_add_folder name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS
       ${PROJECT_SOURCE_DIR}/src/${name}/*.c
       ${PROJECT_SOURCE_DIR}/src/${name}/*.cc)
  if(NOT sources)
    return()
  endif()
  list(SORT sources)
  add_library(hd_${name} OBJECT ${sources})
  target_compile_options(hd_${name} PRIVATE ${HD_WARNINGS})
  target_include_directories(hd_${name} PRIVATE ${HD_INCLUDE_DIRS})
  if(name STREQUAL "codegen")
    target_link_libraries(hd_${name} PRIVATE heddle_llvm)
  elseif(name STREQUAL "check")
    target_compile_definitions(hd_${name} PRIVATE ${HD_CHECK_DEFINITIONS})
  elseif(name STREQUAL "cli")
    target_link_libraries(hd_${name} PRIVATE ${HD_CLI_LIBRARIES})
  elseif(name STREQUAL "base")
    target_link_libraries(hd_${name} PRIVATE PkgConfig::XXHASH)
  endif()
endfunction()

# hd_objects(OUT NAME...): the objects of those folders that exist.
function(hd_objects out)
  set(objects)
  foreach(name ${ARGN})
    if(TARGET hd_${name})
      list(APPEND objects $<TARGET_OBJECTS:hd_${name}>)
    endif()
  endforeach()
  set(${out} "${objects}" PARENT_SCOPE)
endfunction()

# hd_add_sealed_archive(TARGET FILE FOLDER... [PULL FOLDER...]): libFILE.a as
# one relocatable object in which hidden symbols are local, so that names
# inside can't clash with the user's. Of PULL folders only needed objects are
# taken.
function(hd_add_sealed_archive target file)
  cmake_parse_arguments(arg "" "" "PULL" ${ARGN})
  hd_objects(objects ${arg_UNPARSED_ARGUMENTS})
  set(archive ${CMAKE_BINARY_DIR}/lib${file}.a)
  set(object ${CMAKE_BINARY_DIR}/${file}_sealed.o)
  set(pulled)
  set(depends ${objects})
  foreach(name ${arg_PULL})
    if(TARGET hd_${name})
      add_library(hd_${name}_pull STATIC $<TARGET_OBJECTS:hd_${name}>)
      set_target_properties(hd_${name}_pull PROPERTIES LINKER_LANGUAGE C)
      list(APPEND pulled $<TARGET_FILE:hd_${name}_pull>)
      list(APPEND depends hd_${name}_pull)
    endif()
  endforeach()
  add_custom_command(
    OUTPUT ${archive}
    COMMAND ${CMAKE_LINKER} -r -o ${object} ${objects} ${pulled}
    COMMAND ${CMAKE_OBJCOPY} --localize-hidden ${object}
    COMMAND ${CMAKE_COMMAND} -E rm -f ${archive}
    COMMAND ${CMAKE_AR} rcs ${archive} ${object}
    DEPENDS ${depends}
    COMMAND_EXPAND_LISTS VERBATIM
    COMMENT "Sealing lib${file}.a")
  add_custom_target(${target}_archive ALL DEPENDS ${archive})
  add_library(${target} STATIC IMPORTED GLOBAL)
  add_dependencies(${target} ${target}_archive)
  set_target_properties(
    ${target} PROPERTIES IMPORTED_LOCATION ${archive}
                         INTERFACE_INCLUDE_DIRECTORIES
                         ${PROJECT_SOURCE_DIR}/include)
endfunction()
