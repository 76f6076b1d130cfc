# SPDX-License-Identifier: Apache-2.0
# cmake -DPAGES=FOLDER -DOUT=FILE -P EmbedErrors.cmake
# Writes a C file with the text of every page FOLDER/HDnnnn.md, as bytes:
# string literals of that length are not portable.
cmake_minimum_required(VERSION 3.25)
file(GLOB pages "${PAGES}/HD*.md")
list(SORT pages)
set(arrays)
set(rows)
foreach(page ${pages})
  cmake_path(GET page STEM code)
  file(READ "${page}" bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(REGEX REPLACE
         "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n"
         bytes "${bytes}")
  string(APPEND arrays
         "static const unsigned char ${code}[] = {\n${bytes}0};\n\n")
  string(APPEND rows "    {\"${code}\", (const char *)${code}},\n")
endforeach()
set(text "// SPDX-License-Identifier: Apache-2.0
// Generated from docs/errors/. Do not edit.
#include \"diag/diag_pages.h\"

${arrays}const DiagPage diag_pages[] = {\n${rows}    {0}};
")
file(CONFIGURE OUTPUT "${OUT}" CONTENT "${text}" @ONLY)
