// SPDX-License-Identifier: Apache-2.0
// Any text: the whole compiler, up to checked IR and its text, says something
// about it or makes IR that reads back as itself.
#include "base/panic.h"
#include "heddle/heddle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char *dump(HdProgram *program, const char *kernel) {
  char *text = NULL;
  HdStatus status = hd_dump(program, kernel, NULL, 0, "ir", &text);
  HD_ASSERT((status == HD_OK) == (text != NULL));
  return text;
}

// The IR of a kernel, printed, read and printed again, is the same text.
static void check_round_trip(HdSession *session, const char *first) {
  HdProgram *program;
  HdStatus status =
      hd_compile_text(session, "again.hir", first, strlen(first), &program);
  HD_ASSERT(status == HD_OK);
  char *second = dump(program, NULL);
  HD_ASSERT(second && strcmp(first, second) == 0);
  hd_text_free(second);
  hd_program_free(program);
}

static void check_kernels(HdSession *session, HdProgram *program) {
  for (int i = 0; i < hd_program_kernel_count(program); i++) {
    HdKernel *kernel;
    const char *name = hd_program_kernel_name(program, i);
    if (hd_kernel_get(program, name, NULL, 0, &kernel) != HD_OK) {
      HD_ASSERT(*hd_last_message(session));
      continue;
    }
    char *text = dump(program, name);
    check_round_trip(session, text);
    hd_text_free(text);
    hd_kernel_free(kernel);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  // No preprocessor: a process for each input would be most of the time.
  if (memchr(data, '#', size) && !memmem(data, size, "#pragma", 7))
    return 0;
  HdSessionOptions options = HD_SESSION_OPTIONS_INIT;
  HdSession *session;
  HdProgram *program;
  options.use_disk_cache = 0;
  options.verify_each = 1;
  HD_ASSERT(hd_session_new(&options, &session) == HD_OK);
  HdStatus status =
      hd_compile_text(session, "input.hd", (const char *)data, size, &program);
  if (status == HD_OK)
    check_kernels(session, program);
  else
    HD_ASSERT(*hd_last_message(session));
  hd_program_free(program);
  hd_session_free(session);
  return 0;
}
