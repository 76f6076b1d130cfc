// SPDX-License-Identifier: Apache-2.0
// Parsing and printing IR text in tests.
#ifndef HD_TESTS_IR_TEXT_H
#define HD_TESTS_IR_TEXT_H

#include "base/arena.h"
#include "diag/diag.h"
#include "ir/form/ir.h"
#include "ir/verify/verify.h"
#include <string.h>

// The module, or NULL with the first error's code in *code and its text in
// *message.
static inline IrModule *parse_ir(Arena *arena, const char *text,
                                 const char **code, const char **message) {
  SourceText *source = source_new(arena, "t.hir", text, strlen(text), false);
  DiagEngine *diags = diag_engine_new(arena, 0);
  diag_engine_set_source(diags, source);
  IrModule *module = ir_parse(arena, source, diags);
  uint32_t count;
  const Diag *const *list = diag_list(diags, &count);
  *code = count ? diag_code(list[0]->id) : "";
  *message = count ? list[0]->message : "";
  return module;
}

static inline const char *print_ir(Arena *arena, const IrModule *module) {
  Text text = {.arena = arena};
  ir_print(module, &text);
  return text_cstr(&text);
}

#endif
