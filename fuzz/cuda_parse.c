// SPDX-License-Identifier: Apache-2.0
// Lexer, parser and printer of CUDA C++.
//
// Properties: no crash, no leak and no endless search whatever the bytes;
// printing with all bodies parsed gives text; a body parsed once more reports
// the same; pieces of text parse alone.
#include "cxx/cx_parse.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demand(bool is_true) {
  if (!is_true)
    abort();
}

static void check_launches(CxUnit *unit) {
  for (uint32_t i = 0; i < unit->n_launches; i++) {
    const CxLaunch *launch = &unit->launches[i];
    demand(launch->kernel != NULL && launch->kernel->n_parts > 0);
    demand(cx_parse_tokens(unit, NULL, launch->block) != NULL);
    for (uint32_t k = 0; k < launch->n_vars; k++)
      demand(launch->vars[k].name != NULL);
  }
}

static void check_names(CxUnit *unit, const char *text) {
  const char *why = NULL;
  const CxName *name = cx_parse_name_text(unit, text, &why);
  demand((name == NULL) == (why != NULL));
  why = NULL;
  const CxExpr *expr = cx_parse_text(unit, NULL, text, (Span){0, 0}, &why);
  demand((expr == NULL) == (why != NULL));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Arena *arena = arena_new();
  char *text = malloc(size + 1);
  demand(text != NULL);
  memcpy(text, data, size);
  text[size] = '\0';
  // Above the limit repetitions are not known as such.
  DiagEngine *diags = diag_engine_new(arena, UINT32_MAX);
  SourceText *source = source_new(arena, "fuzz.cu", text, size, false);
  CxUnit *unit = cx_parse_unit(arena, intern_new(arena), diags, source);
  Text once = {.arena = arena};
  Text twice = {.arena = arena};
  cx_print(unit, true, &once);
  uint32_t n_errors = diag_error_count(diags);
  cx_print(unit, true, &twice);
  demand(strcmp(text_cstr(&once), text_cstr(&twice)) == 0);
  demand(diag_error_count(diags) == n_errors);
  check_launches(unit);
  if (strlen(text) == size && size < 256)
    check_names(unit, text);
  free(text);
  arena_free(arena);
  return 0;
}
