# SPDX-License-Identifier: Apache-2.0
# The pages of docs/errors/ become part of the library (`heddle explain`) and
# are installed.
file(GLOB hd_error_pages CONFIGURE_DEPENDS
     ${PROJECT_SOURCE_DIR}/docs/errors/HD*.md)
set(hd_error_pages_c ${PROJECT_BINARY_DIR}/generated/error_pages.c)
add_custom_command(
  OUTPUT ${hd_error_pages_c}
  COMMAND ${CMAKE_COMMAND} -DPAGES=${PROJECT_SOURCE_DIR}/docs/errors
          -DOUT=${hd_error_pages_c}
          -P ${PROJECT_SOURCE_DIR}/cmake/EmbedErrors.cmake
  DEPENDS ${hd_error_pages} ${PROJECT_SOURCE_DIR}/cmake/EmbedErrors.cmake
          ${PROJECT_SOURCE_DIR}/docs/errors
  VERBATIM COMMENT "Embedding docs/errors")
target_sources(hd_diag PRIVATE ${hd_error_pages_c})
install(FILES ${hd_error_pages} DESTINATION ${CMAKE_INSTALL_DOCDIR}/errors)
