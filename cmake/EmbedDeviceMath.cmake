# SPDX-License-Identifier: Apache-2.0
# cmake -DFOLDER=FOLDER -DOUT=FILE -P EmbedDeviceMath.cmake
# Writes a C file with the bytes of every FOLDER/dm_FAMILY.bc.
cmake_minimum_required(VERSION 3.25)
file(GLOB files "${FOLDER}/dm_*.bc")
list(SORT files)
set(arrays)
set(rows)
foreach(file ${files})
  cmake_path(GET file STEM name)
  file(READ "${file}" bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(APPEND arrays "static const unsigned char ${name}[] = {${bytes}};\n\n")
  string(REGEX REPLACE "^dm_" "" family ${name})
  string(APPEND rows "    {\"${family}\", ${name}, sizeof ${name}},\n")
endforeach()
set(text "// SPDX-License-Identifier: Apache-2.0
// Generated from src/devicemath. Do not edit.
#include \"codegen/nvptx/nvptx_device_math.h\"

${arrays}const NvDeviceMath nv_device_math[] = {\n${rows}    {0}};
")
file(CONFIGURE OUTPUT "${OUT}" CONTENT "${text}" @ONLY)
