// SPDX-License-Identifier: Apache-2.0
// From source text to the IR that the checker sees, in tests.
#ifndef HD_TESTS_CHECK_COMPILE_H
#define HD_TESTS_CHECK_COMPILE_H

#include "../ir/ir_text.h"
#include "heddle/heddle.h"
#include <stdarg.h>

// The kernel "k" of a program, after all passes. NULL with the messages in
// *why. `embeds`: "NAME=VALUE" or NULL.
static inline IrKernel *compile_kernel(Arena *arena, const char *source,
                                       const char *embed, const char **why) {
  HdSessionOptions options = HD_SESSION_OPTIONS_INIT;
  options.use_disk_cache = 0;
  HdSession *session;
  HdProgram *program = NULL;
  char *text = NULL;
  IrKernel *kernel = NULL;
  *why = "no session";
  if (hd_session_new(&options, &session) != HD_OK)
    return NULL;
  char *name = arena_strdup(arena, embed ? embed : "X=0");
  char *equals = strchr(name, '=');
  *equals = 0;
  HdEmbed value = {name, equals + 1};
  if (hd_compile_text(session, "k.hd", source, strlen(source), &program) ==
          HD_OK &&
      hd_dump(program, "k", &value, embed ? 1 : 0, "ir", &text) == HD_OK) {
    const char *code;
    IrModule *module = parse_ir(arena, arena_strdup(arena, text), &code, why);
    kernel = module ? module->kernels.data[0] : NULL;
  } else {
    *why = arena_strdup(arena, hd_last_message(session));
  }
  hd_text_free(text);
  hd_program_free(program);
  hd_session_free(session);
  return kernel;
}

static inline uint32_t line_of(const IrKernel *kernel, const IrNode *node) {
  return node ? kernel->module->locs.data[node->loc].place.line : 0;
}

#endif
