# SPDX-License-Identifier: Apache-2.0
# Style, structure and packaging as tests. Included by tests/CMakeLists.txt in
# ordinary builds; sanitizer and stress builds would only repeat them.
find_program(CLANG_FORMAT NAMES clang-format-14 REQUIRED)
find_program(CLANG_TIDY NAMES clang-tidy-14 REQUIRED)
find_program(CPPCHECK NAMES cppcheck REQUIRED)
set(tools ${PROJECT_SOURCE_DIR}/tools)

function(hd_add_lint name)
  add_test(NAME lint/${name} COMMAND ${ARGN}
           WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(lint/${name} PROPERTIES LABELS lint TIMEOUT 1500)
endfunction()

hd_add_lint(format ${HD_PYTHON} ${tools}/check_format.py ${CLANG_FORMAT})
hd_add_lint(layers ${HD_PYTHON} ${tools}/check_layers.py)
hd_add_lint(sources ${HD_PYTHON} ${tools}/check_sources.py)
hd_add_lint(names ${HD_PYTHON} ${tools}/check_names.py)
hd_add_lint(comments ${HD_PYTHON} ${tools}/check_comments.py)
hd_add_lint(headers ${HD_PYTHON} ${tools}/check_headers.py ${CMAKE_BINARY_DIR})
hd_add_lint(tidy ${HD_PYTHON} ${tools}/run_tidy.py ${CLANG_TIDY}
            ${CMAKE_BINARY_DIR})

hd_add_lint(dependencies ${HD_PYTHON} ${tools}/check_dependencies.py
            ${PROJECT_SOURCE_DIR})
set_tests_properties(lint/dependencies PROPERTIES SKIP_RETURN_CODE 77)

hd_add_lint(tools ${HD_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/lint/test_tools.py)

hd_add_lint(op-table ${HD_PYTHON} ${tools}/op_table.py ${PROJECT_SOURCE_DIR}
            --check)
hd_add_lint(options ${HD_PYTHON} ${tools}/check_options.py
            ${PROJECT_SOURCE_DIR})
hd_add_lint(builtins ${HD_PYTHON}
            ${CMAKE_CURRENT_SOURCE_DIR}/lint/check_builtins.py
            ${PROJECT_SOURCE_DIR})
hd_add_lint(cuda-entries ${HD_PYTHON}
            ${CMAKE_CURRENT_SOURCE_DIR}/cuda/check_entries.py
            ${PROJECT_SOURCE_DIR})
hd_add_lint(touches ${HD_PYTHON}
            ${CMAKE_CURRENT_SOURCE_DIR}/check/touches/check_touches.py
            ${PROJECT_SOURCE_DIR})

hd_add_lint(cppcheck ${HD_PYTHON} ${tools}/run_cppcheck.py ${CPPCHECK}
            ${CMAKE_BINARY_DIR})

# The libraries export the public API only.
if(TARGET hd_session)
  add_test(NAME api/exports
           COMMAND ${HD_PYTHON} ${tools}/check_exports.py $<TARGET_FILE:heddle>
                   ${CMAKE_BINARY_DIR}/libheddle.a --runtime
                   ${CMAKE_BINARY_DIR}/libheddle_rt.a)
  set_tests_properties(api/exports PROPERTIES LABELS "api;lint")
endif()

# NULL for any pointer of any public function is a status.
if(TARGET hd_session)
  add_test(NAME api/nulls
           COMMAND ${HD_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/packaging/nulls.py
                   ${PROJECT_SOURCE_DIR}/include/heddle/heddle.h
                   ${CMAKE_C_COMPILER} $<TARGET_FILE_DIR:heddle>)
  set_tests_properties(api/nulls PROPERTIES LABELS api TIMEOUT 600)
endif()

if(TARGET hd_session)
  add_test(NAME api/cpp
           COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/packaging/header_test.sh
                   ${PROJECT_SOURCE_DIR} $<TARGET_FILE_DIR:heddle>)
  set_tests_properties(api/cpp PROPERTIES LABELS api TIMEOUT 300)
endif()

# Pages and tests of all diagnostics.
if(TARGET heddle_command)
  hd_add_lint(diags ${HD_PYTHON} ${tools}/check_diags.py --heddle
              $<TARGET_FILE:heddle_command>)
endif()

# The runtime builds and links where there is no LLVM, isl or Z3.
add_test(NAME api/runtime-alone
         COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/packaging/runtime_test.sh
                 ${PROJECT_SOURCE_DIR} ${CMAKE_C_COMPILER})
set_tests_properties(api/runtime-alone PROPERTIES LABELS api TIMEOUT 300)

add_test(NAME api/no-solvers
         COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/packaging/no_solvers_test.sh
                 ${PROJECT_SOURCE_DIR} ${CMAKE_C_COMPILER})
set_tests_properties(api/no-solvers PROPERTIES LABELS api TIMEOUT 600)

# Installs, moves, and builds against what was installed.
if(TARGET hd_session AND TARGET heddle_command)
  add_test(NAME api/install
           COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/packaging/install_test.sh
                   ${CMAKE_BINARY_DIR} ${CMAKE_C_COMPILER})
  set_tests_properties(api/install PROPERTIES LABELS api TIMEOUT 300)
endif()
