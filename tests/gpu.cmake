# SPDX-License-Identifier: Apache-2.0
# The same programs on GPUs. Tests that can't run are skipped and counted so.
#
#   gpu   every program of run/, examples/ and bench/gpu/ on the first GPU
#   ptx   the instructions of their PTX beside gpu/expected, and the PTX for
#         all targets assembled by the ptxas of a CUDA toolkit
set(gpu_devices ${CMAKE_CURRENT_BINARY_DIR}/devices.txt)
add_test(NAME gpu/devices
         COMMAND sh -c "exec \"$0\" devices > \"$1\""
                 $<TARGET_FILE:heddle_command> ${gpu_devices})
set_tests_properties(gpu/devices PROPERTIES LABELS gpu FIXTURES_SETUP gpu)

file(GLOB_RECURSE gpu_programs CONFIGURE_DEPENDS
     ${CMAKE_CURRENT_SOURCE_DIR}/run/*.hd ${CMAKE_CURRENT_SOURCE_DIR}/run/*.hir
     ${PROJECT_SOURCE_DIR}/examples/*.hd
     ${PROJECT_SOURCE_DIR}/bench/gpu/kernels/*.hd)
file(GLOB_RECURSE cuda_programs CONFIGURE_DEPENDS
     ${CMAKE_CURRENT_SOURCE_DIR}/cuda/run/*.cu)
set(gpu_folders)
foreach(program ${gpu_programs} ${cuda_programs})
  cmake_path(RELATIVE_PATH program BASE_DIRECTORY ${PROJECT_SOURCE_DIR}
             OUTPUT_VARIABLE name)
  string(REGEX REPLACE "^tests/" "" name ${name})
  cmake_path(GET name PARENT_PATH folder)
  list(APPEND gpu_folders ${folder})
  string(MAKE_C_IDENTIFIER ${folder} id)
  list(APPEND gpu_programs_${id} ${program})
endforeach()
list(REMOVE_DUPLICATES gpu_folders)

# One entry a folder, so that where there is no GPU one is skipped. Programs in
# CUDA C++ also beside what nvcc makes of them, value by value.
foreach(folder ${gpu_folders})
  string(MAKE_C_IDENTIFIER ${folder} id)
  add_test(NAME gpu/${folder}
           COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/gpu/if_there.sh ${gpu_devices}
                   ${HD_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/gpu/each.py ${HD_PYTHON}
                   ${CMAKE_CURRENT_SOURCE_DIR}/run_test.py --heddle
                   $<TARGET_FILE:heddle_command> --filecheck ${FILECHECK}
                   --slower ${slower} --device cuda -- ${gpu_programs_${id}})
  set_tests_properties(gpu/${folder} PROPERTIES LABELS gpu FIXTURES_REQUIRED gpu
                                                TIMEOUT 3600
                                                SKIP_RETURN_CODE 77)
  if(folder MATCHES "^cuda/run")
    string(REGEX REPLACE "^cuda/run" "nvcc" name ${folder})
    add_test(NAME ${name}
             COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/gpu/if_there.sh ${gpu_devices}
                     ${HD_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/cuda/compare_nvcc.py
                     --heddle $<TARGET_FILE:heddle_command>
                     ${gpu_programs_${id}})
    set_tests_properties(${name} PROPERTIES LABELS gpu FIXTURES_REQUIRED gpu
                                            TIMEOUT 3600 SKIP_RETURN_CODE 77)
  endif()
endforeach()

# Mathematics: the same bits as on the host.
add_executable(gpu_math gpu/test_math.c)
target_compile_options(gpu_math PRIVATE ${HD_WARNINGS} -ffp-contract=off)
target_link_libraries(gpu_math PRIVATE heddle_internal devicemath_host)
add_test(NAME gpu/math
         COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/gpu/if_there.sh ${gpu_devices}
                 $<TARGET_FILE:gpu_math>)
set_tests_properties(gpu/math PROPERTIES LABELS gpu FIXTURES_REQUIRED gpu
                                         TIMEOUT 900 SKIP_RETURN_CODE 77)

# Sums of tensor cores: the same bits as the model's, and the model beside what
# exact arithmetic says of it. `gpu_sums` alone is the test of a machine.
add_executable(gpu_sums gpu/sums.c)
target_compile_options(gpu_sums PRIVATE ${HD_WARNINGS})
target_link_libraries(gpu_sums PRIVATE heddle_internal)
add_test(NAME gpu/sums
         COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/gpu/if_there.sh ${gpu_devices}
                 $<TARGET_FILE:gpu_sums>)
set_tests_properties(gpu/sums PROPERTIES LABELS gpu FIXTURES_REQUIRED gpu
                                         TIMEOUT 900 SKIP_RETURN_CODE 77)
add_test(NAME gpu/sums-programs
         COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/gpu/if_there.sh ${gpu_devices}
                 ${HD_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/gpu/sums_programs.py
                 $<TARGET_FILE:heddle_command> --device cuda)
set_tests_properties(gpu/sums-programs PROPERTIES LABELS gpu FIXTURES_REQUIRED
                                                  gpu TIMEOUT 900
                                                  SKIP_RETURN_CODE 77)
add_test(NAME unit/sums-programs
         COMMAND ${HD_PYTHON}
                 ${CMAKE_CURRENT_SOURCE_DIR}/gpu/sums_programs.py
                 $<TARGET_FILE:interpret> --mma hopper)
set_tests_properties(unit/sums-programs PROPERTIES LABELS unit TIMEOUT 600)
add_test(NAME unit/sums COMMAND ${HD_PYTHON}
                                ${CMAKE_CURRENT_SOURCE_DIR}/gpu/sums_oracle.py
                                $<TARGET_FILE:gpu_sums>)
set_tests_properties(unit/sums PROPERTIES LABELS unit TIMEOUT 600)

# What is promised of every device of the runtime.
add_test(NAME gpu/runtime
         COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/gpu/if_there.sh ${gpu_devices}
                 $<TARGET_FILE:unit_rt_test_cuda_like_cpu> gpu)
set_tests_properties(gpu/runtime PROPERTIES LABELS gpu FIXTURES_REQUIRED gpu
                                            TIMEOUT 300 SKIP_RETURN_CODE 77)

# `make gpu-bundle`: for a machine with a GPU and without a compiler.
add_executable(make_bundle gpu/make_bundle.c)
target_link_libraries(make_bundle PRIVATE heddle_internal ${HD_CLI_LIBRARIES})
add_executable(run_bundle gpu/run_bundle.c
               ${PROJECT_SOURCE_DIR}/src/cli/generate.c
               ${PROJECT_SOURCE_DIR}/src/cli/scalar.c ${HD_RUNTIME_OBJECTS}
               ${HD_BASE_OBJECTS})
target_link_libraries(run_bundle PRIVATE ${HD_RUNTIME_LIBRARIES})
foreach(target make_bundle run_bundle)
  target_compile_options(${target} PRIVATE ${HD_WARNINGS})
  target_include_directories(${target} PRIVATE ${HD_INCLUDE_DIRS})
endforeach()
set(bundle ${CMAKE_BINARY_DIR}/gpu-bundle)
add_custom_target(
  gpu_bundle
  COMMAND ${HD_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/gpu/bundle.py --maker
          $<TARGET_FILE:make_bundle> --runner $<TARGET_FILE:run_bundle> --root
          ${PROJECT_SOURCE_DIR} --out ${bundle} ${gpu_programs}
  COMMAND ${CMAKE_COMMAND} -E chdir ${CMAKE_BINARY_DIR} ${CMAKE_COMMAND} -E tar
          cJf gpu-bundle.tar.xz gpu-bundle
  COMMAND ${CMAKE_COMMAND} -E echo "wrote ${bundle}.tar.xz"
  USES_TERMINAL VERBATIM)

if(HD_SANITIZE OR HD_STRESS OR HD_COVERAGE)
  return() # the texts are the same
endif()
add_executable(dumps gpu/dumps.c)
target_compile_options(dumps PRIVATE ${HD_WARNINGS})
target_include_directories(dumps PRIVATE ${HD_INCLUDE_DIRS})
target_link_libraries(dumps PRIVATE heddle_internal ${HD_CLI_LIBRARIES})
# `cmake --build --preset dev --target gpu_expected` rewrites what is expected.
add_custom_target(gpu_expected)
foreach(folder ${gpu_folders})
  string(MAKE_C_IDENTIFIER ${folder} id)
  set(instructions
      ${HD_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/gpu/instructions.py --dumps
      $<TARGET_FILE:dumps> --expected
      ${CMAKE_CURRENT_SOURCE_DIR}/gpu/expected/${id}.txt ${gpu_programs_${id}})
  add_custom_command(
    TARGET gpu_expected
    POST_BUILD
    COMMAND ${instructions} --update
    VERBATIM)
  # ptxas/ assembles what ptx/ generated just before.
  set(texts ${CMAKE_CURRENT_BINARY_DIR}/ptx/${id})
  add_test(NAME ptx/${folder} COMMAND ${instructions} --keep ${texts} --jobs 1)
  set_tests_properties(ptx/${folder} PROPERTIES LABELS ptx TIMEOUT 900
                                                FIXTURES_SETUP ptx_${id})
  add_test(NAME ptxas/${folder}
           COMMAND ${HD_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/gpu/ptx.py --dumps
                   $<TARGET_FILE:dumps> --made ${texts}
                   ${gpu_programs_${id}})
  set_tests_properties(ptxas/${folder} PROPERTIES LABELS ptx TIMEOUT 900
                                                  FIXTURES_REQUIRED ptx_${id}
                                                  PROCESSORS 2
                                                  SKIP_RETURN_CODE 77)
endforeach()
