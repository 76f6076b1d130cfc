# SPDX-License-Identifier: Apache-2.0
# The same programs on GPUs. Tests that can't run are skipped and counted so.
#
#   gpu   every program of run/, examples/ and bench/gpu/ on the first GPU
set(gpu_devices ${CMAKE_CURRENT_BINARY_DIR}/devices.txt)
add_test(NAME gpu/devices
         COMMAND sh -c "exec \"$0\" devices > \"$1\""
                 $<TARGET_FILE:heddle_command> ${gpu_devices})
set_tests_properties(gpu/devices PROPERTIES LABELS gpu FIXTURES_SETUP gpu)

file(GLOB_RECURSE gpu_programs CONFIGURE_DEPENDS
     ${CMAKE_CURRENT_SOURCE_DIR}/run/*.hd ${CMAKE_CURRENT_SOURCE_DIR}/run/*.hir
     ${PROJECT_SOURCE_DIR}/examples/*.hd
     ${PROJECT_SOURCE_DIR}/bench/gpu/kernels/*.hd)
foreach(program ${gpu_programs})
  cmake_path(RELATIVE_PATH program BASE_DIRECTORY ${PROJECT_SOURCE_DIR}
             OUTPUT_VARIABLE name)
  cmake_path(REMOVE_EXTENSION name LAST_ONLY)
  string(REGEX REPLACE "^tests/" "" name ${name})
  add_test(NAME gpu/${name}
           COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/gpu/if_there.sh ${gpu_devices}
                   ${HD_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/run_test.py
                   --heddle $<TARGET_FILE:heddle_command> --filecheck
                   ${FILECHECK} --slower ${slower} --device cuda ${program})
  set_tests_properties(gpu/${name} PROPERTIES LABELS gpu FIXTURES_REQUIRED gpu
                                              TIMEOUT 900 SKIP_RETURN_CODE 77)
endforeach()
