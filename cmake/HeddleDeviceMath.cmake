# SPDX-License-Identifier: Apache-2.0
# src/devicemath becomes LLVM bitcode that the library carries: one file of it
# for each dm_FAMILY.c. Clang compiles it, any version that LLVM 22 can read.
find_program(HD_CLANG NAMES clang-14 clang-15 clang-16 clang-17 clang-18
                            clang-19 clang-20 clang-21 clang-22 clang)
if(NOT HD_CLANG)
  message(FATAL_ERROR "clang was not found: run tools/install-deps.sh")
endif()

file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/devicemath/dm_*.c)
file(GLOB headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/devicemath/*.h
     ${PROJECT_SOURCE_DIR}/src/devicemath/*.def)
set(folder ${PROJECT_BINARY_DIR}/generated/devicemath)
file(MAKE_DIRECTORY ${folder})
set(bitcode)
foreach(source ${sources})
  cmake_path(GET source STEM name)
  set(out ${folder}/${name}.bc)
  # Nothing may be contracted: the host's results are the measured ones.
  add_custom_command(
    OUTPUT ${out}
    COMMAND
      ${HD_CLANG} --target=nvptx64-nvidia-cuda -std=c17 -ffreestanding -O2
      -ffp-contract=off -fno-math-errno -Werror=implicit-function-declaration
      -ffile-prefix-map=${PROJECT_SOURCE_DIR}/= -I${PROJECT_SOURCE_DIR}/src
      -emit-llvm -c ${source} -o ${out}
    DEPENDS ${source} ${headers}
    VERBATIM COMMENT "Device math: ${name}")
  list(APPEND bitcode ${out})
endforeach()

set(hd_device_math_c ${folder}/device_math.c)
add_custom_command(
  OUTPUT ${hd_device_math_c}
  COMMAND ${CMAKE_COMMAND} -DFOLDER=${folder} -DOUT=${hd_device_math_c}
          -P ${PROJECT_SOURCE_DIR}/cmake/EmbedDeviceMath.cmake
  DEPENDS ${bitcode} ${PROJECT_SOURCE_DIR}/cmake/EmbedDeviceMath.cmake
  VERBATIM COMMENT "Embedding device math")
target_sources(hd_codegen PRIVATE ${hd_device_math_c})
